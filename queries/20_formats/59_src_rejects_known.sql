-- src_rejects_known: lines that could not be read and that another file has brought already.
--
-- Why:    a log that grows has its bad lines in it each time; each counts once, as each row does.
-- Reads:  src_rejects (from which they go), src_files (in which they count as known)
-- Writes: src_rejects_known (temporary)
-- Grain:  reject_no, the place of the reject in its table: several records may begin in one line
-- Units:  none
-- Params: first_file: the number of the first file that this run has read
-- Rule:   as for rows (src_known): the n-th of a file meets the n-th of another. A bad line shows no time and no id, so
--         that only files are compared that share rows (one source) and whose times meet; of totals and of SDKs' lines, which
--         no source joins, files of one path. What an older file has keeps its place; among the files of one run the one that
--         comes first by hash has it
-- Look at: testdata/queries/src_rejects_known/a_log_that_grew, totals_and_brackets
CREATE OR REPLACE TEMP TABLE src_rejects_known AS
WITH fresh AS (
    SELECT source_no, path, role FROM src_files WHERE file_no >= setting('first_file')
),
lines AS (
    SELECT r.rowid AS reject_no, r.file_no, r.source_line, r.file_no >= setting('first_file') AS is_new,
        CASE WHEN f.role IN ('bills', 'retries') AND f.path IS NOT NULL THEN f.path ELSE 'source ' || f.source_no END AS source,
        f.role, f.first_at, f.last_at, f.sha256, reject_content(r.reject_column, r.reason, r.raw, r.file_no, r.source_line) AS content, f.joined
    FROM src_rejects r JOIN src_files f USING (file_no)
    WHERE f.source_no IN (SELECT source_no FROM fresh) OR f.path IN (SELECT path FROM fresh WHERE role IN ('bills', 'retries'))
),
counted AS (
    SELECT *, CASE WHEN joined THEN 1 ELSE row_number() OVER (PARTITION BY file_no, content ORDER BY source_line, reject_no) END AS occurrence
    FROM lines WHERE is_new
),
older AS (
    SELECT c.reject_no FROM counted c JOIN lines o ON NOT o.is_new AND o.source = c.source AND o.role = c.role AND o.content = c.content
        AND coalesce(o.first_at <= c.last_at AND o.last_at >= c.first_at, c.role IN ('bills', 'retries'))
    GROUP BY c.reject_no, c.occurrence HAVING count(*) >= c.occurrence
),
beside AS (
    SELECT c.reject_no FROM counted c JOIN counted o ON o.source = c.source AND o.role = c.role AND o.content = c.content
        AND o.occurrence = c.occurrence AND coalesce(o.first_at <= c.last_at AND o.last_at >= c.first_at, c.role IN ('bills', 'retries'))
        AND row(o.sha256, o.file_no, o.source_line, o.reject_no) < row(c.sha256, c.file_no, c.source_line, c.reject_no)
        AND o.file_no <> c.file_no
)
SELECT k.reject_no, c.file_no, c.source_line, c.content FROM (FROM older UNION FROM beside) k JOIN counted c USING (reject_no);
DELETE FROM src_rejects WHERE rowid IN (SELECT reject_no FROM src_rejects_known);
UPDATE src_files SET known = known + k.n, rejected = rejected - k.n
FROM (SELECT file_no, count(*) AS n FROM src_rejects_known GROUP BY file_no) k WHERE src_files.file_no = k.file_no;
