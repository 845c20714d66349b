-- fail: the ledger's billed amounts are the sum of the bill's own lines, read apart from any verdict
SELECT coalesce(b.book, t.book) AS book, coalesce(b.currency, t.currency) AS currency, b.amount AS bill, t.billed AS ledger
FROM (SELECT book, CASE WHEN amount IS NULL THEN coalesce(listed_currency, currency) ELSE currency END AS currency,
             coalesce(sum(coalesce(amount, listed_amount)), 0) AS amount FROM src_charges
      WHERE superseded_by IS NULL
        AND charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND charged_at < CAST(getvariable('period_to') AS TIMESTAMP)
        AND (getvariable('scope_provider') IS NULL OR provider = getvariable('scope_provider'))
        AND (getvariable('scope_model') IS NULL OR row_id IN (SELECT row_id FROM int_charge_lines WHERE model_key = model_key(getvariable('scope_model'))))
        AND (getvariable('scope_api_key') IS NULL OR api_key = getvariable('scope_api_key'))
      GROUP BY ALL) b
FULL JOIN (SELECT book, currency, billed FROM rpt_totals WHERE party = 'all') t ON t.book = b.book AND t.currency = b.currency
WHERE b.amount IS DISTINCT FROM t.billed
