-- fct_refunds: which excess each refund gives back.
--
-- Why:    refunds are gross in the identity; what is still owed is net of those that name
--         an excess charge.
-- Reads:  fct_verdicts
-- Writes: fct_refunds
-- Grain:  (target, refund group): one row a charge id, a call's request or nothing named
-- Units:  currency; refunded and applied are positive
-- Params: none
-- Rule:   design section 4, refunds: by charge id, else request id; an excess charge before a
--         delivered twin, down to 0; one that names the delivered twin serves its twin; what
--         is left is unapplied. Another currency is never subtracted
-- Empty:  NOT EXISTS (FROM fct_verdicts WHERE verdict = 'adjustment' AND kind IN ('refund', 'credit'))
-- Look at: testdata/queries/fct_refunds/larger_than_the_excess
CREATE OR REPLACE TABLE fct_refunds AS
WITH refunds AS (
    SELECT book_provider, book, currency, charge_id, request_id, -least(sum(amount), 0) + greatest(sum(amount), 0) AS refunded,
        min(row_id) AS row_id
    FROM fct_verdicts
    WHERE verdict = 'adjustment' AND kind IN ('refund', 'credit') AND amount IS NOT NULL AND (charge_id IS NOT NULL OR request_id IS NOT NULL)
    GROUP BY book_provider, book, currency, charge_id, request_id
),
excess AS NOT MATERIALIZED (
    SELECT book_provider, book, currency, charge_id, request_id, excess FROM fct_verdicts WHERE is_excess AND settled
),
-- First the excess charge that the refund names itself.
named AS (
    SELECT r.*, coalesce(x.excess, 0) AS named_excess, CASE WHEN x.charge_id IS NULL THEN 0
            ELSE greatest(least(r.refunded, greatest(x.excess, 0) - coalesce(sum(r.refunded) OVER (PARTITION BY r.book_provider, r.book, r.currency, r.charge_id
                ORDER BY r.row_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)), 0) END AS applied_here,
        coalesce(x.request_id, r.request_id, d.request_id) AS serves, x.charge_id IS NOT NULL AS names_excess
    FROM refunds r
    LEFT JOIN (SELECT book_provider, book, currency, charge_id, min(request_id) AS request_id, sum(excess) AS excess
               FROM excess WHERE charge_id IN (SELECT charge_id FROM refunds) GROUP BY book_provider, book, currency, charge_id) x
      ON x.book_provider = r.book_provider AND x.book = r.book AND x.currency = r.currency AND x.charge_id = r.charge_id
    -- else the delivered twin, whose request the refund then serves
    LEFT JOIN (SELECT book_provider, book, charge_id, min(request_id) AS request_id
               FROM fct_verdicts WHERE verdict = 'delivered' AND charge_id IN (SELECT charge_id FROM refunds WHERE request_id IS NULL)
               GROUP BY book_provider, book, charge_id) d
      ON d.book_provider = r.book_provider AND d.book = r.book AND d.charge_id = r.charge_id
),
-- Then, for refunds that name no excess charge, what is left of their request.
open_requests AS (
    SELECT e.book_provider, e.book, e.currency, e.request_id,
        sum(e.excess) - coalesce(max(n.applied), 0) AS open_excess
    FROM excess e
    LEFT JOIN (SELECT book_provider, book, currency, serves, sum(applied_here) AS applied FROM named WHERE names_excess
               GROUP BY book_provider, book, currency, serves) n
      ON n.book_provider = e.book_provider AND n.book = e.book AND n.currency = e.currency AND n.serves = e.request_id
    WHERE e.request_id IN (SELECT serves FROM named)
    GROUP BY e.book_provider, e.book, e.currency, e.request_id
),
queued AS (
    SELECT n.*, o.open_excess,
        coalesce(sum(CASE WHEN n.names_excess THEN 0 ELSE n.refunded END) OVER (
            PARTITION BY n.book_provider, n.book, n.currency, n.serves, n.names_excess
            ORDER BY n.row_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS earlier
    FROM named n
    LEFT JOIN open_requests o ON o.book_provider = n.book_provider AND o.book = n.book AND o.currency = n.currency AND o.request_id = n.serves
)
SELECT row_id, book_provider, book, currency, charge_id, request_id, refunded,
    CAST(CASE WHEN names_excess THEN applied_here
         ELSE greatest(least(refunded, coalesce(open_excess, 0) - earlier), 0) END AS DECIMAL(38,12)) AS applied
FROM queued;
