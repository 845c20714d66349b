-- fail: a retry repeats its prompt: by request id or number, known input tokens do not contradict
SELECT m.charge_no, m.exec_id, e.input_tokens AS logged, c.input_tokens AS billed
FROM int_matches m JOIN int_executions e ON e.exec_id = m.exec_id JOIN int_charges c ON c.charge_no = m.charge_no
WHERE m.match IN ('attempt', 'request') AND e.input_tokens <> c.input_tokens AND c.input_tokens > 0
