-- int_known_receipts: the receipt that the charge of an execution must carry, where that is known.
--
-- Why:    a charge with another receipt is another execution's, however near it lies.
-- Reads:  int_windows, int_lines, int_charges, int_day_receipts
-- Writes: int_known_receipts
-- Grain:  (exec_id, book_provider, book)
-- Units:  none
-- Params: none
-- Rule:   design section 1, receipt. Logs and bills may call different ids a receipt, so it
--         counts only where a receipt of its kind, of the same request or of the same layer and
--         day, stands in the bill
-- Empty:  NOT EXISTS (FROM int_windows WHERE receipt IS NOT NULL)
-- Look at: testdata/queries/int_known_receipts/receipts_that_the_bill_knows
CREATE OR REPLACE TABLE int_known_receipts AS
WITH logged AS (
    SELECT w.exec_id, w.book_provider, w.book, w.request_key, w.receipt, receipt_shape(w.receipt) AS receipt_shape, l.layer, l.day
    FROM int_windows w JOIN int_lines l ON l.row_id = w.exec_id
    WHERE w.receipt IS NOT NULL
),
by_day AS (
    FROM logged SEMI JOIN int_day_receipts USING (layer, day, receipt_shape, book_provider, book)
),
-- Nearly always the day tells it; only for what is left are requests looked at.
rest AS (
    FROM logged ANTI JOIN int_day_receipts USING (layer, day, receipt_shape, book_provider, book)
),
requests AS (
    SELECT DISTINCT l.request_key, l.layer, l.receipt_shape, l.book_provider, l.book
    FROM logged l SEMI JOIN rest USING (request_key)
    JOIN int_charges c ON c.receipt = l.receipt AND c.book_provider = l.book_provider AND c.book = l.book
)
SELECT exec_id, book_provider, book, receipt FROM by_day
UNION ALL
SELECT exec_id, book_provider, book, receipt FROM rest SEMI JOIN requests USING (request_key, layer, receipt_shape, book_provider, book);
