-- fail: the settled verdicts add up to the ledger's settled parts
SELECT t.book, t.currency, t.billed - t.unsettled AS ledger, coalesce(v.amount, 0) AS verdicts
FROM rpt_totals t
LEFT JOIN (SELECT book, currency, sum(amount) AS amount, sum(excess) AS excess FROM rpt_verdict_totals GROUP BY book, currency) v
  ON v.book = t.book AND v.currency = t.currency
WHERE t.party = 'all' AND (t.billed - t.unsettled <> coalesce(v.amount, 0) OR t.excess <> coalesce(v.excess, 0))
