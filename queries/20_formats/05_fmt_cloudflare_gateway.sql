-- fmt_charges: Cloudflare AI Gateway's logs (its logs API), one row a request to a provider.
--
-- Why:    a gateway that reckons the cost, and logs each fallback step.
-- Reads:  raw_records
-- Writes: fmt_charges, fmt_attempts
-- Grain:  record_no
-- Units:  cost is USD, an estimate; duration is milliseconds; created_at is UTC, written when the request ends
-- Params: none
-- Rule:   developers.cloudflare.com ai_gateway logs. id is the header cf-aig-log-id. What was answered from the cache ran nowhere. A failure is a charge only where it cost something.
--         The caller's own id is in metadata; without one each row is a call of its own
-- Look at: testdata/formats/cloudflare-gateway
-- Format: cloudflare-gateway
-- Syntax: csv, json
-- Role:   charges, attempts
-- Signature: id, created_at, model, success or cached or step, status_code or success, duration, tokens_in, tokens_out or cost
-- Columns: id, created_at, provider, model, success, cached, status_code, duration, tokens_in, tokens_out, cost, metadata
CREATE OR REPLACE TEMP TABLE fmt_rows AS
SELECT *, caller_tag(metadata) AS caller, coalesce(as_flag(success), TRY_CAST(status_code AS INTEGER) BETWEEN 200 AND 299, false) AS answered
FROM raw_records WHERE NOT coalesce(as_flag(cached), false);
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, lower(provider) AS provider, 'estimate' AS book, id AS charge_id, caller AS request_id, id AS vendor_request_id, utc_text(created_at) AS charged_at, model,
    tokens_in AS input_tokens, tokens_out AS output_tokens, double_money(cost) AS amount, 'USD' AS currency
FROM fmt_rows WHERE answered OR coalesce(as_money(cost) <> 0, cost IS NOT NULL);
INSERT INTO fmt_attempts BY NAME
SELECT source_line, record_no, caller AS request_id, 'gateway' AS layer, utc_text(created_at) AS ended_at, duration AS elapsed_ms, status_code AS http_status,
    CASE WHEN as_flag(success) THEN 'success' END AS outcome, CASE WHEN status_code IS NULL AND NOT answered THEN 'error' END AS status, lower(provider) AS provider, model, id AS vendor_request_id,
    CASE WHEN answered THEN tokens_in END AS input_tokens, CASE WHEN answered THEN tokens_out END AS output_tokens
FROM fmt_rows;
DROP TABLE fmt_rows;
