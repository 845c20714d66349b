-- rpt_explained_edges: what keeps a call that is told from being settled, book by book.
--
-- Why:    "unsettled" is of use only with the time at which it ends.
-- Reads:  rpt_explained_calls, int_windows, int_calibrations, int_books, int_calls, int_simple_pairs, int_charge_lines, src_attempts
-- Writes: rpt_explained_edges
-- Grain:  (request_key, call_no, book_provider, book)
-- Units:  settles_at by the bill's clock, UTC: a charge stamped then or later closes the edge;
--         NULL where the bill reaches far enough
-- Params: none
-- Rule:   design section 3, settled: the conditions of int_call_books and of fct_verdicts
-- Look at: testdata/queries/rpt_explained_edges/began_after_the_newest_charge
CREATE OR REPLACE TABLE rpt_explained_edges AS
WITH windows AS (
    SELECT w.request_key, w.call_no, w.book_provider, w.book, w.t0, w.day, w.t1 IS NULL AS endless, w.ran AND NOT w.lost AS counts
    FROM int_windows w
    UNION ALL
    SELECT a.request_id, 1, c.book_provider, c.book, s.t0, s.day, false, true
    FROM int_simple_pairs s JOIN src_attempts a ON a.row_id = s.attempt_row JOIN int_charge_lines c ON c.row_id = s.charge_row
)
SELECT w.request_key, w.call_no, w.book_provider, w.book, b.newest,
    coalesce(bool_or(w.counts AND w.endless), false) AS endless, coalesce(bool_or(i.doubtful), false) AS doubtful,
    max(plus_ms(w.t0, k.offset_ms - k.skew_ms - k.resolution_ms)) FILTER (WHERE w.counts
        AND plus_ms(w.t0, k.offset_ms) > plus_ms(b.reach, k.skew_ms + k.resolution_ms)) + (b.newest - b.reach) AS settles_at
FROM windows w
SEMI JOIN (SELECT * FROM rpt_explained_calls WHERE told) c ON c.request_key = w.request_key AND c.call_no = w.call_no
JOIN int_calibrations k ON k.book_provider = w.book_provider AND k.book = w.book AND k.day = w.day
JOIN int_books b ON b.book_provider = w.book_provider AND b.book = w.book
LEFT JOIN int_calls i ON i.request_key = w.request_key AND i.call_no = w.call_no
GROUP BY w.request_key, w.call_no, w.book_provider, w.book, b.newest, b.reach;
