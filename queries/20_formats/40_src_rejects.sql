-- src_rejects: takes the rows of one file that could not be read out of the tables.
--
-- Why:    read = loaded + known + ignored + rejected must hold line by line.
-- Reads:  src_attempts, src_charges, src_bills, src_retries
-- Writes: src_rejects
-- Grain:  (file_no, source_line)
-- Units:  none
-- Params: file_no
-- Rule:   design section 6
-- Look at: testdata/queries/src_rejects/two_of_three
INSERT INTO src_rejects
SELECT file_no, source_line, reject_column, reject_reason, NULL
FROM src_attempts WHERE file_no = setting('file_no') AND reject_reason IS NOT NULL
UNION ALL
SELECT file_no, source_line, reject_column, reject_reason, NULL
FROM src_charges WHERE file_no = setting('file_no') AND reject_reason IS NOT NULL
UNION ALL
SELECT file_no, source_line, reject_column, reject_reason, NULL
FROM src_bills WHERE file_no = setting('file_no') AND reject_reason IS NOT NULL
UNION ALL
SELECT file_no, source_line, reject_column, reject_reason, NULL
FROM src_retries WHERE file_no = setting('file_no') AND reject_reason IS NOT NULL;
DELETE FROM src_attempts WHERE file_no = setting('file_no') AND reject_reason IS NOT NULL;
DELETE FROM src_charges WHERE file_no = setting('file_no') AND reject_reason IS NOT NULL;
DELETE FROM src_bills WHERE file_no = setting('file_no') AND reject_reason IS NOT NULL;
DELETE FROM src_retries WHERE file_no = setting('file_no') AND reject_reason IS NOT NULL;
