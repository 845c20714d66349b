-- rpt_verdict_totals: the money of each verdict and recovery, settled charges only.
--
-- Why:    what was found, and who can get it back.
-- Reads:  fct_verdicts
-- Writes: rpt_verdict_totals
-- Grain:  (book, currency, verdict, recovery)
-- Units:  currency; charges are counted once, however many line items they have
-- Params: none
-- Rule:   design section 7
-- Look at: testdata/queries/rpt_verdict_totals/two_lines_one_charge
CREATE OR REPLACE TABLE rpt_verdict_totals AS
SELECT book, currency, verdict, recovery, count(DISTINCT charge_no) AS charges,
    coalesce(sum(amount), 0) AS amount, coalesce(sum(excess), 0) AS excess
FROM fct_verdicts WHERE settled
GROUP BY book, currency, verdict, recovery;
