-- src_retries_known: lines about retries that another file has brought already.
--
-- Why:    a log that has grown, and two copies of one, count each line once.
-- Reads:  src_retries, src_files
-- Writes: src_retries_known (temporary)
-- Grain:  row_id
-- Units:  none
-- Params: none
-- Rule:   design section 6: identical rows are known, as many as the file that has most of them
-- Look at: testdata/queries/src_retries_known/a_log_that_has_grown
CREATE OR REPLACE TEMP TABLE src_retries_known AS
WITH counted AS (
    SELECT row_id, file_no, retried_at, path, wait_ms, row_number() OVER (PARTITION BY file_no, retried_at, path, wait_ms ORDER BY row_id) AS occurrence
    FROM src_retries
)
SELECT row_id, file_no FROM counted
QUALIFY row_number() OVER (PARTITION BY retried_at, path, wait_ms, occurrence ORDER BY row_id) > 1;
DELETE FROM src_retries WHERE row_id IN (SELECT row_id FROM src_retries_known);
UPDATE src_files SET known = known + k.n, loaded = loaded - k.n
FROM (SELECT file_no, count(*) AS n FROM src_retries_known GROUP BY file_no) k WHERE src_files.file_no = k.file_no;
