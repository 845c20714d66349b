-- fail: by request id or number, both sides carry that id
SELECT m.charge_no, m.exec_id, e.request_id AS logged, c.request_id AS billed
FROM int_matches m JOIN int_executions e ON e.exec_id = m.exec_id JOIN int_charges c ON c.charge_no = m.charge_no
WHERE m.match IN ('attempt', 'request') AND e.request_id IS DISTINCT FROM c.request_id
