-- fail: a settled charge belongs to a call that has ended
WITH unended AS MATERIALIZED ( -- few, so that they are what the bill is compared with
    SELECT f.charge_no, f.verdict, c.state
    FROM fct_charges f JOIN int_calls c ON c.request_key = f.request_key AND c.call_no = f.call_no
    WHERE f.verdict <> 'orphan' AND c.state NOT IN ('succeeded', 'failed')
)
SELECT u.charge_no, u.verdict, u.state
FROM fct_verdicts v JOIN unended u ON u.charge_no = v.charge_no
WHERE v.settled AND v.verdict <> 'adjustment'
