-- rpt_explained_totals: what each call that is told cost, by book and currency.
--
-- Why:    paid and due of one call, as the task table of the first article has them.
-- Reads:  rpt_explained_parts
-- Writes: rpt_explained_totals
-- Grain:  (place, book, currency)
-- Units:  currency; paid = due + excess + undelivered + unsettled, exactly
-- Params: none
-- Rule:   design sections 2 and 4; what no attempt explains, and adjustments, stand beside it
-- Look at: testdata/queries/rpt_explained_totals/paid_is_the_sum_of_its_parts
CREATE OR REPLACE TABLE rpt_explained_totals AS
SELECT place, book, currency,
    coalesce(sum(amount) FILTER (WHERE verdict NOT IN ('orphan', 'adjustment')), 0) AS paid,
    coalesce(sum(amount) FILTER (WHERE settled AND verdict = 'delivered'), 0) AS due,
    coalesce(sum(amount) FILTER (WHERE settled AND is_excess), 0) AS excess,
    coalesce(sum(amount) FILTER (WHERE settled AND verdict = 'undelivered'), 0) AS undelivered,
    coalesce(sum(amount) FILTER (WHERE NOT settled AND verdict NOT IN ('orphan', 'adjustment')), 0) AS unsettled,
    coalesce(sum(amount) FILTER (WHERE verdict = 'orphan'), 0) AS orphan,
    coalesce(sum(amount) FILTER (WHERE verdict = 'adjustment'), 0) AS adjustments,
    coalesce(sum(applied), 0) AS refunded,
    count(*) FILTER (WHERE amount IS NULL) > 0 AS at_least
FROM rpt_explained_parts WHERE verdict IS NOT NULL
GROUP BY place, book, currency;
