-- src_changes: takes the pruned rows out, and tells reconcile so.
--
-- Why:    what was derived from them has to go as well.
-- Reads:  src_pruned, src_attempts, src_charges (from which they go)
-- Writes: src_changes, src_files, src_meta, src_nameless, src_names
-- Grain:  one row for each row that goes
-- Units:  row_at UTC
-- Params: prune_before, run_no
-- Rule:   see src_pruned; rejects, files and numbers stay: a content that was read is known for ever. The name of a trace goes
--         with the last row that has it
-- Look at: testdata/queries/src_changes_pruned/two_rows_go
INSERT INTO src_changes
SELECT 'attempts', row_id, request_id, NULL, vendor_request_id, idempotency_key, provider, model, coalesce(ended_at, started_at), 'withdrawn', setting('run_no')
FROM src_attempts WHERE row_id IN (SELECT row_id FROM src_pruned WHERE role = 'attempts')
UNION ALL
SELECT 'charges', row_id, request_id, charge_id, vendor_request_id, idempotency_key, provider, model, charged_at, 'withdrawn', setting('run_no')
FROM src_charges WHERE row_id IN (SELECT row_id FROM src_pruned WHERE role = 'charges');
DELETE FROM src_attempts WHERE row_id IN (SELECT row_id FROM src_pruned WHERE role = 'attempts');
DELETE FROM src_charges WHERE row_id IN (SELECT row_id FROM src_pruned WHERE role = 'charges');
DELETE FROM src_nameless WHERE row_id IN (SELECT row_id FROM src_pruned);
DELETE FROM src_names WHERE trace_id NOT IN (SELECT trace_id FROM src_nameless)
    AND name NOT IN (SELECT request_id FROM src_attempts WHERE request_id IS NOT NULL UNION ALL SELECT request_id FROM src_charges WHERE request_id IS NOT NULL);
UPDATE src_files SET gone = gone + p.n
FROM (SELECT file_no, count(*) AS n FROM src_pruned GROUP BY file_no) p WHERE src_files.file_no = p.file_no;
UPDATE src_meta SET pruned_before = greatest(coalesce(pruned_before, TIMESTAMP '1970-01-01'), CAST(getvariable('prune_before') AS TIMESTAMP));
