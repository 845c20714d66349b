-- rpt_explained_lines: every line of the log that concerns an id, with the call under which it is told.
--
-- Why:    copies, queries and inner layers are shown as what they are, not left out.
-- Reads:  rpt_explained_hits, rpt_explained_homes, src_attempts, int_lines, int_attempt_copies,
--         int_line_parents, int_call_lines, int_calls, int_executions, int_recoveries, int_simple_pairs
-- Writes: rpt_explained_lines
-- Grain:  row_id; negative for an attempt whose line is lost
-- Units:  times UTC by the log's clock; n counts from 1
-- Params: none
-- Rule:   design section 3, (1), (2), (5) and (6); a query is told under the latest call that
--         had begun before it
-- Look at: testdata/queries/rpt_explained_lines/copy_query_and_inner_line
CREATE OR REPLACE TABLE rpt_explained_lines AS
WITH keys AS (
    SELECT coalesce(a.request_id, '?' || a.row_id) AS request_key
    FROM rpt_explained_hits h JOIN src_attempts a ON a.row_id = h.attempt_row
    UNION
    SELECT request_key FROM rpt_explained_homes
),
careful AS (
    SELECT l.*, coalesce(c.kept_row, l.row_id) AS kept_row, p1.parent_row, c.kept_row IS NOT NULL AS is_copy,
        coalesce(p2.parent_row, p1.parent_row, c.kept_row, l.row_id) AS top
    FROM int_lines l SEMI JOIN keys k ON k.request_key = l.request_key
    LEFT JOIN int_attempt_copies c ON c.row_id = l.row_id
    LEFT JOIN int_line_parents p1 ON p1.row_id = coalesce(c.kept_row, l.row_id)
    LEFT JOIN int_line_parents p2 ON p2.row_id = p1.parent_row
),
queried AS (
    SELECT q.row_id, coalesce(c.call_no, 1) AS call_no
    FROM (SELECT * FROM careful WHERE kind = 'query') q
    ASOF LEFT JOIN int_calls c ON c.request_key = q.request_key AND c.first_at <= q.t0
)
SELECT l.row_id, l.request_key, coalesce(cl.call_no, q.call_no, 1) AS call_no, l.kind, l.layer, l.depth, l.attempt, l.n, l.top AS top_row,
    l.parent_row, l.is_copy, CASE WHEN l.is_copy THEN l.kept_row END AS copy_of, false AS lost, l.t0, l.t1, l.start_known,
    coalesce(e.outcome, l.outcome) AS outcome, l.stage, l.http_status, l.ran, l.refused, l.refused_late, l.never_connected,
    coalesce(e.cached, false) AS cached, coalesce(e.delivering, false) AS delivering, r.recovered_at, l.request_id, l.provider, l.model, l.file_no, l.source_line
FROM careful l
LEFT JOIN int_call_lines cl ON cl.row_id = l.top
LEFT JOIN queried q ON q.row_id = l.row_id
LEFT JOIN int_executions e ON e.exec_id = l.row_id
LEFT JOIN int_recoveries r ON r.row_id = l.row_id
UNION ALL
SELECT e.exec_id, e.request_key, e.call_no, 'call', 'app', 0, e.n, e.n, e.exec_id, NULL, false, NULL, true, e.t0, e.t1, e.start_known,
    e.outcome, NULL, NULL, e.ran, false, false, false, false, false, NULL, e.request_id, e.provider, NULL, NULL, NULL
FROM int_executions e SEMI JOIN keys k ON k.request_key = e.request_key WHERE e.lost
UNION ALL
SELECT a.row_id, a.request_id, 1, 'call', a.layer, CASE a.layer WHEN 'app' THEN 0 WHEN 'sdk' THEN 1 ELSE 2 END, a.attempt, 1, a.row_id,
    NULL, false, NULL, false, coalesce(a.started_at, a.ended_at), a.ended_at, a.started_at IS NOT NULL, a.outcome, a.stage, a.http_status,
    true, false, false, false, false, true, NULL, a.request_id, a.provider, a.model, a.file_no, a.source_line
FROM src_attempts a SEMI JOIN keys k ON k.request_key = a.request_id JOIN int_simple_pairs s ON s.attempt_row = a.row_id;
