-- fail: every line of the bill has exactly one verdict, and every verdict a line
SELECT coalesce(c.row_id, v.row_id) AS row_id, v.n
FROM (SELECT row_id FROM int_charge_lines c
      WHERE c.charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND c.charged_at < CAST(getvariable('period_to') AS TIMESTAMP)
        AND (getvariable('scope_provider') IS NULL OR c.book_provider = getvariable('scope_provider'))
        AND (getvariable('scope_model') IS NULL OR c.model_key = model_key(getvariable('scope_model')))
        AND (getvariable('scope_api_key') IS NULL OR c.api_key = getvariable('scope_api_key'))) c
FULL JOIN (SELECT row_id, count(*) AS n FROM fct_verdicts GROUP BY row_id) v ON v.row_id = c.row_id
WHERE v.n IS DISTINCT FROM 1 OR c.row_id IS NULL
