-- int_known_receipts: the receipt that the charge of an execution must carry, where that is known.
--
-- Why:    a charge with another receipt is another execution's, however near it lies.
-- Reads:  int_windows, int_lines, int_charges, int_candidate_pairs, src_attempts
-- Writes: int_known_receipts
-- Grain:  (exec_id, book_provider, book)
-- Units:  none
-- Params: none
-- Rule:   design section 1, receipt. Logs and bills may call different ids a receipt, so it
--         counts only where some receipt of the same log file and layer stands in the bill
-- Look at: testdata/queries/int_known_receipts/receipts_that_the_bill_knows
CREATE OR REPLACE TABLE int_known_receipts AS
WITH logged AS (
    SELECT w.exec_id, w.book_provider, w.book, w.receipt, l.file_no, l.layer
    FROM int_windows w JOIN int_lines l ON l.row_id = w.exec_id
    WHERE w.receipt IS NOT NULL
),
sources AS (
    SELECT DISTINCT file_no, layer FROM logged
),
shared AS (
    SELECT l.file_no, l.layer, l.book_provider, l.book
    FROM logged l JOIN int_charges c ON c.receipt = l.receipt AND c.book_provider = l.book_provider AND c.book = l.book
    UNION
    SELECT a.file_no, a.layer, p.book_provider, p.book
    FROM int_candidate_pairs p JOIN src_attempts a ON a.row_id = p.attempt_row
    SEMI JOIN sources s ON s.file_no = a.file_no AND s.layer = a.layer
    WHERE p.logged_receipt = p.billed_receipt
)
SELECT exec_id, book_provider, book, receipt FROM logged JOIN shared USING (file_no, layer, book_provider, book);
