-- src_numbers: notes from what the attempt numbers of one file count.
--
-- Why:    asked before known rows go, since what is new in a file may begin at 1.
-- Reads:  src_attempts, src_charges
-- Writes: src_numbers
-- Grain:  (file_no, layer, counts_from)
-- Units:  none
-- Params: file_no
-- Rule:   design section 3, tier 2: the lowest number of the source tells
-- Look at: testdata/queries/src_numbers/each_layer_for_itself
INSERT INTO src_numbers
SELECT file_no, layer, counts_from, min(attempt), max(attempt)
FROM src_attempts WHERE file_no = setting('file_no') GROUP BY file_no, layer, counts_from
UNION ALL
SELECT file_no, '', counts_from, min(attempt), max(attempt)
FROM src_charges WHERE file_no = setting('file_no') GROUP BY file_no, counts_from;
