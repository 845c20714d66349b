-- fmt_bills: AWS Cost and Usage Report 2.0 (CSV), a line for each hour or day and usage type, of which those of Bedrock are read.
--
-- Why:    what AWS bills; it names no request.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no
-- Units:  line_item_unblended_cost in line_item_currency_code; times UTC; 1K tokens are 1000
-- Params: none
-- Rule:   docs.aws.amazon.com table-dictionary-cur2. The id of a line is not stable between refreshes, so it is not read. Marketplace models have no product code: the operation or the tokens in the usage type tell them. Credit and Refund are negative rows; other services are ignored
-- Look at: testdata/formats/aws-cur
-- Format: aws-cur
-- Syntax: csv
-- Role:   bills
-- Signature: line_item_line_item_type, line_item_usage_type, line_item_unblended_cost, line_item_currency_code, identity_time_interval or line_item_usage_start_date
-- Columns: kind = line_item_line_item_type, usage_type = line_item_usage_type, operation = line_item_operation, used = line_item_usage_amount, unit = pricing_unit,
--         cost = line_item_unblended_cost, currency = line_item_currency_code, span = identity_time_interval, began = line_item_usage_start_date, ended = line_item_usage_end_date,
--         product = line_item_product_code, service = product_servicecode
INSERT INTO fmt_bills BY NAME
SELECT source_line, record_no, 'aws-bedrock' AS provider, utc_text(coalesce(began, split_part(span, '/', 1))) AS period_start, utc_text(coalesce(ended, nullif(split_part(span, '/', 2), ''))) AS period_end,
    CASE WHEN regexp_matches(lower(usage_type), 'cache-?read') THEN 'cached_input' WHEN regexp_matches(lower(usage_type), 'cache-?write') THEN 'cache_write'
         WHEN regexp_matches(lower(usage_type), 'input-?_?token') THEN 'input' WHEN regexp_matches(lower(usage_type), 'output-?_?token') THEN 'output' END AS token_type,
    CASE WHEN lower(unit) = '1k tokens' THEN coalesce(money_digits(double_amount(used) * 1000), used)
         WHEN lower(unit) = 'tokens' THEN double_money(used) END AS quantity,
    double_money(cost) AS amount, currency, usage_type AS line_item,
    CASE WHEN lower(kind) IN ('refund', 'credit', 'tax') THEN lower(kind) WHEN lower(kind) LIKE '%usage%' THEN 'usage' ELSE 'adjustment' END AS kind
FROM raw_records
WHERE contains(lower(coalesce(service, '') || coalesce(product, '')), 'bedrock') OR operation LIKE 'InvokeModel%' OR contains(lower(usage_type), 'token');
