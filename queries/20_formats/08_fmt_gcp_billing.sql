-- fmt_bills: Google Cloud's billing export to BigQuery (its rows as JSON), a line for each usage window and SKU, of which those of Vertex AI and Gemini are read.
--
-- Why:    what Google bills; it names no request.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no * 16 and on: the cost, then its credits
-- Units:  cost and credits in currency; times UTC
-- Params: none
-- Rule:   cloud.google.com export-data-bigquery-tables. What is paid is cost and its credits, which are negative: each a row. Other services are ignored; of more than fifteen credits of a line the rest is one row
-- Look at: testdata/formats/gcp-billing
-- Format: gcp-billing
-- Syntax: csv, json
-- Role:   bills
-- Rows: several
-- Signature: service.description, sku.description, usage_start_time, usage_end_time, cost, currency
-- Columns: service = service.description, sku = sku.description, usage_start_time, usage_end_time, cost, currency, credits, cost_type, used = usage.amount, unit = usage.unit
INSERT INTO fmt_bills BY NAME
WITH listed AS (
    SELECT *, coalesce(list_transform(from_json(as_json(credits), '[{"amount":"VARCHAR"}]'), lambda c: c.amount), []) AS credit_list
    FROM raw_records WHERE regexp_matches(service, 'Vertex|Gemini|Generative')
),
lines AS (
    SELECT *, unnest(range(0, least(len(credit_list), 14) + 1 + CASE WHEN len(credit_list) > 14 THEN 1 ELSE 0 END)) AS k FROM listed
)
SELECT source_line, record_no * 16 + k AS record_no, 'google' AS provider, usage_start_time AS period_start, usage_end_time AS period_end, sku AS line_item,
    CASE WHEN k = 0 AND regexp_matches(lower(sku), 'cach') AND contains(lower(sku), 'input') THEN 'cached_input' WHEN k = 0 AND regexp_matches(lower(sku), 'text input|input tokens?') THEN 'input'
         WHEN k = 0 AND regexp_matches(lower(sku), 'text output|output tokens?') THEN 'output' END AS token_type,
    CASE WHEN k = 0 AND unit = 'count' THEN double_money(used) END AS quantity,
    CASE WHEN k = 0 THEN double_money(cost) WHEN k < 15 THEN double_money(credit_list[k])
         -- one that cannot be read goes through as it is, and is rejected with its line
         ELSE coalesce(list_filter(credit_list[15:], lambda c: c IS NOT NULL AND double_amount(c) IS NULL)[1],
             CAST(list_sum(list_transform(credit_list[15:], lambda c: double_amount(c))) AS VARCHAR)) END AS amount,
    currency, CASE WHEN k > 0 THEN 'credit' WHEN coalesce(cost_type, 'regular') = 'regular' THEN 'usage' WHEN cost_type = 'tax' THEN 'tax' ELSE 'adjustment' END AS kind
FROM lines;
