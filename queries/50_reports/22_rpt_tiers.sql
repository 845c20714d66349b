-- rpt_tiers: how much was matched by which kind of evidence.
--
-- Why:    a finding by receipt and one by time are not equally sure.
-- Reads:  fct_verdicts
-- Writes: rpt_tiers
-- Grain:  match
-- Units:  amounts of the paid book, of its currency with the most lines
-- Params: paid_book
-- Rule:   design section 7
-- Look at: testdata/queries/rpt_tiers/receipt_and_request
CREATE OR REPLACE TABLE rpt_tiers AS
WITH main AS (
    SELECT arg_max(currency, row(lines, currency)) AS currency
    FROM (SELECT currency, count(*) AS lines FROM fct_verdicts WHERE book = getvariable('paid_book') GROUP BY currency)
)
SELECT match, count(DISTINCT charge_no) AS charges, coalesce(sum(amount), 0) AS amount,
    coalesce(sum(excess) FILTER (WHERE settled), 0) AS excess
FROM fct_verdicts v JOIN main m ON m.currency = v.currency
WHERE v.book = getvariable('paid_book')
GROUP BY match;
