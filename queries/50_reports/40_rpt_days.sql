-- rpt_days: the sheet "By day".
--
-- Why:    timeouts come in incidents: a day tells more than a month.
-- Reads:  rpt_lines
-- Writes: rpt_days (a view)
-- Grain:  (book, currency, day), a row also for a day without a line between others of its book
-- Units:  currency; the parts add up to billed; days of the report's zone
-- Params: none
-- Rule:   our choice: a day without a charge is shown, so that a gap in the bill is seen
-- Look at: testdata/queries/rpt_days/a_day_without_a_line
CREATE OR REPLACE VIEW rpt_days AS
WITH spans AS (
    SELECT book, currency, unnest(generate_series(min(day), max(day), INTERVAL 1 DAY)) AS day FROM rpt_lines GROUP BY book, currency
)
SELECT s.book, s.currency, CAST(s.day AS DATE) AS day,
    count_charges(l.charge_no, l.alone, l.verdict <> 'adjustment') AS charges,
    coalesce(sum(amount), 0) AS billed, coalesce(sum(amount) FILTER (WHERE part = 'delivered'), 0) AS delivered,
    coalesce(sum(amount) FILTER (WHERE part = 'excess'), 0) AS excess, coalesce(sum(amount) FILTER (WHERE part = 'undelivered'), 0) AS undelivered,
    coalesce(sum(amount) FILTER (WHERE part = 'orphan'), 0) AS orphan, coalesce(sum(amount) FILTER (WHERE part = 'unsettled'), 0) AS unsettled,
    coalesce(sum(amount) FILTER (WHERE part = 'adjustments'), 0) AS adjustments,
    ratio(coalesce(sum(amount) FILTER (WHERE part = 'excess'), 0), sum(amount)) AS excess_share
FROM spans s LEFT JOIN rpt_lines l ON l.book = s.book AND l.currency = s.currency AND l.day = CAST(s.day AS DATE)
GROUP BY s.book, s.currency, s.day;
