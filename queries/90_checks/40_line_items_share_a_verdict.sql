-- fail: all lines of one charge carry one verdict
SELECT charge_no, min(verdict) AS one, max(verdict) AS other
FROM fct_verdicts WHERE verdict <> 'adjustment' AND NOT alone
GROUP BY charge_no HAVING min(verdict) <> max(verdict) OR bool_and(settled) <> bool_or(settled)
