-- src_contents: the whole content of every new row, and of the older rows at the same times.
--
-- Why:    what is new is told by content. An identical row has an identical time, so that only the older
--         rows at those times are looked at, not the years before.
-- Reads:  src_attempts, src_charges, src_nameless
-- Writes: src_contents (temporary)
-- Grain:  (role, row_id)
-- Units:  row_at is UTC: when an attempt ended (else began), when a charge was made
-- Params: first_file: the number of the first file that this run has read
-- Rule:   design section 6; a request id that was lent to a row (src_lent) is no content of it
-- Look at: testdata/queries/src_contents/older_rows_at_other_times
CREATE OR REPLACE TEMP TABLE src_contents AS
WITH looked_at AS (
    SELECT * FROM src_attempts WHERE file_no >= setting('first_file')
    UNION ALL
    SELECT * FROM src_attempts WHERE file_no < setting('first_file')
        AND ended_at IN (SELECT ended_at FROM src_attempts WHERE file_no >= setting('first_file'))
    UNION ALL
    -- an attempt without an end is told by its beginning; two queries, as DuckDB skips the years by a bare column alone
    SELECT * FROM src_attempts WHERE file_no < setting('first_file') AND ended_at IS NULL
        AND started_at IN (SELECT started_at FROM src_attempts WHERE file_no >= setting('first_file') AND ended_at IS NULL)
),
billed AS (
    SELECT * FROM src_charges WHERE file_no >= setting('first_file')
    UNION ALL
    SELECT * FROM src_charges WHERE file_no < setting('first_file')
        AND charged_at IN (SELECT charged_at FROM src_charges WHERE file_no >= setting('first_file'))
)
SELECT 'attempts' AS role, row_id, file_no, source_line, file_no AS newest_file, file_no >= setting('first_file') AS is_new, coalesce(ended_at, started_at) AS row_at,
    content_of(coalesce(own.trace_id, looked_at.request_id), attempt, max_attempts, layer, kind, started_at, ended_at, elapsed_ms, stage,
        outcome, retryable, reason, http_status, retry_after_ms, provider, model, vendor_request_id,
        idempotency_key, input_tokens, cached_input_tokens, output_tokens, streamed, api_key) AS content
FROM looked_at LEFT JOIN src_nameless own USING (row_id)
UNION ALL
SELECT 'charges', row_id, file_no, source_line, newest_file, file_no >= setting('first_file'), charged_at,
    content_of(provider, book, charge_id, line_item, coalesce(own.trace_id, billed.request_id), attempt, vendor_request_id,
        idempotency_key, charged_at, model, input_tokens, cached_input_tokens, output_tokens,
        reasoning_tokens, unit_price, amount, currency, kind, finish_reason, cancelled, generation_ms,
        api_key, cache_write_tokens, service_tier)
FROM billed LEFT JOIN src_nameless own USING (row_id);
