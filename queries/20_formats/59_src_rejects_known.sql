-- src_rejects_known: lines that could not be read and that another file has brought already.
--
-- Why:    a log that grows has its bad lines in it each time; each counts once, as each row does.
-- Reads:  src_rejects (from which they go), src_files (in which they count as known)
-- Writes: src_rejects_known (temporary)
-- Grain:  (file_no, source_line)
-- Units:  none
-- Params: first_file: the number of the first file that this run has read
-- Rule:   as for rows (src_known): the n-th of a file meets the n-th of another. A bad line shows no time and no id, so
--         that only files are compared that share rows (one source) and whose times meet. What an older file has keeps its
--         place; among the files of one run the one that comes first by hash has it
-- Look at: testdata/queries/src_rejects_known/a_log_that_grew
CREATE OR REPLACE TEMP TABLE src_rejects_known AS
WITH lines AS (
    SELECT r.file_no, r.source_line, r.file_no >= setting('first_file') AS is_new, f.source_no, f.role, f.first_at, f.last_at, f.sha256,
        md5(concat_ws(chr(10), r.reject_column, r.reason, coalesce(r.raw, 'line ' || r.source_line))) AS content, f.joined
    FROM src_rejects r JOIN src_files f USING (file_no)
    WHERE f.source_no IN (SELECT source_no FROM src_files WHERE file_no >= setting('first_file'))
),
counted AS (
    SELECT *, CASE WHEN joined THEN 1 ELSE row_number() OVER (PARTITION BY file_no, content ORDER BY source_line) END AS occurrence
    FROM lines WHERE is_new
),
older AS (
    SELECT c.file_no, c.source_line FROM counted c JOIN lines o ON NOT o.is_new AND o.source_no = c.source_no AND o.role = c.role AND o.content = c.content
        AND o.first_at <= c.last_at AND o.last_at >= c.first_at
    GROUP BY c.file_no, c.source_line, c.occurrence HAVING count(*) >= c.occurrence
),
beside AS (
    SELECT c.file_no, c.source_line FROM counted c JOIN counted o ON o.source_no = c.source_no AND o.role = c.role AND o.content = c.content
        AND o.occurrence = c.occurrence AND o.first_at <= c.last_at AND o.last_at >= c.first_at
        AND row(o.sha256, o.file_no, o.source_line) < row(c.sha256, c.file_no, c.source_line)
)
SELECT k.file_no, k.source_line, c.content FROM (FROM older UNION FROM beside) k JOIN counted c USING (file_no, source_line);
DELETE FROM src_rejects WHERE row(file_no, source_line) IN (SELECT row(file_no, source_line) FROM src_rejects_known);
UPDATE src_files SET known = known + k.n, rejected = rejected - k.n
FROM (SELECT file_no, count(*) AS n FROM src_rejects_known GROUP BY file_no) k WHERE src_files.file_no = k.file_no;
