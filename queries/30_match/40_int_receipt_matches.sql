-- int_receipt_matches: tier 1, the vendor's own id of the execution stands on both sides.
--
-- Why:    nothing identifies an execution better.
-- Reads:  int_windows, int_charges
-- Writes: int_receipt_matches
-- Grain:  charge_no, and (exec_id, book_provider, book)
-- Units:  none
-- Params: none
-- Rule:   design section 3, tier 1: equal receipts, or the charge id where that is what the
--         response header gives
-- Empty:  NOT EXISTS (FROM int_windows WHERE receipt IS NOT NULL)
-- Look at: testdata/queries/int_receipt_matches/charge_id_is_the_receipt
CREATE OR REPLACE TABLE int_receipt_matches AS
WITH pairs AS (
    SELECT c.charge_no, w.exec_id, w.book_provider, w.book, w.ord, c.ord AS charge_ord, CASE WHEN w.request_id = c.request_id THEN 2 ELSE 0 END
        + CASE WHEN w.input_tokens = c.input_tokens AND w.output_tokens = c.output_tokens THEN 1 ELSE 0 END AS fits
    FROM int_windows w JOIN int_charges c ON c.receipt = w.receipt AND c.book_provider = w.book_provider AND c.book = w.book
    WHERE c.executable AND NOT w.cached
    UNION
    SELECT c.charge_no, w.exec_id, w.book_provider, w.book, w.ord, c.ord, CASE WHEN w.request_id = c.request_id THEN 2 ELSE 0 END
        + CASE WHEN w.input_tokens = c.input_tokens AND w.output_tokens = c.output_tokens THEN 1 ELSE 0 END
    FROM int_windows w JOIN int_charges c ON c.charge_id = w.receipt AND c.book_provider = w.book_provider AND c.book = w.book
    WHERE c.executable AND NOT w.cached
),
ranked AS (
    SELECT charge_no, exec_id, book_provider, book,
        row_number() OVER (PARTITION BY charge_no ORDER BY fits DESC, ord) AS by_charge,
        row_number() OVER (PARTITION BY exec_id, book_provider, book ORDER BY fits DESC, charge_ord) AS by_attempt
    FROM pairs
)
SELECT charge_no, exec_id, book_provider, book FROM ranked WHERE by_charge = 1 AND by_attempt = 1;
