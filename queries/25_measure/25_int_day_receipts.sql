-- int_day_receipts: which kinds of receipt of a day's log stand in the bill.
--
-- Why:    a log may call another id a receipt than the bill does; only where they mean the same does
--         another receipt say that a charge is another execution's.
-- Reads:  int_candidate_pairs
-- Writes: int_day_receipts
-- Grain:  (book_provider, book, day, layer, receipt_shape)
-- Units:  day is the UTC day on which the attempts began; the shape is a receipt's length and its letters
--         ahead of a dash
-- Params: none
-- Rule:   design section 1, receipt; our choice: a day's own pairs tell, so that nothing far away
--         changes a verdict
-- Look at: testdata/queries/int_day_receipts/one_kind
CREATE OR REPLACE TABLE int_day_receipts AS
SELECT DISTINCT book_provider, book, day, layer, receipt_shape
FROM int_candidate_pairs WHERE receipt_shape IS NOT NULL;
