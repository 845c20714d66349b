-- int_executions: what could own a charge: the innermost lines of each attempt, and the
-- attempts whose lines were lost.
--
-- Why:    a parent owns no charge, its executions do; everything after this joins on these.
-- Reads:  int_lines, int_attempt_copies, int_line_parents, int_call_lines, int_calls,
--         int_recoveries, int_lost_lines
-- Writes: int_executions
-- Grain:  exec_id (the row_id of the line; negative for a lost one)
-- Units:  UTC, ms; ord puts them in an order that does not hang on the lines' order; it breaks
--         every tie below
-- Params: none
-- Rule:   design section 3, (2), (4) and (5): the outer line's outcome decides whether the
--         call was delivered, and what became of the attempt; an attempt without an end that a later one replaced counts
--         as timed out; one receipt under two requests is a cached answer, and the first
--         owes the charge
-- Look at: testdata/queries/int_executions/gateway_lines_under_an_app_line
CREATE OR REPLACE TABLE int_executions AS
WITH nodes AS (
    SELECT l.*, coalesce(p2.parent_row, p1.parent_row, l.row_id) AS top_row, p1.parent_row IS NOT NULL AS inner_line
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
        FROM leaves WHERE receipt IN (SELECT receipt FROM leaves WHERE receipt IS NOT NULL GROUP BY receipt HAVING count(*) > 1))
    WHERE place > 1
),
placed AS (
    SELECT e.*, cl.call_no, cl.place, top.n AS app_n, top.t0 AS top_t0, top.t1 AS top_t1,
        CASE WHEN top.t1 IS NULL AND top.outcome = 'unknown' AND cl.place < c.last_place THEN 'timeout' ELSE top.outcome END AS top_outcome,
        top.succeeded AS top_succeeded, top.refused AS top_refused, top.refused_late AS top_refused_late,
        top.never_connected AS top_never_connected, r.recovered_at, c.last_place,
        c.delivered_row = e.top_row AS top_delivered,
        lead(e.t0) OVER (PARTITION BY e.request_key, cl.call_no ORDER BY cl.place, e.t0, e.row_id) AS next_t0,
        o.row_id IS NOT NULL AS cached
    FROM leaves e
    JOIN int_call_lines cl ON cl.row_id = e.top_row
    JOIN int_calls c ON c.request_key = cl.request_key AND c.call_no = cl.call_no
    JOIN int_lines top ON top.row_id = e.top_row
    LEFT JOIN int_recoveries r ON r.row_id = e.top_row
    LEFT JOIN cached_answers o ON o.row_id = e.row_id
),
-- Of the leaves of the attempt that delivered, one is the delivering execution.
delivering AS (
    SELECT arg_max(row_id, row(succeeded, coalesce(t1, t0), row_id)) AS exec_id
    FROM placed WHERE top_delivered GROUP BY request_key, call_no
),
every AS (
    SELECT row_id AS exec_id, request_key, request_id, call_no, top_row, app_n, n, inner_line, false AS lost, NULL AS lost_timed_out,
        t0, coalesce(t1, CASE WHEN place < last_place THEN next_t0 END) AS t1, t1 IS NOT NULL AS ended, start_known, elapsed_ms,
        CASE WHEN recovered_at IS NOT NULL THEN 'recovered'
             WHEN NOT top_succeeded AND (succeeded OR inner_line) THEN top_outcome
             WHEN top_row = row_id THEN top_outcome
             ELSE outcome END AS outcome,
        stage, succeeded AND top_succeeded AS succeeded, exec_id IS NOT NULL AS delivering,
        ran, refused, refused_late, top_refused, never_connected,
        NOT succeeded OR top_outcome <> 'success' AS failed,
        provider, model, model_key, receipt, idempotency_key, api_key, input_tokens, output_tokens,
        cached, floor_ms, timeout_ms, top_t0, top_t1
    FROM placed LEFT JOIN delivering ON exec_id = row_id
    UNION ALL
    SELECT -(l.next_row * 32 + l.n % 32), l.request_key, c.request_id, l.call_no, -(l.next_row * 32 + l.n % 32), l.n, l.n, false, true,
        l.cause = 'lost' AND coalesce(ms_between(l.gap_from, l.gap_to) >= l.timeout_ms, false),
        coalesce(l.gap_from, l.gap_to - INTERVAL 10 MINUTE), l.gap_to, true, l.gap_from IS NOT NULL, NULL,
        CASE WHEN l.cause = 'server_error' THEN 'server_error' ELSE 'timeout' END, NULL, false, false, true, false, false, false, false, true,
        l.provider, NULL, l.model_key, NULL, NULL, NULL, NULL, NULL, false, l.floor_ms,
        -- an attempt that was answered with an error did not time out, however long the gap
        CASE WHEN l.cause = 'lost' THEN l.timeout_ms END,
        coalesce(l.gap_from, l.gap_to), l.gap_to
    FROM int_lost_lines l JOIN int_calls c USING (request_key, call_no)
)
SELECT *, row_number() OVER (ORDER BY t0, t1, request_key, call_no, app_n, n, inner_line, outcome, model_key, provider, receipt,
    input_tokens, output_tokens, elapsed_ms, idempotency_key, exec_id) AS ord
FROM every;
