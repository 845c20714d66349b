-- fail: every verdict, recovery and reason is one of the documented ones; no rule fell through
SELECT row_id, verdict, recovery, reason
FROM fct_verdicts
WHERE verdict IS NULL OR recovery IS NULL OR reason IS NULL OR settled IS NULL
   OR verdict NOT IN ('adjustment', 'duplicate_line', 'orphan', 'not_billable', 'delivered', 'hedged', 'undelivered',
        'double_retry', 'sdk_retry', 'partial_tokens', 'timeout_retry', 'server_error_retry')
   OR recovery NOT IN ('vendor_dispute', 'own_policy', 'none')
