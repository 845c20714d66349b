-- fail: the providers of a book and currency add up to all of it
SELECT book, currency, sum(billed) FILTER (WHERE party = 'all') AS together, sum(billed) FILTER (WHERE party <> 'all') AS apart
FROM rpt_totals GROUP BY book, currency
HAVING sum(billed) FILTER (WHERE party = 'all') IS DISTINCT FROM sum(billed) FILTER (WHERE party <> 'all')
    OR sum(excess) FILTER (WHERE party = 'all') IS DISTINCT FROM sum(excess) FILTER (WHERE party <> 'all')
