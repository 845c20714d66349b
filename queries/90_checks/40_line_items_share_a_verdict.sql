-- fail: all lines of one charge carry one verdict
SELECT charge_no, count(DISTINCT verdict) AS verdicts
FROM fct_verdicts WHERE verdict <> 'adjustment' AND NOT alone
GROUP BY charge_no HAVING count(DISTINCT verdict) > 1 OR count(DISTINCT settled) > 1
