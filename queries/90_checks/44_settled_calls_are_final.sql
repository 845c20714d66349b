-- fail: a settled charge belongs to a call that has ended
SELECT f.charge_no, f.verdict, c.state
FROM fct_verdicts v JOIN fct_charges f ON f.charge_no = v.charge_no
JOIN int_calls c ON c.request_key = f.request_key AND c.call_no = f.call_no
WHERE v.settled AND v.verdict <> 'adjustment' AND f.verdict <> 'orphan' AND c.state NOT IN ('succeeded', 'failed')
