-- int_open_slots: what is open at the calls of the log: the places that a strange charge can fill.
--
-- Why:    a call with nothing open owes nothing; what is open says when, for how much, and how
--         likely a charge is.
-- Reads:  int_windows, int_lent_prompts, int_executions, int_calls, int_charges, int_strange_charges,
--         int_receipt_matches, int_number_matches, int_success_matches, int_window_matches,
--         int_hidden_matches, int_answer_matches
-- Writes: int_open_slots
-- Grain:  slot_no; an execution has at most one slot of its own, two for what it hid, and a brief one
-- Units:  stamps by the bill's clock, UTC; ms; prior: how likely a slot is filled, before
--         the bill is looked at (our choice; measured over labelled worlds); brief: only a charge that
--         the bill says failed can fill it
-- Params: none
-- Rule:   design section 3, tier 4: calls with something open, an attempt that ran and has no
--         charge, or one long enough to hide a retry (step c). A call of which one charge bears
--         the request id has them all by it. gives: what a charge in the slot would be: an answer paid for, excess
--         beside a delivered answer, or paid for nothing. hint: the input tokens that another model of the call shows, where
--         those of this one are unknown: tokenizers differ by a few per cent
-- Empty:  NOT EXISTS (FROM int_strange_charges)
-- Look at: testdata/queries/int_open_slots/timed_out_and_answered
CREATE OR REPLACE TABLE int_open_slots AS
WITH by_id AS (
    SELECT charge_no, exec_id, book_provider, book FROM int_number_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_success_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_window_matches
),
own AS (
    SELECT m.exec_id, m.book_provider, m.book, c.charged_at AS own_at, c.generation_ms AS own_ms, c.output_tokens AS own_output, c.request_id
    FROM (FROM by_id UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_receipt_matches
          UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_answer_matches) m
    JOIN int_charges c USING (charge_no)
),
named_calls AS (
    SELECT w.request_key, w.call_no, w.book_provider, w.book
    FROM (FROM by_id UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_hidden_matches) m
    JOIN int_windows w ON w.exec_id = m.exec_id AND w.book_provider = m.book_provider AND w.book = m.book
    UNION ALL
    SELECT w.request_key, w.call_no, w.book_provider, w.book
    FROM int_receipt_matches m JOIN int_charges c USING (charge_no)
    JOIN int_windows w ON w.exec_id = m.exec_id AND w.book_provider = m.book_provider AND w.book = m.book
    WHERE c.request_id = w.request_id
),
books AS (
    SELECT DISTINCT book_provider, book FROM int_strange_charges
),
-- Nearly all calls are named, so the others are found by their keys, before anything else is looked at.
unnamed AS (
    SELECT w.exec_id, w.book_provider, w.book FROM int_windows w
    SEMI JOIN books b ON b.book_provider = w.book_provider AND b.book = w.book
    ANTI JOIN named_calls n ON n.request_key = w.request_key AND n.call_no = w.call_no AND n.book_provider = w.book_provider AND n.book = w.book
    WHERE NOT w.cached
),
executions AS MATERIALIZED (
    SELECT w.*, p.input_tokens AS prompt, min(p.input_tokens) OVER (PARTITION BY w.request_key, w.call_no) AS hint, e.outcome, e.start_known, e.ended, e.api_key, e.delivering, o.exec_id IS NOT NULL AS owns, o.own_at, o.own_ms, o.own_output,
        c.delivered_row IS NOT NULL AS delivered,
        CASE WHEN w.orders THEN w.opens ELSE w.t0 - INTERVAL 12 HOUR END AS from_at,
        CASE WHEN w.orders THEN w.closes ELSE coalesce(w.t1, w.t0) + INTERVAL 12 HOUR END AS to_at,
        -- the end by the bill's clock
        plus_ms(coalesce(w.t1, w.t0), ms_between(CASE WHEN w.stamp = 'end' THEN coalesce(w.t1, w.t0) ELSE w.t0 END, w.expected)) AS end_at
    FROM int_windows w
    SEMI JOIN unnamed u ON u.exec_id = w.exec_id AND u.book_provider = w.book_provider AND u.book = w.book
    JOIN int_lent_prompts p ON p.exec_id = w.exec_id AND p.book_provider = w.book_provider AND p.book = w.book
    JOIN int_executions e ON e.exec_id = w.exec_id
    JOIN int_calls c ON c.request_key = w.request_key AND c.call_no = w.call_no
    LEFT JOIN own o ON o.exec_id = w.exec_id AND o.book_provider = w.book_provider AND o.book = w.book
),
-- An execution's own charge.
own_slots AS (
    SELECT *, 0 AS nth, false AS brief, CASE
            WHEN succeeded THEN 'answer' WHEN NOT ran THEN 'refused' WHEN lost THEN 'lost' WHEN refused_late THEN 'hidden' ELSE 'own' END AS kind,
        CASE WHEN succeeded THEN 0.97 WHEN NOT ran THEN 0.05 WHEN lost THEN 0.5 WHEN refused_late THEN 0.2
             WHEN outcome = 'server_error' THEN 0.35 ELSE 0.75 END AS prior
    FROM executions
    WHERE NOT owns
),
-- What it hid: one that failed, or one that answered later than its own execution explains.
hidden_slots AS (
    SELECT e.*, i.nth, false AS brief, 'hidden' AS kind,
        CASE WHEN succeeded AND owns AND (own_ms IS NOT NULL OR stamp = 'start') AND resolution_ms <= 1000 THEN 0.6 WHEN succeeded AND coalesce(elapsed_ms > pace_ms * (own_output + 30), true) THEN 0.15
            WHEN succeeded THEN 0.04 WHEN prompt IS NULL THEN 0.18 ELSE 0.25 END / i.nth AS prior
    FROM executions e, (VALUES (1), (2)) i(nth)
    WHERE ran AND NOT lost AND coalesce(elapsed_ms >= least(floor_ms, 5000), true)
      AND (failed OR CASE
          WHEN NOT owns THEN elapsed_ms >= floor_ms
          WHEN own_ms IS NOT NULL THEN elapsed_ms > own_ms + greatest(500, noise_ms)
          WHEN stamp = 'start' AND orders AND resolution_ms <= 1000 THEN ms_between(expected, own_at) > greatest(400, noise_ms)
          ELSE elapsed_ms >= floor_ms END)
),
-- What failed within an answer too short to hide a timeout, where no stamp tells that the answer began late.
brief_slots AS (
    SELECT *, 1 AS nth, true AS brief, 'hidden' AS kind, 0.02 AS prior FROM executions
    WHERE succeeded AND owns AND own_ms IS NULL AND orders AND (stamp = 'end' OR resolution_ms > 0) AND elapsed_ms < floor_ms
      AND EXISTS (FROM int_strange_charges WHERE broken)
),
slots AS (
    FROM own_slots UNION ALL FROM hidden_slots UNION ALL FROM brief_slots
)
SELECT row_number() OVER (ORDER BY book_provider, book, ord, nth, brief) AS slot_no,
    exec_id, request_key, call_no, nth, kind, brief, book_provider, book, model_key, api_key, prompt AS input_tokens, hint, output_tokens, receipt, idempotency_key,
    CASE WHEN kind = 'refused' THEN 'refusal' WHEN kind = 'answer' OR outcome = 'recovered' THEN 'answer'
         WHEN delivered THEN 'excess' ELSE 'undelivered' END AS gives,
    succeeded, stamp, resolution_ms, noise_ms, skew_ms, tail_ms, orders, start_known AND NOT lost AS start_known, ended, expected, end_at, own_at, elapsed_ms, prior,
    -- stamps at the start: an attempt's own execution began with it
    CASE WHEN kind = 'own' AND stamp = 'start' AND orders AND start_known THEN plus_ms(expected, -skew_ms) ELSE from_at END AS opens,
    CASE WHEN kind = 'own' AND stamp = 'start' AND orders AND start_known THEN plus_ms(expected, skew_ms)
         WHEN brief THEN greatest(least(own_at, to_at), from_at)
         WHEN kind = 'hidden' AND succeeded AND owns AND stamp = 'start' AND orders AND resolution_ms <= 1000 THEN plus_ms(own_at, -400)
         -- what an SDK gave up inside a success may run on
         WHEN kind = 'hidden' AND succeeded AND stamp = 'end' AND orders AND elapsed_ms >= floor_ms THEN plus_ms(to_at, tail_ms)
         ELSE to_at END AS closes
FROM slots;
