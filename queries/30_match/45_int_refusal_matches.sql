-- int_refusal_matches: tier 3b, charges without output that only a refused attempt explains.
--
-- Why:    some vendors bill what they refused; that is theirs to give back.
-- Reads:  int_windows, int_prompts, int_charges, int_receipt_matches, int_number_matches,
--         int_success_matches, int_window_matches
-- Writes: int_refusal_matches
-- Grain:  charge_no, and (exec_id, book_provider, book)
-- Units:  ms
-- Params: none
-- Rule:   design section 3, step b: an attempt that was refused or never connected takes a
--         charge without output tokens that lies in its window and that no attempt which ran
--         could own (those have chosen before)
-- Look at: testdata/queries/int_refusal_matches/billed_429
CREATE OR REPLACE TABLE int_refusal_matches AS
WITH taken_before AS (
    SELECT charge_no, exec_id, book_provider, book FROM int_receipt_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_number_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_success_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_window_matches
),
pairs AS (
    SELECT c.charge_no, c.ord AS charge_ord, w.exec_id, w.book_provider, w.book, w.ord, abs(ms_between(w.expected, c.charged_at)) AS distance
    FROM int_charges c
    JOIN int_windows w ON w.request_id = c.request_id AND w.book_provider = c.book_provider AND w.book = c.book
    JOIN int_prompts p ON p.exec_id = w.exec_id AND p.book_provider = w.book_provider AND p.book = w.book
    ANTI JOIN taken_before tc ON tc.charge_no = c.charge_no
    ANTI JOIN taken_before ta ON ta.exec_id = w.exec_id AND ta.book_provider = w.book_provider AND ta.book = w.book
    WHERE c.executable AND NOT w.ran AND NOT w.succeeded AND NOT w.cached
      AND (c.output_tokens = 0 OR (c.output_tokens IS NULL AND c.itemised))
      AND agrees(w.idempotency_key, c.idempotency_key) AND agrees(w.model_key, c.model_key) AND agrees(p.input_tokens, nullif(c.input_tokens, 0))
      AND plus_ms(c.charged_at, w.resolution_ms) >= w.opens AND c.charged_at <= w.closes
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY charge_no ORDER BY distance, ord) AS by_charge,
        row_number() OVER (PARTITION BY exec_id, book_provider, book ORDER BY distance, charge_ord) AS by_attempt
    FROM pairs
)
SELECT charge_no, exec_id, book_provider, book FROM ranked WHERE by_charge = 1 AND by_attempt = 1;
