-- fail: two layers multiplied only where the application retried, and one only where it did not
SELECT charge_no, verdict, app_ran
FROM fct_charges
WHERE (verdict = 'double_retry' AND app_ran < 2) OR (verdict = 'sdk_retry' AND app_ran > 1)
