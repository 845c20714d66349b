-- rpt_attempts: attempts.parquet, the attempt log in the canonical columns, typed.
--
-- Why:    another tool, or another audit, can read what was understood of the log.
-- Reads:  src_attempts, src_files, src_providers, int_numberings
-- Writes: rpt_attempts (a view)
-- Grain:  row_id, one row a line; the column sort_row orders the file and is not in it
-- Units:  times TIMESTAMPTZ in UTC, *_ms milliseconds, tokens as the provider counts them
-- Params: none
-- Rule:   design section 2, in its order; behind it what a reader could not know again: whether
--         the log said that another try follows, from what number it counts, and what its
--         lines tell of attempts without one. A stage that only the elapsed time suggests is left
--         out, as it would come back as a fact
-- Look at: testdata/queries/rpt_attempts/reads_back_the_same
CREATE OR REPLACE VIEW rpt_attempts AS
SELECT a.request_id, a.attempt, a.max_attempts, a.layer, a.kind, timezone('UTC', a.started_at) AS started_at,
    timezone('UTC', a.ended_at) AS ended_at, a.elapsed_ms, CASE WHEN a.stage_basis <> 'elapsed' THEN a.stage END AS stage, a.outcome, a.reason,
    a.http_status, a.retry_after_ms, a.provider, a.model, a.vendor_request_id, a.idempotency_key,
    CASE WHEN p.cached_outside THEN a.input_tokens - coalesce(a.cached_input_tokens, 0) ELSE a.input_tokens END AS input_tokens,
    a.cached_input_tokens, a.output_tokens, a.streamed, a.api_key, f.file AS source_file, a.source_line,
    a.retryable, CASE WHEN a.attempt IS NOT NULL THEN 1 - n.shift END AS counts_from, a.unlogged, a.row_id AS sort_row
FROM src_attempts a
JOIN src_files f USING (file_no)
LEFT JOIN src_providers p ON p.provider = a.provider AND p.provider <> ''
LEFT JOIN int_numberings n ON n.file_no = a.file_no AND n.layer = a.layer AND n.counts_from IS NOT DISTINCT FROM a.counts_from;
