-- rpt_invoice_shifts: whether the invoice agrees with the charges by days that begin at another hour.
--
-- Why:    a vendor's month is one of its own zone; what lies between the two midnights is on the other month's invoice.
-- Reads:  int_invoice_lines, int_invoice_charges, int_invoice_grains
-- Writes: rpt_invoice_shifts
-- Grain:  (currency, offset_minutes)
-- Units:  difference in currency, of usage; offset of the days' zone from UTC in minutes; differ counts days and models that differ by more
--         than their rounding
-- Params: period_from, period_to, report_zone
-- Rule:   the whole hours from -12 to +14 and the half ones in which people live; the report's own zone is compared as well
-- Look at: testdata/queries/rpt_invoice_shifts/days_of_shanghai
CREATE OR REPLACE TABLE rpt_invoice_shifts AS
WITH offsets AS (
    SELECT CAST(h * 60 AS INTEGER) AS offset_minutes FROM range(-12, 15) t(h)
    UNION ALL SELECT unnest([-210, 210, 270, 330, 345, 390, 570, 630])
),
asked AS (
    SELECT timezone(getvariable('report_zone'), timezone('UTC', CAST(getvariable('period_from') AS TIMESTAMP))) AS since,
        timezone(getvariable('report_zone'), timezone('UTC', CAST(getvariable('period_to') AS TIMESTAMP))) AS until
),
named AS (
    SELECT DISTINCT currency, provider FROM int_invoice_lines WHERE amount IS NOT NULL
),
charged AS (
    SELECT o.offset_minutes, c.currency, CASE WHEN g.by_day THEN CAST(c.quarter + o.offset_minutes * INTERVAL 1 MINUTE AS DATE) END AS day,
        CASE WHEN g.by_model THEN c.model_key ELSE '' END AS model_key, CAST(sum(c.amount) AS DECIMAL(38,12)) AS amount
    FROM int_invoice_charges c JOIN int_invoice_grains g USING (currency), offsets o, asked a
    WHERE c.kind = 'usage' AND c.quarter + o.offset_minutes * INTERVAL 1 MINUTE >= a.since AND c.quarter + o.offset_minutes * INTERVAL 1 MINUTE < a.until
      AND (NOT g.by_provider OR EXISTS (SELECT 1 FROM named m WHERE m.currency = c.currency AND m.provider = c.provider))
    GROUP BY ALL
),
-- A line of another zone's day says so by its own stamps.
invoiced AS (
    SELECT o.offset_minutes, i.currency, CASE WHEN g.by_day THEN CAST(i.period_start + (i.period_end - i.period_start) / 2 + (SELECT CAST(epoch(timezone(getvariable('report_zone'), timezone('UTC', CAST(getvariable('period_from') AS TIMESTAMP))) - CAST(getvariable('period_from') AS TIMESTAMP)) AS INTEGER)) * INTERVAL 1 SECOND AS DATE) END AS day,
        CASE WHEN g.by_model THEN i.model_key ELSE '' END AS model_key, CAST(sum(i.amount) AS DECIMAL(38,12)) AS amount, sum(i.half_unit) AS rounding
    FROM int_invoice_lines i JOIN int_invoice_grains g USING (currency), offsets o
    WHERE i.kind = 'usage' AND i.amount IS NOT NULL GROUP BY ALL
)
SELECT coalesce(i.currency, c.currency) AS currency, coalesce(i.offset_minutes, c.offset_minutes) AS offset_minutes,
    CAST(sum(coalesce(i.amount, 0)) - sum(coalesce(c.amount, 0)) AS DECIMAL(38,12)) AS difference,
    count(*) FILTER (WHERE abs(coalesce(i.amount, 0) - coalesce(c.amount, 0)) > units_money(CAST(coalesce(i.rounding, 0) AS HUGEINT))) AS differ, count(*) AS cells
FROM invoiced i FULL JOIN charged c ON c.offset_minutes = i.offset_minutes AND c.currency = i.currency AND c.day IS NOT DISTINCT FROM i.day AND c.model_key = i.model_key
GROUP BY 1, 2;
