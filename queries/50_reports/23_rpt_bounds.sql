-- rpt_bounds: the excess as what is proven, what is expected and what is possible.
--
-- Why:    the headline is the proven sum; the reader should see how far it could go.
-- Reads:  fct_verdicts, fct_charges, fct_leads
-- Writes: rpt_bounds
-- Grain:  currency, of the paid book
-- Units:  currency; upper is unknown where an excess amount is
-- Params: paid_book
-- Rule:   design section 3, confidence. Lower: settled excess, by an id or at or above the threshold;
--         expected: that and the leads by tokens, each times its confidence; upper: lower, what is unsettled and
--         every lead, of those by tokens in each island of touching windows at most as many as there are open
--         executions, dearest first
-- Look at: testdata/queries/rpt_bounds/unsettled_counts_above
CREATE OR REPLACE TABLE rpt_bounds AS
WITH money AS (
    SELECT currency,
        coalesce(sum(excess) FILTER (WHERE settled), 0) AS lower,
        coalesce(sum(CASE WHEN match = 'tokens' THEN units_money(CAST(money_units(excess) * CAST(confidence * 1000 AS HUGEINT) // 1000 AS HUGEINT)) ELSE excess END)
            FILTER (WHERE settled), 0) AS expected,
        coalesce(sum(excess) FILTER (WHERE settled), 0) + coalesce(sum(greatest(excess, 0)) FILTER (WHERE NOT settled), 0) AS certain,
        count(*) FILTER (WHERE is_excess AND amount IS NULL) AS unknown
    FROM fct_verdicts WHERE book = getvariable('paid_book') GROUP BY currency
),
by_tokens AS (
    SELECT l.row_id, l.currency, l.amount, v.confidence, f.open,
        row_number() OVER (PARTITION BY f.island, l.currency ORDER BY l.amount DESC, f.charge_no, l.row_id) AS place
    FROM fct_leads l JOIN fct_verdicts v ON v.row_id = l.row_id JOIN fct_charges f ON f.charge_no = v.charge_no
    WHERE l.kind = 'lead' AND l.book = getvariable('paid_book')
),
leads AS (
    SELECT currency, sum(amount) AS amount, sum(expected) AS expected FROM (
        SELECT currency, amount, CAST(0 AS DECIMAL(38,12)) AS expected FROM fct_leads WHERE kind <> 'lead' AND book = getvariable('paid_book')
        UNION ALL
        SELECT currency, CASE WHEN place <= open THEN amount END, units_money(CAST(money_units(amount) * CAST(confidence * 1000 AS HUGEINT) // 1000 AS HUGEINT))
        FROM by_tokens)
    GROUP BY currency
)
SELECT m.currency, CAST(m.lower AS DECIMAL(38,12)) AS lower, CAST(m.expected + coalesce(l.expected, 0) AS DECIMAL(38,12)) AS expected,
    CASE WHEN m.unknown = 0 THEN CAST(m.certain + coalesce(l.amount, 0) AS DECIMAL(38,12)) END AS upper
FROM money m LEFT JOIN leads l USING (currency);
