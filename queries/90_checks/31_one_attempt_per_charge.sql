-- fail: a charge belongs to at most one attempt, plain ones included
SELECT charge_no, count(*) AS owners
FROM (SELECT charge_no FROM int_matches UNION ALL SELECT charge_row FROM int_simple_pairs)
GROUP BY charge_no HAVING count(*) > 1
