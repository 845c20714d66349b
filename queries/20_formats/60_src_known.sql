-- src_known: rows that another file has brought already.
--
-- Why:    exports overlap; each charge and each attempt counts once.
-- Reads:  src_attempts, src_charges, src_files
-- Writes: src_known
-- Grain:  row_id
-- Units:  none
-- Params: none
-- Rule:   design section 6: identical rows are known, not new, as many as the file that
--         has most of them: the n-th of a file meets the n-th of another;
--         the file that comes first by hash keeps it, in whatever order they were named. Exports joined in one file (its header
--         stands in it again) are compared like several
-- Look at: testdata/queries/src_known/two_exports_overlap
CREATE OR REPLACE TABLE src_known AS
WITH contents AS (
    SELECT 'attempts' AS role, row_id, file_no, source_line,
        content_of(request_id, attempt, max_attempts, layer, kind, started_at, ended_at, elapsed_ms, stage,
            outcome, retryable, reason, http_status, retry_after_ms, provider, model, vendor_request_id,
            idempotency_key, input_tokens, cached_input_tokens, output_tokens, streamed, api_key) AS content
    FROM src_attempts
    UNION ALL
    SELECT 'charges', row_id, file_no, source_line,
        content_of(provider, book, charge_id, line_item, request_id, attempt, vendor_request_id,
            idempotency_key, charged_at, model, input_tokens, cached_input_tokens, output_tokens,
            reasoning_tokens, unit_price, amount, currency, kind, finish_reason, cancelled, generation_ms,
            api_key, cache_write_tokens, service_tier)
    FROM src_charges
),
counted AS (
    SELECT c.*, CASE WHEN f.joined THEN 1 ELSE row_number() OVER (PARTITION BY c.role, content, file_no ORDER BY source_line, row_id) END AS occurrence
    FROM contents c LEFT JOIN src_files f USING (file_no)
),
ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.role, content, occurrence ORDER BY f.sha256, c.file_no, source_line, row_id) AS place
    FROM counted c LEFT JOIN src_files f USING (file_no)
)
SELECT role, row_id, file_no FROM ranked WHERE place > 1;
DELETE FROM src_attempts WHERE row_id IN (SELECT row_id FROM src_known WHERE role = 'attempts');
DELETE FROM src_charges WHERE row_id IN (SELECT row_id FROM src_known WHERE role = 'charges');
