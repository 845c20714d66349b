-- int_executions: what could own a charge: the innermost lines of each attempt, and the
-- attempts whose lines were lost.
--
-- Why:    a parent owns no charge, its executions do; everything after this joins on these.
-- Reads:  int_lines, int_attempt_copies, int_line_parents, int_call_lines, int_calls,
--         int_recoveries, int_lost_lines
-- Writes: int_executions
-- Grain:  exec_id (the row_id of the line; negative for a lost one)
-- Units:  UTC, ms; day is the one on which its line began; ord puts them in an order that does not hang on the lines' order; it breaks
--         every tie below
-- Params: none
-- Rule:   design section 3, (2), (4) and (5): the outer line's outcome decides whether the
--         call was delivered, and what became of the attempt; an attempt without an end that a later one replaced counts
--         as timed out; one receipt under two requests is a cached answer, and the first
--         owes the charge
-- Look at: testdata/queries/int_executions/gateway_lines_under_an_app_line
CREATE OR REPLACE TABLE int_executions AS
-- Until the end, rows hold only what decides something: lines have forty columns, and to hash or
-- to sort all of them costs more than everything else here.
WITH nodes AS (
    SELECT l.row_id, l.request_key, l.t0, l.t1, l.succeeded, l.receipt,
        coalesce(p2.parent_row, p1.parent_row, l.row_id) AS top_row, p1.parent_row IS NOT NULL AS inner_line
    FROM int_lines l
    ANTI JOIN int_attempt_copies c ON c.row_id = l.row_id
    LEFT JOIN int_line_parents p1 ON p1.row_id = l.row_id
    LEFT JOIN int_line_parents p2 ON p2.row_id = p1.parent_row
    WHERE l.kind = 'call'
),
-- An outer line with inner ones is no execution itself, unless it got an answer that none of
-- them tells of: then the inner line of that answer was lost, and it ran after the others.
inner_lines AS (
    SELECT p.parent_row, bool_or(c.succeeded) AS answered, max(c.t1) AS last_end
    FROM int_line_parents p JOIN nodes c ON c.row_id = p.row_id GROUP BY p.parent_row
),
leaves AS (
    SELECT n.* REPLACE (CASE WHEN i.last_end < n.t1 THEN greatest(n.t0, i.last_end) ELSE n.t0 END AS t0)
    FROM nodes n LEFT JOIN inner_lines i ON i.parent_row = n.row_id
    WHERE i.parent_row IS NULL OR (n.succeeded AND NOT i.answered)
),
-- Of several with one receipt, the first to have got an answer owes its charge.
cached_answers AS (
    SELECT row_id FROM (
        SELECT row_id, row_number() OVER (PARTITION BY receipt ORDER BY t0, t1, request_key, row_id) AS place
        FROM leaves WHERE receipt IS NOT NULL
          AND hash(receipt) IN (SELECT hash(receipt) AS id FROM leaves WHERE receipt IS NOT NULL GROUP BY id HAVING count(*) > 1))
    WHERE place > 1
),
-- Outermost lines, with their call.
tops AS MATERIALIZED (
    SELECT cl.row_id, cl.request_key, cl.call_no, cl.place, c.last_place, coalesce(c.delivered_row = cl.row_id, false) AS delivered,
        l.n, l.t0, l.t1, l.outcome, l.succeeded, l.refused
    FROM int_call_lines cl
    JOIN int_calls c ON c.request_key = cl.request_key AND c.call_no = cl.call_no
    JOIN int_lines l ON l.row_id = cl.row_id
),
placed AS (
    SELECT e.row_id, e.top_row, e.inner_line, e.t0, e.t1, e.succeeded, top.request_key, top.call_no, top.place, top.last_place, top.delivered,
        top.n AS app_n, top.t0 AS top_t0, top.t1 AS top_t1,
        CASE WHEN top.t1 IS NULL AND top.outcome = 'unknown' AND top.place < top.last_place THEN 'timeout' ELSE top.outcome END AS top_outcome,
        top.succeeded AS top_succeeded, top.refused AS top_refused
    FROM leaves e JOIN tops top ON top.row_id = e.top_row
),
-- An attempt without an end ended when the next began.
followed AS (
    SELECT row_id, lead(t0) OVER (PARTITION BY request_key, call_no ORDER BY place, t0, row_id) AS next_t0
    FROM placed SEMI JOIN (SELECT request_key, call_no FROM placed WHERE t1 IS NULL AND place < last_place) open USING (request_key, call_no)
),
-- Of the leaves of the attempt that delivered, one is the delivering execution.
delivering AS (
    SELECT arg_max(row_id, row(succeeded, coalesce(t1, t0), row_id)) AS exec_id
    FROM placed WHERE delivered GROUP BY top_row
),
every AS NOT MATERIALIZED (
    SELECT l.row_id AS exec_id, l.request_key, l.request_id, p.call_no, p.top_row, p.app_n, l.n, p.inner_line, false AS lost, NULL AS lost_timed_out,
        p.t0, coalesce(l.t1, CASE WHEN p.place < p.last_place THEN f.next_t0 END) AS t1, l.t1 IS NOT NULL AS ended, l.start_known, l.elapsed_ms,
        CASE WHEN r.recovered_at IS NOT NULL THEN 'recovered'
             WHEN NOT p.top_succeeded AND (l.succeeded OR p.inner_line) THEN p.top_outcome
             WHEN p.top_row = l.row_id THEN p.top_outcome
             ELSE l.outcome END AS outcome,
        l.stage, l.succeeded AND p.top_succeeded AS succeeded, d.exec_id IS NOT NULL AS delivering,
        l.ran, l.refused, l.refused_late, p.top_refused, l.never_connected,
        NOT l.succeeded OR p.top_outcome <> 'success' AS failed,
        l.provider, l.model, l.model_key, l.receipt, l.idempotency_key, l.api_key, l.input_tokens, l.output_tokens,
        o.row_id IS NOT NULL AS cached, l.floor_ms, l.timeout_ms, p.top_t0, p.top_t1, l.day
    FROM int_lines l JOIN placed p ON p.row_id = l.row_id
    LEFT JOIN int_recoveries r ON r.row_id = p.top_row
    LEFT JOIN followed f ON f.row_id = p.row_id
    LEFT JOIN cached_answers o ON o.row_id = p.row_id
    LEFT JOIN delivering d ON d.exec_id = p.row_id
    UNION ALL
    SELECT -(l.next_row * 32 + l.n % 32), l.request_key, c.request_id, l.call_no, -(l.next_row * 32 + l.n % 32), l.n, l.n, false, true,
        l.cause = 'lost' AND coalesce(ms_between(l.gap_from, l.gap_to) >= l.timeout_ms, false),
        coalesce(l.gap_from, l.gap_to - INTERVAL 10 MINUTE), l.gap_to, true, l.gap_from IS NOT NULL, NULL,
        CASE WHEN l.cause = 'server_error' THEN 'server_error' ELSE 'timeout' END, NULL, false, false, true, false, false, false, false, true,
        l.provider, NULL, l.model_key, NULL, NULL, NULL, NULL, NULL, false, l.floor_ms,
        -- an attempt that was answered with an error did not time out, however long the gap
        CASE WHEN l.cause = 'lost' THEN l.timeout_ms END,
        coalesce(l.gap_from, l.gap_to), l.gap_to, l.day
    FROM int_lost_lines l JOIN int_calls c USING (request_key, call_no)
),
-- The order is that of the starts, told by narrow rows; the other columns are compared only where two began at one time.
begun AS (
    SELECT row_id AS exec_id, t0 FROM placed
    UNION ALL
    SELECT -(l.next_row * 32 + l.n % 32), coalesce(l.gap_from, l.gap_to - INTERVAL 10 MINUTE) FROM int_lost_lines l JOIN int_calls c USING (request_key, call_no)
),
timed AS MATERIALIZED (
    SELECT exec_id, rank() OVER (ORDER BY t0) AS ord, count(*) OVER (ORDER BY t0 RANGE BETWEEN CURRENT ROW AND CURRENT ROW) > 1 AS tied FROM begun
),
ties AS (
    SELECT exec_id, row_number() OVER (PARTITION BY t0 ORDER BY t1, request_key, call_no, app_n, n, inner_line, outcome, model_key, provider, receipt,
        input_tokens, output_tokens, elapsed_ms, idempotency_key, exec_id) AS place
    FROM every SEMI JOIN (FROM timed WHERE tied) s ON s.exec_id = every.exec_id
)
SELECT e.*, d.ord + coalesce(t.place - 1, 0) AS ord
FROM every e LEFT JOIN timed d ON d.exec_id = e.exec_id LEFT JOIN ties t ON t.exec_id = e.exec_id;
