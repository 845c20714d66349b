-- fmt_bills: Anthropic's cost export of the Console (CSV), a sum for each day, key, model and kind of token.
--
-- Why:    what Anthropic bills; it names no request.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no
-- Units:  cost_usd is USD; days of UTC
-- Params: none
-- Rule:   third-party readers of real exports. The model is a display name ("Claude Haiku 4.5"), not the version of the usage export; usage_type, cost_type, speed and inference_geo are not read
-- Look at: testdata/formats/anthropic-costs-csv
-- Format: anthropic-costs-csv
-- Syntax: csv
-- Role:   bills
-- Signature: usage_date_utc, model, workspace, api_key, token_type, cost_usd, list_price_usd
-- Columns: usage_date_utc, model, api_key, token_type, cost_usd
INSERT INTO fmt_bills BY NAME
SELECT source_line, record_no, 'anthropic' AS provider, api_key, model,
    CASE WHEN regexp_matches(lower(token_type), 'cache_(write|creation)') THEN 'cache_write' ELSE token_type END AS token_type, utc_text(usage_date_utc) AS period_start,
    strftime(TRY_CAST(usage_date_utc AS DATE) + INTERVAL 1 DAY, '%Y-%m-%dT00:00:00Z') AS period_end, double_money(cost_usd) AS amount, 'USD' AS currency
FROM raw_records;
