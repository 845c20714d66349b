-- src_changes: takes out the last line of a bill that was read before it was whole.
--
-- Why:    a bill is taken to its end, since many exports have no last line end; where a later
--         content goes on inside that line, what was read of it was half of it.
-- Reads:  src_charges, src_rejects
-- Writes: src_changes, src_charges, src_rejects, src_files
-- Grain:  row_id
-- Units:  row_at UTC
-- Params: half_file: the file that ended inside a line; run_no
-- Rule:   design section 6, our choice: the one case in which a row does not stay. A half that could not be read goes as well, and
--         counts as known: the whole line is in the newer content
-- Look at: testdata/queries/src_charges_withdrawn/last_line_of_the_file
INSERT INTO src_changes
SELECT 'charges', row_id, request_id, charge_id, vendor_request_id, idempotency_key, provider, model, charged_at, 'withdrawn', setting('run_no')
FROM src_charges WHERE file_no = setting('half_file') AND newest_file = setting('half_file') AND source_line >= (
    SELECT max(source_line) FROM (SELECT source_line FROM src_charges WHERE file_no = setting('half_file')
        UNION ALL SELECT source_line FROM src_rejects WHERE file_no = setting('half_file')));
UPDATE src_files SET known = known + r.n, rejected = rejected - r.n
FROM (SELECT count(*) AS n FROM src_rejects WHERE file_no = setting('half_file') AND source_line >= (
    SELECT coalesce(max(source_line), 0) FROM src_charges WHERE file_no = setting('half_file'))
    AND source_line = (SELECT max(source_line) FROM src_rejects WHERE file_no = setting('half_file'))) r
WHERE file_no = setting('half_file');
DELETE FROM src_rejects WHERE file_no = setting('half_file') AND source_line >= (
    SELECT coalesce(max(source_line), 0) FROM src_charges WHERE file_no = setting('half_file'))
    AND source_line = (SELECT max(source_line) FROM src_rejects WHERE file_no = setting('half_file'));
UPDATE src_charges SET superseded_by = NULL
WHERE superseded_by IN (SELECT row_id FROM src_changes WHERE change = 'withdrawn' AND run_no = setting('run_no'));
UPDATE src_files SET gone = gone + (SELECT count(*) FROM src_charges
    WHERE file_no = setting('half_file') AND row_id IN (SELECT row_id FROM src_changes WHERE change = 'withdrawn' AND run_no = setting('run_no')))
WHERE file_no = setting('half_file');
DELETE FROM src_charges
WHERE file_no = setting('half_file') AND row_id IN (SELECT row_id FROM src_changes WHERE change = 'withdrawn' AND run_no = setting('run_no'));
UPDATE src_files SET open_end = false WHERE file_no = setting('half_file');
