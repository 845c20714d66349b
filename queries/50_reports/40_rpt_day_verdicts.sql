-- rpt_day_verdicts: the excess of each day, by verdict.
--
-- Why:    the chart of the Summary stacks a day's excess by what it was.
-- Reads:  rpt_lines
-- Writes: rpt_day_verdicts (a view)
-- Grain:  (book, currency, day, verdict); only verdicts with an excess
-- Units:  currency; days of the report's zone; a sum of nothing but unknown amounts is 0
-- Params: none
-- Rule:   our choice; per day the rows add up to the excess of rpt_days
-- Look at: testdata/queries/rpt_day_verdicts/two_verdicts_a_day
CREATE OR REPLACE VIEW rpt_day_verdicts AS
SELECT book, currency, day, verdict, coalesce(sum(amount), 0) AS excess
FROM rpt_lines WHERE part = 'excess'
GROUP BY book, currency, day, verdict;
