-- src_rejects_mended: lines that could not be read, and that a newer content of their file has whole.
--
-- Why:    who mends a line and delivers the file again has a complete bill; "at least" would be said of it for ever.
-- Reads:  src_rejects (from which they go), src_rejects_known, src_files (in which they count as known), src_known, src_contents, src_attempts, src_charges
-- Writes: src_rejects_mended (temporary)
-- Grain:  (file_no, source_line)
-- Units:  none
-- Params: first_file
-- Rule:   our choice, and a careful one: the newer content stands under the same path, is as long at least, reaches as far at both
--         ends, has every row of the older one, no longer this line as a bad one, and in its place a row that is new. Or a row that another file has brought: if
--         the bad line names its charge or its receipt, or if a row after it has kept its line. A log that
--         was rotated, and a bill from which the line was taken out, mend nothing. The line then counts as known: the newer
--         content has it
-- Look at: testdata/queries/src_rejects_mended/a_line_that_was_mended, another_file_had_the_row
CREATE OR REPLACE TEMP TABLE src_rejects_mended AS
WITH pairs AS (
    SELECT n.file_no, o.file_no AS old_no
    FROM src_files n JOIN src_files o ON o.path = n.path AND o.role = n.role AND o.file_no < n.file_no
        AND n.first_at <= o.first_at AND n.last_at >= o.last_at AND n.read >= o.read
    WHERE n.file_no >= setting('first_file') AND o.file_no < setting('first_file') AND o.rejected > 0 AND n.known > 0 AND coalesce(o.gone, 0) = 0
),
missing AS (
    SELECT p.file_no, p.old_no FROM pairs p JOIN src_attempts a ON a.file_no = p.old_no
    WHERE NOT EXISTS (SELECT 1 FROM src_known k WHERE k.role = 'attempts' AND k.stands = a.row_id AND k.file_no = p.file_no)
    UNION
    SELECT p.file_no, p.old_no FROM pairs p JOIN src_charges c ON c.file_no = p.old_no
    WHERE c.superseded_by IS NULL AND NOT EXISTS (SELECT 1 FROM src_known k WHERE k.role = 'charges' AND k.stands = c.row_id AND k.file_no = p.file_no)
),
bad AS (
    SELECT file_no, content FROM src_rejects_known
    UNION
    SELECT file_no, reject_content(reject_column, reason, raw, file_no, source_line) FROM src_rejects WHERE file_no >= setting('first_file')
),
-- Where the known rows of the newer content stand in it, and which row each of them is.
known AS (
    SELECT k.file_no, c.source_line, k.role, k.stands FROM src_known k JOIN src_contents c ON c.role = k.role AND c.row_id = k.row_id
),
-- The last row of the older content that has kept its line.
kept AS (
    SELECT p.file_no, p.old_no, max(k.source_line) AS source_line
    FROM pairs p JOIN known k ON k.file_no = p.file_no
    JOIN (SELECT row_id, file_no, source_line FROM src_attempts UNION ALL SELECT row_id, file_no, source_line FROM src_charges) o
        ON o.row_id = k.stands AND o.file_no = p.old_no AND o.source_line = k.source_line
    GROUP BY p.file_no, p.old_no
),
-- What another file has brought already, with the id that no other row has.
brought AS (
    SELECT k.file_no, k.source_line, a.file_no AS owner, a.vendor_request_id AS id FROM known k JOIN src_attempts a ON k.role = 'attempts' AND a.row_id = k.stands
    UNION ALL
    SELECT k.file_no, k.source_line, c.file_no, coalesce(c.charge_id, c.vendor_request_id) FROM known k JOIN src_charges c ON k.role = 'charges' AND c.row_id = k.stands
)
SELECT DISTINCT r.file_no, r.source_line
FROM pairs p JOIN src_rejects r ON r.file_no = p.old_no
LEFT JOIN kept l ON l.file_no = p.file_no AND l.old_no = p.old_no
ANTI JOIN missing m ON m.file_no = p.file_no AND m.old_no = p.old_no
WHERE (EXISTS (SELECT 1 FROM src_attempts a WHERE a.file_no = p.file_no AND a.source_line = r.source_line)
    OR EXISTS (SELECT 1 FROM src_charges c WHERE c.file_no = p.file_no AND c.source_line = r.source_line)
    OR EXISTS (SELECT 1 FROM brought b WHERE b.file_no = p.file_no AND b.source_line = r.source_line AND b.owner <> p.old_no
        AND (coalesce(contains(words_of(r.raw), words_of(b.id)), false) OR coalesce(l.source_line > r.source_line, false))))
  AND NOT EXISTS (SELECT 1 FROM bad b WHERE b.file_no = p.file_no AND b.content = reject_content(r.reject_column, r.reason, r.raw, r.file_no, r.source_line));
DELETE FROM src_rejects WHERE row(file_no, source_line) IN (SELECT row(file_no, source_line) FROM src_rejects_mended);
UPDATE src_files SET known = known + k.n, rejected = rejected - k.n
FROM (SELECT file_no, count(*) AS n FROM src_rejects_mended GROUP BY file_no) k WHERE src_files.file_no = k.file_no;
