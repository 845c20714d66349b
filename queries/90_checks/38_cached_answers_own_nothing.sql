-- fail: of several attempts with one receipt only the first owes its charge
SELECT m.charge_no, m.exec_id
FROM int_matches m JOIN int_executions e ON e.exec_id = m.exec_id
WHERE e.cached
