-- fail: no refund gives back more than it holds, and no excess is given back twice
SELECT provider_book, currency, excess, excess_net
FROM rpt_totals WHERE excess_net > greatest(excess, 0) OR (excess >= 0 AND excess_net < 0)
UNION ALL
SELECT charge_id, currency, refunded, applied FROM fct_refunds WHERE applied > refunded OR applied < 0
