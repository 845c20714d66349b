-- fail: a line whose executions are all logged owns no charge itself, and neither does a copy or a query
SELECT m.charge_no, m.exec_id
FROM int_matches m
WHERE m.exec_id IN (SELECT p.parent_row FROM int_line_parents p JOIN int_lines o ON o.row_id = p.parent_row JOIN int_lines i ON i.row_id = p.row_id
        WHERE i.succeeded OR NOT o.succeeded)
   OR m.exec_id IN (SELECT row_id FROM int_attempt_copies)
   OR m.exec_id IN (SELECT row_id FROM int_lines WHERE kind = 'query')
