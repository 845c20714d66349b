-- fail: what another attempt is said to have delivered was delivered; what is undelivered was not
SELECT charge_no, verdict, delivered
FROM fct_charges
WHERE (verdict IN ('hedged', 'double_retry', 'sdk_retry', 'partial_tokens', 'timeout_retry', 'server_error_retry') AND NOT coalesce(delivered, false))
   OR (verdict = 'undelivered' AND delivered)
