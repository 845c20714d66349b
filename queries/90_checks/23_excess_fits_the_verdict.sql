-- fail: excess is the whole amount for a verdict of excess, and 0 for every other
SELECT row_id, verdict, amount, excess
FROM fct_verdicts
WHERE is_excess <> (verdict IN ('duplicate_line', 'not_billable', 'hedged', 'double_retry', 'sdk_retry', 'partial_tokens', 'timeout_retry', 'server_error_retry'))
   OR (is_excess AND excess IS DISTINCT FROM amount)
   OR (NOT is_excess AND excess IS DISTINCT FROM 0)
