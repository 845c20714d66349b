-- fmt_bills: OpenAI's usage of completions (CSV of the dashboard), counts for each period, key and model.
--
-- Why:    num_model_requests is the nearest thing to a counter of retries that OpenAI has.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no * 16 and on: a row for each kind of token and one for the requests
-- Units:  tokens and requests; start_time is Unix seconds. No money
-- Params: none
-- Rule:   as the usage API. Rows without a model and without counts are ignored
-- Look at: testdata/formats/openai-usage-csv
-- Format: openai-usage-csv
-- Syntax: csv
-- Role:   bills
-- Rows: several
-- Signature: start_time or start_time_iso, end_time or end_time_iso, num_model_requests, input_tokens, output_tokens, model
-- Columns: period_start = start_time or start_time_iso, period_end = end_time or end_time_iso, requests = num_model_requests, input_tokens, output_tokens, input_cached_tokens,
--         input_cache_write_tokens, model, api_key_id, batch, service_tier
INSERT INTO fmt_bills BY NAME
WITH counted AS (
    SELECT *, as_count(input_tokens) - coalesce(as_count(input_cached_tokens), 0) - coalesce(as_count(input_cache_write_tokens), 0) AS plain,
        CASE WHEN as_flag(batch) THEN 'batch' ELSE service_tier END AS tier
    FROM raw_records
),
kinds AS (
    SELECT *, unnest([0, 1, 2, 3, 4]) AS k FROM counted
),
told AS (
    SELECT *, (['input', 'cached_input', 'cache_write', 'output', 'requests'])[k + 1] AS kind_of_token,
        CASE k WHEN 0 THEN CASE WHEN plain >= 0 THEN CAST(plain AS VARCHAR) ELSE input_tokens END WHEN 1 THEN input_cached_tokens WHEN 2 THEN input_cache_write_tokens WHEN 3 THEN output_tokens END AS n
    FROM kinds
)
SELECT source_line, record_no * 16 + k AS record_no, 'openai' AS provider, api_key_id AS api_key, model, kind_of_token AS token_type, utc_text(period_start) AS period_start, utc_text(period_end) AS period_end,
    n AS quantity, CASE WHEN k = 4 THEN requests END AS requests, tier AS service_tier
FROM told WHERE n IS NOT NULL AND (n <> '0' OR k IN (0, 3)) OR k = 4 AND requests IS NOT NULL;
