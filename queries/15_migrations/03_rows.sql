-- rows: moves the rows of version 1 into the tables of today.
--
-- Why:    what the tables know besides can be told from the rows.
-- Reads:  v1_meta, v1_files, v1_charges, src_attempts, src_settings
-- Writes: src_runs, src_files, src_charges, src_numbers, src_changes
-- Grain:  one row for each row
-- Units:  as they were
-- Params: none
-- Rule:   as 20_formats/45_src_numbers and 55_src_changes
-- Look at: testdata/script/ingest_migrates.txtar
INSERT INTO src_charges SELECT *, NULL, NULL, NULL, NULL, file_no FROM v1_charges;
INSERT INTO src_files
SELECT f.*, 1, NULL, NULL, false, t.first_at, t.last_at, f.file_no, 0
FROM v1_files f LEFT JOIN (
    SELECT file_no, min(row_at) AS first_at, max(row_at) AS last_at FROM (
        SELECT file_no, coalesce(ended_at, started_at) AS row_at FROM src_attempts
        UNION ALL SELECT file_no, charged_at FROM src_charges)
    GROUP BY file_no) t USING (file_no);
INSERT INTO src_numbers
SELECT file_no, layer, counts_from, min(attempt), max(attempt) FROM src_attempts GROUP BY file_no, layer, counts_from
UNION ALL
SELECT file_no, '', counts_from, min(attempt), max(attempt) FROM src_charges GROUP BY file_no, counts_from;
INSERT INTO src_changes
SELECT 'attempts', row_id, request_id, NULL, vendor_request_id, idempotency_key, provider, model, coalesce(ended_at, started_at), 'added', 1
FROM src_attempts
UNION ALL
SELECT 'charges', row_id, request_id, charge_id, vendor_request_id, idempotency_key, provider, model, charged_at, 'added', 1
FROM src_charges;
INSERT INTO src_runs
SELECT 1, 'audit', 'unknown', coalesce(max(CAST(value AS TIMESTAMP)), TIMESTAMP '1970-01-01'), NULL, 'done', NULL FROM src_settings WHERE name = 'now';
DROP TABLE v1_meta;
DROP TABLE v1_files;
DROP TABLE v1_charges;
