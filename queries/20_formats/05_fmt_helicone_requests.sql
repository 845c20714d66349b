-- fmt_charges: Helicone's requests (its API and its CSV and JSON exports), one row a request through the gateway.
--
-- Why:    a common gateway, which reckons the cost of every request.
-- Reads:  raw_records
-- Writes: fmt_charges, fmt_attempts
-- Grain:  record_no
-- Units:  costUSD and an export's cost are USD, an estimate. In the ClickHouse table cost is whole billionths of a dollar: taken so where all costs of a
--         file are whole numbers and one of them is 100 or more. delay_ms is milliseconds, times have a zone
-- Params: none
-- Rule:   third-party readers of real exports. The caller's own id is a property, else request_id, which the header Helicone-Request-Id sets: a retry that
--         sends it again has the same. response_id is the vendor's. A failed request without a cost is no charge
-- Look at: testdata/formats/helicone-requests
-- Format: helicone-requests
-- Syntax: csv, json
-- Role:   charges, attempts
-- Signature: request_id, request_created_at, response_status or status, prompt_tokens, delay_ms or response_created_at or costUSD or cost or latency
-- Columns: request_id, response_id, request_created_at, response_created_at, response_status = response_status or status, model = response_model or request_model or model, provider,
--         delay_ms = delay_ms or latency, prompt_tokens, completion_tokens, cached = prompt_cache_read_tokens, written = prompt_cache_write_tokens, costUSD, cost,
--         properties = properties or request_properties
CREATE OR REPLACE TEMP TABLE fmt_rows AS
WITH priced AS (
    SELECT *, bool_and(cost IS NULL OR regexp_full_match(cost, '[0-9]{1,15}')) OVER () AND max(CASE WHEN regexp_full_match(cost, '[0-9]{1,15}') THEN CAST(cost AS BIGINT) END) OVER () >= 100 AS billionths
    FROM raw_records
)
SELECT *, coalesce(caller_id(properties), request_id) AS caller,
    coalesce(double_money(costUSD), CASE WHEN billionths THEN money_digits(CAST(cost AS DECIMAL(38,12)) * 0.000000001) ELSE double_money(cost) END) AS usd,
    coalesce(TRY_CAST(response_status AS INTEGER) BETWEEN 200 AND 299, false) AS answered
FROM priced;
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, lower(provider) AS provider, 'estimate' AS book, request_id AS charge_id, caller AS request_id, response_id AS vendor_request_id,
    utc_text(request_created_at) AS charged_at, model, prompt_tokens AS input_tokens, cached AS cached_input_tokens, written AS cache_write_tokens, completion_tokens AS output_tokens,
    usd AS amount, 'USD' AS currency
FROM fmt_rows WHERE answered OR coalesce(as_money(usd) <> 0, usd IS NOT NULL);
INSERT INTO fmt_attempts BY NAME
SELECT source_line, record_no, caller AS request_id, 'gateway' AS layer, utc_text(request_created_at) AS started_at, utc_text(response_created_at) AS ended_at, delay_ms AS elapsed_ms,
    CASE WHEN regexp_full_match(response_status, '[1-5][0-9][0-9]') THEN response_status END AS http_status,
    CASE WHEN NOT coalesce(regexp_full_match(response_status, '[1-5][0-9][0-9]'), false) THEN 'unknown' END AS status,
    lower(provider) AS provider, model, response_id AS vendor_request_id, CASE WHEN answered THEN prompt_tokens END AS input_tokens,
    CASE WHEN answered THEN cached END AS cached_input_tokens, CASE WHEN answered THEN completion_tokens END AS output_tokens
FROM fmt_rows;
DROP TABLE fmt_rows;
