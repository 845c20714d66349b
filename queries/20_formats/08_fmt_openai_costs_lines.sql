-- fmt_bills: OpenAI's older cost export (CSV), a sum for each day, model and kind of use.
--
-- Why:    what OpenAI bills; it names no request anywhere.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no
-- Units:  cost_usd is USD, days of UTC
-- Params: none
-- Rule:   third-party readers of real exports
-- Look at: testdata/formats/openai-costs-lines
-- Format: openai-costs-lines
-- Syntax: csv
-- Role:   bills
-- Signature: usage_date_utc, model, usage_type, cost_usd
-- Unlike: workspace, token_type, model_version
-- Columns: usage_date_utc, model, usage_type, cost_usd
INSERT INTO fmt_bills BY NAME
SELECT source_line, record_no, 'openai' AS provider, model, usage_type AS token_type, utc_text(usage_date_utc) AS period_start,
    strftime(TRY_CAST(usage_date_utc AS DATE) + INTERVAL 1 DAY, '%Y-%m-%dT00:00:00Z') AS period_end, double_money(cost_usd) AS amount, 'USD' AS currency, usage_type AS line_item
FROM raw_records;
