-- fail: every outermost line that is no copy and no query belongs to exactly one call
SELECT l.row_id, count(c.row_id) AS calls
FROM int_lines l
ANTI JOIN int_attempt_copies x ON x.row_id = l.row_id
ANTI JOIN int_line_parents p ON p.row_id = l.row_id
LEFT JOIN int_call_lines c ON c.row_id = l.row_id
WHERE l.kind = 'call'
GROUP BY l.row_id HAVING count(c.row_id) <> 1
