-- fmt_bills: DeepSeek's amount-….csv, counts for each day, key, model and kind of token.
--
-- Why:    request_count is a counter of executions.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no
-- Units:  amount is tokens, or requests in the rows of request_count; price is of one token, its currency stands in the cost file only. A day is one of UTC, or the offset is in the stamps
-- Params: none
-- Rule:   third-party readers of real exports. Use at another price (peak hours) is a row of its own. The money stands in cost-….csv
-- Look at: testdata/formats/deepseek-amounts
-- Format: deepseek-amounts
-- Syntax: csv
-- Role:   bills
-- Signature: utc_date or start_time_iso, model, api_key_name, type, price, amount
-- Columns: day = utc_date, started = start_time_iso, ended = end_time_iso, model, api_key_name, type, price, amount
INSERT INTO fmt_bills BY NAME
SELECT source_line, record_no, 'deepseek' AS provider, api_key_name AS api_key, model, type AS token_type,
    coalesce(started, utc_text(CASE WHEN regexp_full_match(day, '[0-9]{8}') THEN left(day, 4) || '-' || substr(day, 5, 2) || '-' || right(day, 2) ELSE day END)) AS period_start,
    coalesce(ended, strftime(TRY_CAST(CASE WHEN regexp_full_match(day, '[0-9]{8}') THEN left(day, 4) || '-' || substr(day, 5, 2) || '-' || right(day, 2) ELSE day END AS DATE) + INTERVAL 1 DAY, '%Y-%m-%dT00:00:00Z')) AS period_end,
    CASE WHEN type <> 'request_count' THEN amount END AS quantity, CASE WHEN type = 'request_count' THEN amount END AS requests,
    CASE WHEN type <> 'request_count' THEN double_money(price) END AS unit_price
FROM raw_records;
