-- rpt_cost_attempts: the application's attempts that could have been executed, by their number.
--
-- Why:    the cost model asks how often the k-th execution times out if those before did, and
--         how often the server had started it.
-- Reads:  fct_calls, int_call_lines, int_lines, fct_call_books, int_matches, fct_charges, int_charges
-- Writes: rpt_cost_attempts
-- Grain:  row_id (of attempts of the careful kind: the plain ones were all answered)
-- Units:  UTC; k from 1; hour is that in which the attempt began; waited_ms until it timed out
-- Params: period_asked, period_from, period_to
-- Rule:   design section 5; a timeout is one as in rpt_rates, an attempt without an end as well;
--         attempts that were refused are no executions and are passed over. shown: a settled
--         timeout with an id that a loaded bill would show; owns: a charge of the bill is its own.
--         delivered is the call's; answered: the charge paid for the answer after all (a status
--         query fetched it, or the vendor answered the retry from it). ran_on: what it owns ran to its
--         end, as a finish reason says; timed: the bill says how long that took, and in_time:
--         no longer than twice what the attempt waited
-- Look at: testdata/queries/rpt_cost_attempts/timed_out_twice
CREATE OR REPLACE TABLE rpt_cost_attempts AS
WITH tops AS (
    SELECT l.row_id, cl.request_key, cl.call_no, cl.place, l.t0, l.provider, l.model_key, l.layer, c.state = 'succeeded' AS delivered,
        CASE WHEN l.t1 > l.t0 THEN ms_between(l.t0, l.t1) END AS waited_ms, l.request_id IS NOT NULL OR l.receipt IS NOT NULL AS has_id,
        l.outcome = 'timeout' OR (l.outcome = 'unknown' AND l.t1 IS NULL) AS timed_out, l.ran
    FROM int_call_lines cl
    JOIN int_lines l ON l.row_id = cl.row_id
    JOIN fct_calls c ON c.request_key = cl.request_key AND c.call_no = cl.call_no AND NOT c.simple
    WHERE l.kind = 'call'
      AND (getvariable('period_asked') IS NULL
        OR (c.first_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND c.first_at < CAST(getvariable('period_to') AS TIMESTAMP)))
),
numbered AS (
    SELECT *, row_number() OVER calls AS k,
        coalesce(bool_and(timed_out) OVER (PARTITION BY request_key, call_no ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), true) AS reached
    FROM tops WHERE ran OR timed_out
    WINDOW calls AS (PARTITION BY request_key, call_no ORDER BY place)
),
shown AS (
    SELECT n.row_id, bool_or(m.charge_no IS NOT NULL) AS owns, bool_or(f.verdict = 'delivered') AS answered,
        bool_or(finished(c.finish_reason) AND NOT c.cancelled) AS ran_on,
        bool_or(c.generation_ms IS NOT NULL AND n.waited_ms IS NOT NULL) AS timed,
        bool_or(c.generation_ms <= 2 * n.waited_ms AND NOT c.cancelled AND f.verdict <> 'partial_tokens') AS in_time
    FROM numbered n
    JOIN fct_call_books b ON b.request_key = n.request_key AND b.call_no = n.call_no AND b.book = 'bill' AND b.settled
        AND agrees(n.provider, nullif(b.book_provider, ''))
    LEFT JOIN int_matches m ON m.top_row = n.row_id AND m.book = 'bill' AND NOT m.lead
    LEFT JOIN fct_charges f ON f.charge_no = m.charge_no
    LEFT JOIN int_charges c ON c.charge_no = m.charge_no AND NOT m.hidden
    WHERE n.timed_out AND n.has_id
    GROUP BY n.row_id
)
SELECT n.row_id, n.request_key, n.call_no, n.k, date_trunc('hour', n.t0) AS hour, n.t0, coalesce(n.provider, '') AS provider,
    coalesce(n.model_key, '') AS model, n.layer, n.delivered, n.timed_out, n.reached, s.row_id IS NOT NULL AS shown, coalesce(s.owns, false) AS owns,
    coalesce(s.answered, false) AS answered, coalesce(s.ran_on, false) AS ran_on, coalesce(s.timed, false) AS timed, coalesce(s.in_time, false) AS in_time, n.waited_ms
FROM numbered n LEFT JOIN shown s ON s.row_id = n.row_id;
