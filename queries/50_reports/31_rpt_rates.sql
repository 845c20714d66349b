-- rpt_rates: how often calls time out, how often the server had started, how calls multiply.
--
-- Why:    the cost model's parameters, measured.
-- Reads:  int_simple_pairs, int_lines, int_call_lines, int_executions,
--         int_matches, int_token_matches, fct_call_books, fct_verdicts, fct_calls, rpt_requests, src_attempts
-- Writes: rpt_rates
-- Grain:  one row
-- Units:  ratios, six decimals; NULL is not measurable
-- Params: period_asked, period_from, period_to
-- Rule:   design section 7: timeout_rate = timed-out / attempts; started_fraction = distinct
--         settled timed-out attempts that own a charge / those that a loaded bill would show
--         (section 5); executions = attempts that ran + hidden retries; where nothing ran at
--         all, amplification is the ratio of what was sent
-- Look at: testdata/queries/rpt_rates/one_timeout_in_four
CREATE OR REPLACE TABLE rpt_rates AS
WITH plain AS (
    SELECT count(*) AS attempts FROM int_simple_pairs s JOIN src_attempts a ON a.row_id = s.attempt_row
    WHERE getvariable('period_asked') IS NULL
       OR (coalesce(a.started_at, a.ended_at) >= CAST(getvariable('period_from') AS TIMESTAMP) AND coalesce(a.started_at, a.ended_at) < CAST(getvariable('period_to') AS TIMESTAMP))
),
in_report AS (
    SELECT request_key, call_no FROM fct_calls WHERE NOT simple
),
tops AS (
    SELECT l.row_id, cl.request_key, cl.call_no, l.outcome, l.provider, l.request_id IS NOT NULL OR l.receipt IS NOT NULL AS has_id,
        l.outcome = 'timeout' OR (l.outcome = 'unknown' AND l.t1 IS NULL) AS timed_out
    FROM int_call_lines cl JOIN int_lines l ON l.row_id = cl.row_id
    SEMI JOIN in_report r ON r.request_key = cl.request_key AND r.call_no = cl.call_no
),
careful AS (
    SELECT count(*) AS attempts, count(*) FILTER (WHERE timed_out) AS timeouts FROM tops
),
leaves AS (
    SELECT count(*) FILTER (WHERE NOT e.lost) AS sent,
        count(*) FILTER (WHERE e.ran AND (NOT e.lost OR m.exec_id IS NOT NULL)) AS ran
    FROM int_executions e
    SEMI JOIN in_report r ON r.request_key = e.request_key AND r.call_no = e.call_no
    LEFT JOIN (SELECT DISTINCT exec_id FROM int_matches WHERE NOT lead AND NOT hidden) m ON m.exec_id = e.exec_id
),
hidden AS (
    SELECT count(*) AS hidden FROM int_matches m SEMI JOIN in_report r ON r.request_key = m.request_key AND r.call_no = m.call_no
    WHERE m.hidden AND m.book = 'bill'
),
-- Of the timed-out attempts, those which a loaded bill of their provider covers and that
-- no late line can change. An attempt without any id is shown only where charges are matched by
-- tokens; such a match, or a lead, counts with its confidence, which has the unlogged traffic in it.
shown AS (
    SELECT t.row_id, max(CASE WHEN m.charge_no IS NULL THEN 0 WHEN m.match = 'tokens' THEN CAST(round(m.confidence * 1000) AS INTEGER) ELSE 1000 END) AS owns
    FROM tops t
    JOIN fct_call_books b ON b.request_key = t.request_key AND b.call_no = t.call_no AND b.book = 'bill' AND b.settled
        AND agrees(t.provider, nullif(b.book_provider, ''))
    LEFT JOIN int_matches m ON m.top_row = t.row_id AND m.book = 'bill' AND (NOT m.lead OR m.match = 'tokens')
    WHERE t.timed_out AND (t.has_id OR EXISTS (FROM int_token_matches WHERE NOT lead))
    GROUP BY t.row_id
),
started AS (
    SELECT count(*) AS shown, sum(owns) AS owners FROM shown
),
partial AS (
    SELECT count(*) FILTER (WHERE verdict = 'partial_tokens') AS partial, count(*) AS abandoned
    FROM (SELECT DISTINCT charge_no, verdict FROM fct_verdicts WHERE book = 'bill' AND settled AND verdict IN ('partial_tokens', 'timeout_retry'))
),
counts AS (
    SELECT p.attempts + c.attempts AS attempts, c.timeouts, p.attempts + l.ran + h.hidden AS executions, p.attempts + l.sent + h.hidden AS sent
    FROM plain p, careful c, leaves l, hidden h
)
SELECT ratio(c.timeouts, c.attempts) AS timeout_rate, ratio(s.owners, s.shown * 1000) AS started_fraction, ratio(f.partial, f.abandoned) AS partial_fraction,
    ratio(c.executions, r.total) AS executions_per_call,
    ratio(CASE WHEN c.executions = 0 THEN c.sent ELSE c.executions END, c.attempts) AS amplification,
    ratio(c.executions, r.succeeded) AS executions_per_delivered,
    c.attempts, c.timeouts, c.executions, s.shown AS shown_timeouts
FROM counts c, started s, partial f, rpt_requests r;
