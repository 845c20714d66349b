-- fmt_bills: OpenAI's costs (GET /v1/organization/costs), a sum for each day, project, key and line item.
--
-- Why:    what OpenAI bills; it names no request anywhere.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no
-- Units:  amount.value is a number in amount.currency (lower case), days of UTC; quantity is tokens
-- Params: none
-- Rule:   openai/openai-python usage_costs_response.py. Fields that were not grouped by are null. A line item is "model, kind of token"
-- Look at: testdata/formats/openai-costs
-- Format: openai-costs
-- Syntax: json
-- Role:   bills
-- Signature: start_time, end_time, results.object=organization.costs.result
-- Records: results
-- Columns: period_start = ^start_time, period_end = ^end_time, amount = amount.value, currency = amount.currency, line_item, api_key_id, quantity
INSERT INTO fmt_bills BY NAME
SELECT source_line, record_no, 'openai' AS provider, api_key_id AS api_key, period_start, period_end, double_money(amount) AS amount, currency, line_item,
    CASE WHEN contains(line_item, ', ') THEN regexp_extract(line_item, '^(.*), [^,]*$', 1) END AS model,
    CASE WHEN contains(line_item, ', ') THEN replace(regexp_extract(line_item, ', ([^,]*)$', 1), ' ', '_') END AS token_type, CASE WHEN contains(line_item, ', ') THEN double_money(quantity) END AS quantity
FROM raw_records;
