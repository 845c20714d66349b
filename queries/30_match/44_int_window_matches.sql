-- int_window_matches: tier 3b, the charges left go to attempts that have none.
--
-- Why:    a timed-out attempt never saw its receipt or its tokens; its request, prompt and
--         time are what is left. Some vendors bill what they refused; that is theirs to give
--         back.
-- Reads:  int_windows, int_prompts, int_charges, int_receipt_matches, int_number_matches,
--         int_success_matches, int_known_receipts, int_calibrations, int_calls
-- Writes: int_window_matches
-- Grain:  charge_no, and (exec_id, book_provider, book)
-- Units:  ms
-- Params: none
-- Rule:   design section 3, step b: in time order, to the one that ran whose window holds it,
--         nearest to the expected stamp; with its model and, where known, its input; stamps
--         permitting never to an attempt that began after it, and to none whose own stamp has
--         a nearer charge. A retry repeats its prompt: where only the bill tells a call's
--         prompt, it is that of the charge nearest to a stamp of the call. What was refused or
--         never connected takes a charge without output in its window that no attempt which
--         ran could own: where it is the nearest, that is none that has a nearer charge, or
--         whose measured stamp rules it out
-- Empty:  NOT EXISTS (SELECT 1 FROM int_charges c ANTI JOIN (SELECT charge_no FROM int_receipt_matches UNION ALL SELECT charge_no
--         FROM int_number_matches UNION ALL SELECT charge_no FROM int_success_matches) t ON t.charge_no = c.charge_no WHERE
--         c.executable AND c.request_id IS NOT NULL)
-- Look at: testdata/queries/int_window_matches/nearest_of_two, billed_429_a_second_before
CREATE OR REPLACE TABLE int_window_matches AS
WITH RECURSIVE taken_before AS (
    SELECT charge_no, exec_id, book_provider, book FROM int_receipt_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_number_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_success_matches
),
-- What is left on both sides is a fraction, so it is found before the two meet.
free_charges AS MATERIALIZED (
    SELECT c.charge_no, c.ord, c.charged_at, c.request_id, c.book_provider, c.book, c.model_key, c.input_tokens, c.output_tokens, c.itemised, c.receipt, c.idempotency_key
    FROM int_charges c ANTI JOIN taken_before t ON t.charge_no = c.charge_no
    WHERE c.executable AND c.request_id IS NOT NULL
),
free_windows AS MATERIALIZED (
    SELECT w.exec_id, w.ord, w.request_id, w.request_key, w.call_no, w.book_provider, w.book, w.day, w.ran, w.succeeded, w.lost, w.orders, w.model_key, w.idempotency_key,
        w.stamp, w.skew_ms, w.resolution_ms, w.noise_ms, w.expected, w.opens, w.closes
    FROM int_windows w ANTI JOIN taken_before t ON t.exec_id = w.exec_id AND t.book_provider = w.book_provider AND t.book = w.book
    WHERE NOT w.cached AND w.request_id IS NOT NULL
),
candidates AS (
    SELECT c.charge_no, c.ord AS charge_ord, c.charged_at, c.request_id, w.request_key, w.call_no, w.book_provider, w.book, w.exec_id, w.ord, w.ran, w.orders,
        coalesce(w.model_key, c.model_key, '') AS prompt_model, p.input_tokens AS known_input, nullif(c.input_tokens, 0) AS billed_input,
        coalesce(w.idempotency_key = c.idempotency_key, false) AS same_key,
        coalesce(k.measurable AND w.orders AND NOT w.lost, false) AS measured, w.stamp, w.skew_ms,
        w.expected <= plus_ms(w.opens, w.skew_ms) AS start_known,
        plus_ms(c.charged_at, w.resolution_ms) < plus_ms(w.opens, w.skew_ms - w.noise_ms) AS before_it_began,
        ms_from_stamp(w.expected, c.charged_at, w.resolution_ms) + CASE WHEN w.lost THEN w.noise_ms ELSE 0 END AS distance
    FROM free_charges c
    JOIN free_windows w ON w.request_id = c.request_id AND w.book_provider = c.book_provider AND w.book = c.book
    JOIN int_prompts p ON p.exec_id = w.exec_id AND p.book_provider = w.book_provider AND p.book = w.book
    LEFT JOIN int_known_receipts r ON r.exec_id = w.exec_id AND r.book_provider = w.book_provider AND r.book = w.book
    LEFT JOIN int_calibrations k ON k.book_provider = w.book_provider AND k.book = w.book AND k.day = w.day
    WHERE (w.ran OR (NOT w.succeeded AND (c.output_tokens = 0 OR (c.output_tokens IS NULL AND c.itemised))))
      AND agrees(r.receipt, c.receipt) AND agrees(w.idempotency_key, c.idempotency_key) AND agrees(w.model_key, c.model_key)
      AND agrees(p.input_tokens, CASE WHEN w.ran THEN c.input_tokens ELSE nullif(c.input_tokens, 0) END)
      AND plus_ms(c.charged_at, w.resolution_ms) >= w.opens AND c.charged_at <= w.closes
),
-- A call whose prompt only the bill tells: the charge and the attempt that lie nearest to each
-- other tell it, those of one key first. Not where attempts may have been laid to a wrong call.
nearest AS (
    SELECT *, row_number() OVER (PARTITION BY charge_no ORDER BY distance, ran DESC, ord) AS by_charge,
        row_number() OVER (PARTITION BY exec_id, book_provider, book ORDER BY distance, charge_ord) AS by_attempt
    FROM candidates ANTI JOIN (FROM int_calls WHERE doubtful) d ON d.request_key = candidates.request_key
    WHERE known_input IS NULL AND orders
),
told AS (
    SELECT request_key, call_no, prompt_model, book_provider, book,
        arg_min(billed_input, row(NOT same_key, distance, charge_ord)) AS input_tokens
    FROM nearest WHERE by_charge = 1 AND by_attempt = 1 AND ran AND billed_input IS NOT NULL
    GROUP BY ALL
),
placed AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.charge_no ORDER BY distance, ran DESC, ord) = 1 AS at_home,
        min(CASE WHEN NOT ran THEN distance END) OVER (PARTITION BY c.charge_no) AS to_refused
    FROM candidates c
    LEFT JOIN told t ON t.request_key = c.request_key AND t.call_no = c.call_no AND t.prompt_model = c.prompt_model
        AND t.book_provider = c.book_provider AND t.book = c.book
    WHERE c.known_input IS NOT NULL OR agrees(t.input_tokens, c.billed_input)
),
pairs AS (
    SELECT * FROM (
        SELECT *, min(CASE WHEN at_home THEN distance END) OVER (PARTITION BY exec_id, book_provider, book) AS own_distance FROM placed)
    WHERE NOT ran OR NOT coalesce(
        -- it has a charge that lies nearer to its stamp, and this one lies nearer to another's
        (orders AND NOT at_home AND own_distance < distance)
        -- a refused attempt is nearer, and this one's measured stamp rules the charge out
        OR (to_refused < distance AND measured AND (before_it_began OR (stamp = 'start' AND start_known AND distance > skew_ms))), false)
),
wishes AS (
    SELECT charge_no, request_id, book_provider, book, min(charge_ord) AS charge_ord,
        list(exec_id ORDER BY ran DESC, distance, ord) AS wanted
    FROM pairs GROUP BY charge_no, request_id, book_provider, book
),
queued AS (
    SELECT *, row_number() OVER (PARTITION BY request_id, book_provider, book ORDER BY charge_ord) AS place FROM wishes
),
contested AS (
    SELECT request_id, book_provider, book FROM queued
    GROUP BY request_id, book_provider, book, wanted[1] HAVING count(*) > 1
),
walk AS (
    SELECT q.request_id, q.book_provider, q.book, q.charge_no, q.place, q.wanted[1] AS exec_id, [q.wanted[1]] AS taken
    FROM queued q SEMI JOIN contested c ON c.request_id = q.request_id AND c.book_provider = q.book_provider AND c.book = q.book
    WHERE q.place = 1
    UNION ALL
    SELECT request_id, book_provider, book, charge_no, place, choice, CASE WHEN choice IS NULL THEN taken ELSE list_append(taken, choice) END
    FROM (
        SELECT q.*, w.taken, list_filter(q.wanted, lambda x: NOT list_contains(w.taken, x))[1] AS choice
        FROM walk w JOIN queued q ON q.request_id = w.request_id AND q.book_provider = w.book_provider AND q.book = w.book
            AND q.place = w.place + 1
    )
)
SELECT q.charge_no, q.wanted[1] AS exec_id, q.book_provider, q.book
FROM queued q ANTI JOIN contested c ON c.request_id = q.request_id AND c.book_provider = q.book_provider AND c.book = q.book
UNION ALL
SELECT charge_no, exec_id, book_provider, book FROM walk WHERE exec_id IS NOT NULL;
