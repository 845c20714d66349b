-- fmt_bills: OpenAI's cost export of the dashboard (CSV), a sum for each day, key and line item.
--
-- Why:    what OpenAI bills; it names no request anywhere.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no
-- Units:  amount_value is a decimal of up to 30 places, rounded to twelve; start_time is Unix seconds, days of UTC; quantity is tokens
-- Params: none
-- Rule:   third-party readers of real exports. Days without use have a row with no amount and no line item: ignored
-- Look at: testdata/formats/openai-costs-csv
-- Format: openai-costs-csv
-- Syntax: csv
-- Role:   bills
-- Signature: start_time or start_time_iso, end_time or end_time_iso, amount_value, amount_currency, line_item, quantity
-- Columns: start_time = start_time or start_time_iso, end_time = end_time or end_time_iso, amount_value, amount_currency, quantity, quantity_unit, line_item, api_key_id
INSERT INTO fmt_bills BY NAME
SELECT source_line, record_no, 'openai' AS provider, api_key_id AS api_key, utc_text(start_time) AS period_start, utc_text(end_time) AS period_end, double_money(amount_value) AS amount,
    amount_currency AS currency, line_item,
    CASE WHEN contains(line_item, ', ') THEN regexp_extract(line_item, '^(.*), [^,]*$', 1) END AS model,
    CASE WHEN contains(line_item, ', ') THEN replace(regexp_extract(line_item, ', ([^,]*)$', 1), ' ', '_') END AS token_type,
    CASE WHEN quantity_unit = 'tokens' OR quantity_unit IS NULL AND contains(line_item, ', ') THEN double_money(quantity) END AS quantity
FROM raw_records WHERE amount_value IS NOT NULL OR line_item IS NOT NULL;
