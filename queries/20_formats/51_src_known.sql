-- src_known: new rows that another file has brought already.
--
-- Why:    exports overlap; each charge and each attempt counts once.
-- Reads:  src_contents, src_files, src_attempts, src_charges, src_nameless (from which they go)
-- Writes: src_known (temporary)
-- Grain:  row_id
-- Units:  none
-- Params: none
-- Rule:   design section 6: identical rows are known, not new, as many as the file that
--         has most of them: the n-th of a file meets the n-th of another. A row that the database has keeps its
--         place; among the files of one run the one that comes first by hash has it, in whatever order they were
--         named. Which one it is changes where a line is shown, never a verdict: what the rules ask of a file
--         (numbering, the newer export, the same line twice) they ask of all files that had the row. Exports joined in
--         one file (its header stands in it again) are compared like several
-- Look at: testdata/queries/src_known/two_exports_overlap
CREATE OR REPLACE TEMP TABLE src_known AS
WITH counted AS (
    SELECT c.*, f.sha256, CASE WHEN f.joined THEN 1
        ELSE row_number() OVER (PARTITION BY c.role, content, c.file_no ORDER BY source_line, row_id) END AS occurrence
    FROM src_contents c LEFT JOIN src_files f USING (file_no) WHERE is_new
),
older AS (
    SELECT role, content, row_id, row_number() OVER (PARTITION BY role, content ORDER BY row_id) AS occurrence
    FROM src_contents WHERE NOT is_new
),
ranked AS (
    SELECT c.role, c.row_id, c.file_no, o.row_id IS NOT NULL OR row_number() OVER same > 1 AS known,
        coalesce(o.row_id, first_value(c.row_id) OVER same) AS stands
    FROM counted c LEFT JOIN older o ON o.role = c.role AND o.content = c.content AND o.occurrence = c.occurrence
    WINDOW same AS (PARTITION BY c.role, c.content, c.occurrence ORDER BY c.sha256, c.file_no, c.source_line, c.row_id)
)
SELECT role, row_id, file_no, stands FROM ranked WHERE known;
DELETE FROM src_attempts WHERE row_id IN (SELECT row_id FROM src_known WHERE role = 'attempts');
DELETE FROM src_charges WHERE row_id IN (SELECT row_id FROM src_known WHERE role = 'charges');
DELETE FROM src_nameless WHERE row_id IN (SELECT row_id FROM src_known);
