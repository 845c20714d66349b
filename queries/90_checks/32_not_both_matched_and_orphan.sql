-- fail: nothing is both matched and an orphan; nothing else goes unmatched but what is no execution
SELECT row_id, verdict, match
FROM fct_verdicts
WHERE (verdict = 'orphan' AND match NOT IN ('none', 'lead'))
   OR (verdict NOT IN ('orphan', 'adjustment', 'duplicate_line') AND match IN ('none', 'lead'))
