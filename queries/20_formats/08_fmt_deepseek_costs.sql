-- fmt_bills: DeepSeek's cost-….csv, a sum for each day, model and wallet.
--
-- Why:    what DeepSeek bills; it names no request and no key.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no
-- Units:  cost in currency (CNY or USD). A day is one of UTC, or the offset is in the stamps
-- Params: none
-- Rule:   third-party readers of real exports. Free credit (granted) is a row of its own beside what was paid: line_item tells the wallet
-- Look at: testdata/formats/deepseek-costs
-- Format: deepseek-costs
-- Syntax: csv
-- Role:   bills
-- Signature: utc_date or start_time_iso, model, wallet_type, cost, currency
-- Columns: day = utc_date, started = start_time_iso, ended = end_time_iso, model, wallet_type, cost, currency
INSERT INTO fmt_bills BY NAME
SELECT source_line, record_no, 'deepseek' AS provider, model, lower(wallet_type) AS line_item,
    coalesce(started, utc_text(CASE WHEN regexp_full_match(day, '[0-9]{8}') THEN left(day, 4) || '-' || substr(day, 5, 2) || '-' || right(day, 2) ELSE day END)) AS period_start,
    coalesce(ended, strftime(TRY_CAST(CASE WHEN regexp_full_match(day, '[0-9]{8}') THEN left(day, 4) || '-' || substr(day, 5, 2) || '-' || right(day, 2) ELSE day END AS DATE) + INTERVAL 1 DAY, '%Y-%m-%dT00:00:00Z')) AS period_end,
    double_money(cost) AS amount, currency
FROM raw_records;
