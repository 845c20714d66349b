-- fmt_bills: Anthropic's usage export of the Console (CSV), counts for each day, key and model.
--
-- Why:    what Anthropic counts; it names no request and counts none.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no * 16 and on: a row for each kind of token
-- Units:  tokens; days of UTC. No money
-- Params: none
-- Rule:   third-party readers of real exports. usage_type, speed and inference_geo are not read
-- Look at: testdata/formats/anthropic-usage-csv
-- Format: anthropic-usage-csv
-- Syntax: csv
-- Role:   bills
-- Rows: several
-- Signature: usage_date_utc, model_version, api_key, usage_input_tokens_no_cache, usage_output_tokens
-- Columns: usage_date_utc, model_version, api_key, input = usage_input_tokens_no_cache, write_5m = usage_input_tokens_cache_write_5m,
--         write_1h = usage_input_tokens_cache_write_1h, cached = usage_input_tokens_cache_read, output = usage_output_tokens
INSERT INTO fmt_bills BY NAME
WITH kinds AS (SELECT *, unnest([0, 1, 2, 3, 4]) AS k FROM raw_records),
told AS (
    SELECT *, (['input', 'cached_input', 'cache_write', 'cache_write', 'output'])[k + 1] AS kind_of_token,
        CASE k WHEN 0 THEN input WHEN 1 THEN cached WHEN 2 THEN write_5m WHEN 3 THEN write_1h ELSE output END AS n
    FROM kinds
)
SELECT source_line, record_no * 16 + k AS record_no, 'anthropic' AS provider, api_key, model_version AS model, kind_of_token AS token_type, utc_text(usage_date_utc) AS period_start,
    strftime(TRY_CAST(usage_date_utc AS DATE) + INTERVAL 1 DAY, '%Y-%m-%dT00:00:00Z') AS period_end, n AS quantity,
    CASE k WHEN 2 THEN 'cache write, 5 min' WHEN 3 THEN 'cache write, 1 h' END AS line_item
FROM told WHERE n IS NOT NULL AND (n <> '0' OR k IN (0, 4));
