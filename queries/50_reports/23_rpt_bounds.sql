-- rpt_bounds: the excess as what is proven, what is expected and what is possible.
--
-- Why:    the headline is the proven sum; the reader should see how far it could go.
-- Reads:  fct_verdicts, fct_leads
-- Writes: rpt_bounds
-- Grain:  currency, of the paid book
-- Units:  currency; upper is unknown where an excess amount is
-- Params: paid_book
-- Rule:   lower: settled excess matched by an id; expected: settled excess weighed with the
--         confidence of its match; upper: that, what is unsettled and every lead (design
--         section 3, confidence)
-- Look at: testdata/queries/rpt_bounds/unsettled_counts_above
CREATE OR REPLACE TABLE rpt_bounds AS
WITH money AS (
    SELECT currency,
        coalesce(sum(excess) FILTER (WHERE settled AND match <> 'tokens'), 0) AS lower,
        coalesce(sum(CASE WHEN match = 'tokens' THEN units_money(CAST(money_units(excess) * CAST(confidence * 1000 AS HUGEINT) // 1000 AS HUGEINT)) ELSE excess END)
            FILTER (WHERE settled), 0) AS expected,
        coalesce(sum(excess) FILTER (WHERE settled), 0) + coalesce(sum(greatest(excess, 0)) FILTER (WHERE NOT settled), 0) AS certain,
        count(*) FILTER (WHERE is_excess AND amount IS NULL) AS unknown
    FROM fct_verdicts WHERE book = getvariable('paid_book') GROUP BY currency
),
leads AS (
    SELECT currency, sum(amount) AS amount FROM fct_leads WHERE book = getvariable('paid_book') GROUP BY currency
)
SELECT m.currency, CAST(m.lower AS DECIMAL(38,12)) AS lower, CAST(m.expected AS DECIMAL(38,12)) AS expected,
    CASE WHEN m.unknown = 0 THEN CAST(m.certain + coalesce(l.amount, 0) AS DECIMAL(38,12)) END AS upper
FROM money m LEFT JOIN leads l USING (currency);
