-- rpt_totals: the ledger, by book and currency, and by provider.
--
-- Why:    the verdicts must add up to the bill to the last digit.
-- Reads:  fct_verdicts, fct_refunds, fct_side_effects, rpt_inputs
-- Writes: rpt_totals
-- Grain:  (provider_book, currency): all/bill and all/estimate first, then one a provider (one that is called all is "all (provider)")
-- Units:  DECIMAL(38,12) in currency; unknown amounts count as at_least, not as 0; cost_per_delivered is settled
--         money by settled deliveries, unknown where no settled amount is known
-- Params: none
-- Rule:   design section 4, the ledger identity: billed = delivered + excess + undelivered +
--         orphan + unsettled + adjustments, gross, every line once
-- Look at: testdata/queries/rpt_totals/one_of_each
CREATE OR REPLACE TABLE rpt_totals AS
WITH cells AS ( -- one pass over the lines; a charge stands with one provider, so that its count may be added
    SELECT book_provider, book, currency,
        CASE WHEN verdict = 'adjustment' THEN 'adjustments' WHEN NOT settled THEN 'unsettled' WHEN is_excess THEN 'excess' ELSE verdict END AS part,
        sum(amount) AS amount, sum(lines) AS lines, sum(known) AS known, sum(charges) AS charges
    FROM (SELECT book_provider, book, currency, verdict, settled, is_excess, sum(amount) AS amount, count(*) AS lines, count(amount) AS known,
              count_charges(charge_no, alone, true) AS charges
          FROM fct_verdicts GROUP BY book_provider, book, currency, verdict, settled, is_excess)
    GROUP BY book_provider, book, currency, part
),
summed AS (
    SELECT party, book, currency,
        coalesce(sum(amount), 0) AS billed,
        coalesce(sum(amount) FILTER (WHERE part = 'delivered'), 0) AS delivered,
        coalesce(sum(amount) FILTER (WHERE part = 'excess'), 0) AS excess,
        coalesce(sum(amount) FILTER (WHERE part = 'undelivered'), 0) AS undelivered,
        coalesce(sum(amount) FILTER (WHERE part = 'orphan'), 0) AS orphan,
        coalesce(sum(amount) FILTER (WHERE part = 'unsettled'), 0) AS unsettled,
        coalesce(sum(amount) FILTER (WHERE part = 'adjustments'), 0) AS adjustments,
        sum(lines - known) AS unknown_amounts,
        coalesce(sum(known) FILTER (WHERE part <> 'unsettled'), 0) AS known_amounts,
        coalesce(sum(charges) FILTER (WHERE part = 'delivered'), 0) AS delivered_charges
    FROM (SELECT 'all' AS party, * FROM cells UNION ALL SELECT party_of(book_provider), * FROM cells)
    GROUP BY party, book, currency
),
refunded AS (
    SELECT party, book, currency, sum(applied) AS applied FROM (
        SELECT 'all' AS party, * FROM fct_refunds
        UNION ALL SELECT party_of(book_provider), * FROM fct_refunds)
    GROUP BY party, book, currency
),
-- An effect that cannot be told for one call cannot be told for the sum.
effects AS (
    SELECT party, book, currency,
        CASE WHEN count(*) FILTER (WHERE same_model) = count(cache_effect) THEN coalesce(sum(cache_effect), 0) END AS cache_effect,
        CASE WHEN count(*) FILTER (WHERE NOT same_model) = count(reroute_premium) THEN coalesce(sum(reroute_premium), 0) END AS reroute_premium
    FROM (SELECT 'all' AS party, * FROM fct_side_effects
          UNION ALL SELECT party_of(book_provider), * FROM fct_side_effects)
    GROUP BY party, book, currency
),
rejects AS (
    SELECT coalesce(sum(rejected), 0) AS rejected FROM rpt_inputs WHERE role IN ('attempts', 'charges')
)
SELECT s.party || '/' || s.book AS provider_book, s.currency, s.party, s.book, s.billed, s.delivered, s.excess, s.undelivered, s.orphan, s.unsettled, s.adjustments,
    s.excess - coalesce(r.applied, 0) AS excess_net,
    CASE WHEN e.party IS NULL THEN CAST(0 AS DECIMAL(38,12)) ELSE e.cache_effect END AS cache_effect,
    CASE WHEN e.party IS NULL THEN CAST(0 AS DECIMAL(38,12)) ELSE e.reroute_premium END AS reroute_premium,
    CASE WHEN s.known_amounts > 0 THEN money_per(s.billed - s.unsettled, s.delivered_charges) END AS cost_per_delivered,
    s.unknown_amounts > 0 OR x.rejected > 0 AS at_least
FROM summed s
LEFT JOIN refunded r ON r.party = s.party AND r.book = s.book AND r.currency = s.currency
LEFT JOIN effects e ON e.party = s.party AND e.book = s.book AND e.currency = s.currency
CROSS JOIN rejects x;
