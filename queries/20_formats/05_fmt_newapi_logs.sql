-- fmt_charges: the logs of one-api and new-api (JSON pages of /api/log, or a dump of the table as CSV), one row a request.
--
-- Why:    relays and resellers bill by these rows.
-- Reads:  raw_records
-- Writes: fmt_charges, fmt_attempts
-- Grain:  record_no
-- Units:  quota is points: an amount is quota / quota_per_usd in USD, 500000 points by default. created_at is Unix seconds, the end of
--         the call; use_time is seconds, elapsed_time and other.frt are milliseconds
-- Params: quota_per_usd: points for one dollar, of --quota-per-usd or the configuration
-- Rule:   songquanpeng/one-api and Calcium-Ion/new-api, model/log.go. Only type 2 is a charge, negative where a task was settled
--         again: other.task_id names the charge that it corrects; type 6 is money back. Type 5 is a failed try where its quota is 0 and the file has the
--         names of new-api; in one-api it is a test. Other types are no calls. id is not unique and names nothing. Retries between channels
--         inside the relay are one row. upstream_request_id is the id of the next vendor. Cached tokens stand in other
-- Look at: testdata/formats/newapi-logs
-- Format: newapi-logs
-- Syntax: csv, json
-- Role:   charges, attempts
-- Cached: inside
-- Signature: created_at~^[0-9]+$, type~^[0-9]$, quota, prompt_tokens, completion_tokens, token_name, channel or channel_id or use_time or elapsed_time
-- Columns: created_at, type, quota, prompt_tokens, completion_tokens, token_name, model_name, use_time, elapsed_time, is_stream,
--         request_id, upstream_request_id, other, content
CREATE OR REPLACE TEMP TABLE fmt_rows AS
WITH counted AS (
    SELECT *, CASE WHEN regexp_full_match(quota, '-?[0-9]{1,15}') THEN abs(CAST(quota AS BIGINT)) END AS n, json_texts(other, ['$.task_id', '$.cache_tokens', '$.cache_creation_tokens']) AS told
    FROM raw_records
),
-- In units of 1e-12 USD. A quota of some dollars leaves room in a BIGINT, whose division is much faster than a HUGEINT's.
worth AS (
    SELECT *, CASE WHEN n <= 4000000 THEN (n * 2000000000000 + setting('quota_per_usd')) // (2 * setting('quota_per_usd'))
        ELSE (CAST(n AS HUGEINT) * 2000000000000 + setting('quota_per_usd')) // (2 * setting('quota_per_usd')) END AS units
    FROM counted
)
SELECT * EXCLUDE (n, told, units), told[1] AS task, told[2] AS cached, told[3] AS written,
    CASE WHEN n IS NOT NULL THEN CASE WHEN left(quota, 1) = '-' AND units <> 0 THEN '-' ELSE '' END || money_digits(units_money(units)) ELSE quota END AS usd
FROM worth;
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, 'bill' AS book, coalesce(task, request_id) AS charge_id, request_id,
    request_id AS vendor_request_id, created_at AS charged_at, model_name AS model, prompt_tokens AS input_tokens, cached AS cached_input_tokens, written AS cache_write_tokens,
    completion_tokens AS output_tokens, CASE WHEN type = '6' AND left(usd, 1) <> '-' THEN '-' || usd ELSE usd END AS amount, 'USD' AS currency,
    CASE WHEN type = '6' THEN 'refund' ELSE 'usage' END AS kind, token_name AS api_key
FROM fmt_rows WHERE type IN ('2', '6');
INSERT INTO fmt_attempts BY NAME
SELECT source_line, record_no, request_id, 'gateway' AS layer, created_at AS ended_at, elapsed_time AS elapsed_ms, use_time AS elapsed_s,
    CASE type WHEN '2' THEN 'success' ELSE 'error' END AS outcome, CASE type WHEN '5' THEN json_text(other, '$.error_type') END AS reason,
    CASE type WHEN '2' THEN '200' WHEN '5' THEN json_text(other, '$.status_code') END AS http_status, model_name AS model, request_id AS vendor_request_id,
    CASE type WHEN '2' THEN prompt_tokens END AS input_tokens, CASE type WHEN '2' THEN cached END AS cached_input_tokens,
    CASE type WHEN '2' THEN completion_tokens END AS output_tokens, is_stream AS streamed, token_name AS api_key
FROM fmt_rows WHERE (type = '2' AND left(quota, 1) <> '-' OR type = '5' AND use_time IS NOT NULL AND elapsed_time IS NULL);
DROP TABLE fmt_rows;
