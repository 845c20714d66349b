-- fail: no call holds one attempt number twice
SELECT c.request_key, c.call_no, l.n, count(*) AS lines
FROM int_call_lines c JOIN int_lines l ON l.row_id = c.row_id
WHERE l.n IS NOT NULL
GROUP BY c.request_key, c.call_no, l.n, l.layer HAVING count(*) > 1
