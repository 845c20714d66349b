-- fail: a line whose executions are logged owns no charge itself, and neither does a copy or a query
SELECT m.charge_no, m.exec_id
FROM int_matches m
WHERE m.exec_id IN (SELECT parent_row FROM int_line_parents)
   OR m.exec_id IN (SELECT row_id FROM int_attempt_copies)
   OR m.exec_id IN (SELECT row_id FROM int_lines WHERE kind = 'query')
