-- rpt_charges: charges.parquet, the bill in the canonical columns, typed.
--
-- Why:    another tool, or another audit, can read what was understood of the bill.
-- Reads:  int_charge_lines, src_files, src_providers, int_numberings
-- Writes: rpt_charges (a view)
-- Grain:  row_id, one row a line; the column sort_row orders the file and is not in it
-- Units:  charged_at TIMESTAMPTZ in UTC, amount and unit_price DECIMAL(38,12) in currency, tokens
--         as the provider counts them
-- Params: none
-- Rule:   design section 2, in its order; behind it from what number attempts count. A line
--         that a newer export replaced is left out: it does not count
-- Look at: testdata/queries/rpt_charges/reads_back_the_same
CREATE OR REPLACE VIEW rpt_charges AS
SELECT c.provider, c.book, c.charge_id, c.line_item, c.request_id, c.attempt, c.vendor_request_id, c.idempotency_key,
    timezone('UTC', c.charged_at) AS charged_at, c.model,
    CASE WHEN p.cached_outside THEN c.input_tokens - coalesce(c.cached_input_tokens, 0) - coalesce(c.cache_write_tokens, 0) ELSE c.input_tokens END AS input_tokens,
    c.cached_input_tokens, c.output_tokens, c.reasoning_tokens, c.unit_price, c.amount, c.currency, c.kind, c.finish_reason, c.cancelled,
    c.generation_ms, c.api_key, f.file AS source_file, c.source_line,
    CASE WHEN c.attempt IS NOT NULL THEN 1 - n.shift END AS counts_from, c.cache_write_tokens, c.service_tier, c.row_id AS sort_row
FROM int_charge_lines c
JOIN src_files f USING (file_no)
LEFT JOIN src_providers p ON p.provider = c.provider AND p.provider <> ''
LEFT JOIN int_numberings n ON n.file_no = c.file_no AND n.layer = '' AND n.counts_from IS NOT DISTINCT FROM c.counts_from;
