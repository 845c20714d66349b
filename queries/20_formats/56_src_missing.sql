-- src_missing: rows that an earlier content of a file had and the new one has no more.
--
-- Why:    a bill that shrinks or is rewritten is worth a word; its rows stay all the same.
-- Reads:  src_files, src_known, src_attempts, src_charges
-- Writes: src_missing (temporary)
-- Grain:  file_no of the new content
-- Units:  n counts rows; run_no is the last run that had read an earlier content
-- Params: first_file
-- Rule:   our choice: only from the first time of the new content on, so that a log that was
--         rotated, or a bill that begins a month later, is missed by nobody
-- Look at: testdata/queries/src_missing/a_bill_that_shrank
CREATE OR REPLACE TEMP TABLE src_missing AS
WITH pairs AS (
    SELECT n.file_no, n.first_at, o.file_no AS old_no, o.last_at, o.run_no
    FROM src_files n JOIN src_files o ON o.path = n.path AND o.role = n.role AND o.file_no < n.file_no AND o.last_at >= n.first_at
    WHERE n.file_no >= setting('first_file') AND o.file_no < setting('first_file')
),
gone AS (
    SELECT p.file_no, p.run_no FROM pairs p JOIN src_attempts a ON a.file_no = p.old_no
    WHERE coalesce(a.ended_at, a.started_at) BETWEEN p.first_at AND p.last_at
        AND a.row_id NOT IN (SELECT stands FROM src_known WHERE role = 'attempts')
    UNION ALL
    SELECT p.file_no, p.run_no FROM pairs p JOIN src_charges c ON c.file_no = p.old_no
    WHERE c.charged_at BETWEEN p.first_at AND p.last_at AND c.superseded_by IS NULL
        AND c.row_id NOT IN (SELECT stands FROM src_known WHERE role = 'charges')
)
SELECT file_no, count(*) AS n, max(run_no) AS run_no FROM gone GROUP BY file_no;
