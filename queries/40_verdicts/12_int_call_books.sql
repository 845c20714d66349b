-- int_call_books: what each call looks like in each book that could bill it.
--
-- Why:    who delivered, which charge pays for that, and whether late lines can still come.
-- Reads:  int_calls, int_windows, int_executions, int_matches, int_charges
-- Writes: int_call_books
-- Grain:  (request_key, call_no, book_provider, book)
-- Units:  tokens; closed: nothing in the log can change its end any more; settles_at by the bill's
--         clock, UTC: what the bill must reach for the call to be settled
-- Params: none
-- Rule:   design section 4, delivered (stands_in) and partial_tokens; section 3, settled: a
--         call without an end is open, and so is one of a fan-out whose retries nothing tells apart.
--         How far the bill reaches is no fact of the call and is asked later (fct_call_books)
-- Look at: testdata/queries/int_call_books/vendor_that_deduplicates
CREATE OR REPLACE TABLE int_call_books AS
WITH delivering AS (
    SELECT w.request_key, w.call_no, w.book_provider, w.book, w.exec_id, w.output_tokens AS logged_output,
        m.charge_no, c.output_tokens AS billed_output
    FROM int_windows w
    JOIN int_executions e ON e.exec_id = w.exec_id AND e.delivering
    LEFT JOIN int_matches m ON m.exec_id = w.exec_id AND m.book_provider = w.book_provider AND m.book = w.book AND NOT m.hidden
    LEFT JOIN int_charges c ON c.charge_no = m.charge_no
),
-- A vendor that deduplicated bills the first execution; its charge pays for the delivery.
stand_ins AS (
    SELECT d.request_key, d.call_no, d.book_provider, d.book,
        arg_max(c.charge_no, row(coalesce(c.output_tokens, -1), -epoch_us(c.charged_at), -c.ord)) AS charge_no
    FROM delivering d
    JOIN int_matches m ON m.request_key = d.request_key AND m.call_no = d.call_no AND m.book_provider = d.book_provider AND m.book = d.book
    JOIN int_executions e ON e.exec_id = m.exec_id
    JOIN int_charges c ON c.charge_no = m.charge_no
    WHERE d.charge_no IS NULL AND NOT m.lead AND (e.ran OR e.succeeded)
    GROUP BY d.request_key, d.call_no, d.book_provider, d.book
),
-- The answer itself may stand in another vendor's book: the call was rerouted.
elsewhere AS (
    SELECT request_key, call_no, book, max(exec_id) AS exec_id, max(charge_no) AS charge_no,
        max(billed_output) AS billed_output, max(logged_output) AS logged_output
    FROM delivering GROUP BY request_key, call_no, book
),
-- Attempts without a line that a charge shows; few, so that only they are looked up among the matches.
lost AS (
    SELECT w.request_key, w.call_no, w.book_provider, w.book, count(DISTINCT w.top_row) AS ran
    FROM int_windows w JOIN int_matches m ON m.exec_id = w.exec_id AND m.book_provider = w.book_provider AND m.book = w.book
    WHERE w.lost AND NOT m.lead
    GROUP BY w.request_key, w.call_no, w.book_provider, w.book
),
edges AS (
    SELECT w.request_key, w.call_no, w.book_provider, w.book, bool_or(w.ran AND NOT w.lost AND w.t1 IS NULL) AS endless,
        max(plus_ms(w.t0, w.offset_ms - w.skew_ms - w.resolution_ms)) FILTER (WHERE w.ran AND NOT w.lost) AS settles_at
    FROM int_windows w GROUP BY w.request_key, w.call_no, w.book_provider, w.book
)
SELECT e.request_key, e.call_no, e.book_provider, e.book, c.state, c.app_ran + coalesce(l.ran, 0) AS app_ran,
    c.delivered_row IS NOT NULL AS delivered, coalesce(d.exec_id, x.exec_id) AS delivering_exec,
    coalesce(d.charge_no, s.charge_no, x.charge_no) AS delivered_charge, s.charge_no AS stand_in,
    coalesce(d.billed_output, sc.output_tokens, x.billed_output, d.logged_output, x.logged_output) AS delivered_output,
    c.state IN ('succeeded', 'failed') AND NOT e.endless AND NOT c.doubtful AS closed, e.settles_at
FROM edges e
JOIN int_calls c ON c.request_key = e.request_key AND c.call_no = e.call_no
LEFT JOIN lost l ON l.request_key = e.request_key AND l.call_no = e.call_no AND l.book_provider = e.book_provider AND l.book = e.book
LEFT JOIN delivering d ON d.request_key = e.request_key AND d.call_no = e.call_no AND d.book_provider = e.book_provider AND d.book = e.book
LEFT JOIN stand_ins s ON s.request_key = e.request_key AND s.call_no = e.call_no AND s.book_provider = e.book_provider AND s.book = e.book
LEFT JOIN elsewhere x ON x.request_key = e.request_key AND x.call_no = e.call_no AND x.book = e.book
LEFT JOIN int_charges sc ON sc.charge_no = s.charge_no;
