-- fmt_bills: Anthropic's cost report (API), a sum for each day, workspace and description.
--
-- Why:    what Anthropic bills; it names no request.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no
-- Units:  amount is a decimal of cents, as text: a hundredth of it is the amount; days of UTC
-- Params: none
-- Rule:   docs.anthropic.com usage-cost-api. Priority Tier costs are absent
-- Look at: testdata/formats/anthropic-costs
-- Format: anthropic-costs
-- Syntax: json
-- Role:   bills
-- Signature: starting_at, ending_at, results.amount, results.currency
-- Unlike: results.uncached_input_tokens
-- Records: results
-- Columns: period_start = ^starting_at, period_end = ^ending_at, cents = amount, currency, description, model, token_type
INSERT INTO fmt_bills BY NAME
SELECT source_line, record_no, 'anthropic' AS provider, period_start, period_end, currency, description AS line_item, model,
    CASE WHEN regexp_matches(lower(token_type), 'cache_(write|creation)') THEN 'cache_write' ELSE token_type END AS token_type,
    CASE WHEN as_money(double_money(cents)) IS NULL THEN cents ELSE CAST(units_money((abs(money_units(as_money(double_money(cents)))) + 50) // 100 * CASE WHEN as_money(double_money(cents)) < 0 THEN -1 ELSE 1 END) AS VARCHAR) END AS amount
FROM raw_records;
