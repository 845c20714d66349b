-- rpt_verdict_totals: the money of each verdict and recovery, settled charges only.
--
-- Why:    what was found, and who can get it back.
-- Reads:  fct_verdicts
-- Writes: rpt_verdict_totals
-- Grain:  (book, currency, verdict, recovery)
-- Units:  currency; charges are counted once, however many line items they have; a sum of
--         nothing but unknown amounts is unknown
-- Params: none
-- Rule:   design section 7
-- Look at: testdata/queries/rpt_verdict_totals/two_lines_one_charge
CREATE OR REPLACE TABLE rpt_verdict_totals AS
SELECT book, currency, verdict, recovery, count_charges(charge_no, alone, true) AS charges,
    sum(amount) AS amount, sum(excess) AS excess
FROM fct_verdicts WHERE settled
GROUP BY book, currency, verdict, recovery;
