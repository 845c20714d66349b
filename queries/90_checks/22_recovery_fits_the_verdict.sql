-- fail: delivered, orphan and adjustment are nobody's to give back; a duplicated line and a refused attempt are the vendor's
SELECT row_id, verdict, recovery
FROM fct_verdicts
WHERE (verdict IN ('delivered', 'orphan', 'adjustment') AND recovery <> 'none')
   OR (verdict IN ('duplicate_line', 'not_billable') AND recovery <> 'vendor_dispute')
   OR (verdict NOT IN ('delivered', 'orphan', 'adjustment') AND recovery = 'none')
