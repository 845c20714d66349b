-- fail: a charge is laid to a refused attempt by receipt, by number, or because it has no output
SELECT f.charge_no, f.match, f.output_tokens
FROM fct_charges f JOIN int_charges c ON c.charge_no = f.charge_no
WHERE f.verdict = 'not_billable' AND f.match = 'request' AND coalesce(f.output_tokens, 0) <> 0
