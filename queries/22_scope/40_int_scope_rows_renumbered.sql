-- int_scope_rows: adds the rows of files whose numbers are read otherwise now.
--
-- Why:    a line 0 that comes late moves all numbers of its source by one.
-- Reads:  int_numberings, int_old_numberings, src_attempts, src_charges
-- Writes: int_scope_rows
-- Grain:  (role, row_id)
-- Units:  as int_scope_rows
-- Params: scope_round
-- Rule:   design section 3, tier 2
-- Look at: testdata/queries/int_scope_rows_renumbered/a_zero_came_late
INSERT INTO int_scope_rows
WITH moved AS (
    SELECT o.file_no, o.layer, o.counts_from FROM int_old_numberings o
    JOIN int_numberings n ON n.file_no = o.file_no AND n.layer = o.layer AND n.counts_from IS NOT DISTINCT FROM o.counts_from
    WHERE n.shift <> o.shift
),
found AS (
    SELECT 'attempts' AS role, a.row_id FROM src_attempts a
    JOIN moved m ON m.file_no = a.file_no AND m.layer = a.layer AND m.counts_from IS NOT DISTINCT FROM a.counts_from
    UNION ALL
    SELECT 'charges', c.row_id FROM src_charges c
    JOIN moved m ON m.file_no = c.file_no AND m.layer = '' AND m.counts_from IS NOT DISTINCT FROM c.counts_from
)
SELECT role, row_id, setting('scope_round') + 1 FROM found
ANTI JOIN int_scope_rows r ON r.role = found.role AND r.row_id = found.row_id;
