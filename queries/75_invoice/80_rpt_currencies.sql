-- rpt_currencies: the money of the period in each currency, and in the one of the report.
--
-- Why:    amounts of two currencies are never added; by a rate of each day they can be.
-- Reads:  fct_verdicts, int_invoice_lines, src_rates
-- Writes: rpt_currencies
-- Grain:  (side, currency); side is charges, excess or invoice
-- Units:  amount in currency, of the lines that have one; converted in the report's currency, each line at the rate of its day and rounded to
--         twelve decimals, half away from zero, NULL where no line has a rate or an amount; without_rate counts lines that have none, and unknown_converted what stands on them, in currency
-- Params: paid_book, report_currency, rate_days, report_zone
-- Rule:   the day is that of the report's zone. A day without a rate takes the last one of the rate_days days before it; by default none, and the line is
--         unknown, not zero. Money already in the report's currency needs no rate
-- Look at: testdata/queries/rpt_currencies/a_day_without_a_rate
CREATE OR REPLACE TABLE rpt_currencies AS
WITH lines AS (
    SELECT 'charges' AS side, currency, CAST(timezone(getvariable('report_zone'), timezone('UTC', charged_at)) AS DATE) AS day, amount
    FROM fct_verdicts WHERE book = getvariable('paid_book')
    UNION ALL
    SELECT 'excess', currency, CAST(timezone(getvariable('report_zone'), timezone('UTC', charged_at)) AS DATE), excess
    FROM fct_verdicts WHERE book = getvariable('paid_book') AND settled AND is_excess
    UNION ALL
    SELECT 'invoice', currency, coalesce(day, CAST(timezone(getvariable('report_zone'), timezone('UTC', period_end - INTERVAL 1 MICROSECOND)) AS DATE)), amount
    FROM int_invoice_lines WHERE amount IS NOT NULL
),
days AS (
    SELECT DISTINCT currency, day FROM lines
),
dated AS (
    SELECT d.currency, d.day, CASE WHEN d.currency = getvariable('report_currency') THEN 1 ELSE arg_max(r.rate, r.day) END AS rate
    FROM days d LEFT JOIN src_rates r ON r.base = d.currency AND r.quote = getvariable('report_currency')
        AND r.day <= d.day AND r.day >= d.day - CAST(coalesce(setting('rate_days'), 0) AS INTEGER)
    GROUP BY d.currency, d.day
),
converted AS (
    SELECT l.*, d.rate, CASE WHEN abs(l.amount) < 1000000000 AND d.rate < 100000 THEN
        units_money((abs(money_units(l.amount)) * money_units(d.rate) + 500000000000) // 1000000000000 * CASE WHEN l.amount < 0 THEN -1 ELSE 1 END) END AS value
    FROM lines l LEFT JOIN dated d USING (currency, day)
)
SELECT side, currency, count(*) AS n, CAST(coalesce(sum(amount), 0) AS DECIMAL(38,12)) AS amount, count(*) FILTER (WHERE amount IS NULL) AS unknown,
    CASE WHEN getvariable('report_currency') IS NOT NULL THEN CAST(sum(value) AS DECIMAL(38,12)) END AS converted,
    CASE WHEN getvariable('report_currency') IS NOT NULL THEN count(*) FILTER (WHERE amount IS NOT NULL AND value IS NULL) ELSE 0 END AS without_rate,
    CAST(coalesce(sum(amount) FILTER (WHERE value IS NULL AND getvariable('report_currency') IS NOT NULL), 0) AS DECIMAL(38,12)) AS unknown_converted,
    string_agg(DISTINCT strftime(day, '%Y-%m-%d'), ', ' ORDER BY strftime(day, '%Y-%m-%d')) FILTER (WHERE amount IS NOT NULL AND value IS NULL AND getvariable('report_currency') IS NOT NULL) AS days_without
FROM converted GROUP BY side, currency;
