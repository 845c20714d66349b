-- int_window_matches: tier 3b, the charges left go to attempts that ran and have none.
--
-- Why:    a timed-out attempt never saw its receipt or its tokens; its request, prompt and
--         time are what is left.
-- Reads:  int_windows, int_prompts, int_charges, int_receipt_matches, int_number_matches,
--         int_success_matches
-- Writes: int_window_matches
-- Grain:  charge_no, and (exec_id, book_provider, book)
-- Units:  ms
-- Params: none
-- Rule:   design section 3, step b: in time order, to the one whose window holds it, nearest
--         to the expected stamp; with its model and, where known, its input; stamps
--         permitting never to an attempt that began after it
-- Look at: testdata/queries/int_window_matches/nearest_of_two
CREATE OR REPLACE TABLE int_window_matches AS
WITH RECURSIVE taken_before AS (
    SELECT charge_no, exec_id, book_provider, book FROM int_receipt_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_number_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_success_matches
),
pairs AS (
    SELECT c.charge_no, c.ord AS charge_ord, c.request_id, w.book_provider, w.book, w.exec_id, w.ord,
        CASE WHEN w.expected BETWEEN c.charged_at AND plus_ms(c.charged_at, w.resolution_ms) THEN 0
             ELSE abs(ms_between(w.expected, c.charged_at)) END + CASE WHEN w.lost THEN w.noise_ms ELSE 0 END AS distance
    FROM int_charges c
    JOIN int_windows w ON w.request_id = c.request_id AND w.book_provider = c.book_provider AND w.book = c.book
    JOIN int_prompts p ON p.exec_id = w.exec_id AND p.book_provider = w.book_provider AND p.book = w.book
    ANTI JOIN taken_before tc ON tc.charge_no = c.charge_no
    ANTI JOIN taken_before ta ON ta.exec_id = w.exec_id AND ta.book_provider = w.book_provider AND ta.book = w.book
    WHERE c.executable AND w.ran AND NOT w.cached
      AND agrees(w.idempotency_key, c.idempotency_key) AND agrees(w.model_key, c.model_key) AND agrees(p.input_tokens, c.input_tokens)
      AND plus_ms(c.charged_at, w.resolution_ms) >= w.opens AND c.charged_at <= w.closes
),
wishes AS (
    SELECT charge_no, request_id, book_provider, book, min(charge_ord) AS charge_ord,
        list(exec_id ORDER BY distance, ord) AS wanted
    FROM pairs GROUP BY charge_no, request_id, book_provider, book
),
queued AS (
    SELECT *, row_number() OVER (PARTITION BY request_id, book_provider, book ORDER BY charge_ord) AS place FROM wishes
),
contested AS (
    SELECT request_id, book_provider, book FROM queued
    GROUP BY request_id, book_provider, book HAVING count(DISTINCT wanted[1]) < count(*)
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
