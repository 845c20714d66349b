-- rows: notes of the rows of version 1 what version 2 knows of them.
--
-- Why:    reconcile begins anew over a database of version 1.
-- Reads:  src_attempts, src_charges
-- Writes: src_numbers, src_changes
-- Grain:  one row for each row
-- Units:  row_at UTC
-- Params: none
-- Rule:   as 20_formats/45_src_numbers and 55_src_changes
-- Look at: testdata/script/ingest_migrates.txtar
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
