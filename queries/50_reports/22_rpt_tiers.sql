-- rpt_tiers: how much was matched by which kind of evidence.
--
-- Why:    a finding by receipt and one by time are not equally sure.
-- Reads:  fct_verdicts
-- Writes: rpt_tiers
-- Grain:  (match, book, currency)
-- Units:  currency
-- Params: none
-- Rule:   design section 7; by book and currency, since these are never added
-- Look at: testdata/queries/rpt_tiers/receipt_and_request
CREATE OR REPLACE TABLE rpt_tiers AS
SELECT match, book, currency, count_charges(charge_no, alone, true) AS charges, sum(amount) AS amount,
    coalesce(sum(excess) FILTER (WHERE settled), CASE WHEN count(*) FILTER (WHERE settled) = 0 THEN 0 END) AS excess
FROM fct_verdicts
GROUP BY match, book, currency;
