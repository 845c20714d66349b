-- fail: no attempt owns a charge of another model, unless a receipt says so
SELECT m.charge_no, m.exec_id, e.model_key AS logged, c.model_key AS billed
FROM int_matches m JOIN int_executions e ON e.exec_id = m.exec_id JOIN int_charges c ON c.charge_no = m.charge_no
WHERE m.match <> 'receipt' AND e.model_key <> c.model_key
