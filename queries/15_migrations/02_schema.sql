-- schema: brings the tables of version 1 to version 2.
--
-- Why:    a database lives longer than a version of retrytax.
-- Reads:  the src_ tables of version 1
-- Writes: src_meta, src_files, src_charges; the other tables of version 2 are created by 10_schema
-- Grain:  as it was
-- Units:  as they were
-- Params: none
-- Rule:   one transaction; a copy of the file was put aside before. What was derived by version 1 goes: every
--         row is a change that reconcile has not seen
-- Look at: testdata/script/ingest_migrates.txtar
ALTER TABLE src_charges ADD COLUMN cache_write_tokens BIGINT;
ALTER TABLE src_charges ADD COLUMN service_tier VARCHAR;
ALTER TABLE src_charges ADD COLUMN listed_amount DECIMAL(38,12);
ALTER TABLE src_charges ADD COLUMN listed_currency VARCHAR;
ALTER TABLE src_charges ADD COLUMN newest_file INTEGER;
UPDATE src_charges SET newest_file = file_no;
ALTER TABLE src_files ADD COLUMN run_no INTEGER DEFAULT 1;
ALTER TABLE src_files ADD COLUMN path VARCHAR;
ALTER TABLE src_files ADD COLUMN size BIGINT;
ALTER TABLE src_files ADD COLUMN open_end BOOLEAN DEFAULT false;
ALTER TABLE src_files ADD COLUMN first_at TIMESTAMP;
ALTER TABLE src_files ADD COLUMN last_at TIMESTAMP;
ALTER TABLE src_files ADD COLUMN source_no INTEGER;
ALTER TABLE src_files ADD COLUMN gone BIGINT DEFAULT 0;
UPDATE src_files SET source_no = file_no;
UPDATE src_files SET first_at = t.first_at, last_at = t.last_at
FROM (
    SELECT file_no, min(row_at) AS first_at, max(row_at) AS last_at FROM (
        SELECT file_no, coalesce(ended_at, started_at) AS row_at FROM src_attempts
        UNION ALL SELECT file_no, charged_at FROM src_charges)
    GROUP BY file_no
) t
WHERE src_files.file_no = t.file_no;
ALTER TABLE src_meta ADD COLUMN pruned_before TIMESTAMP;
UPDATE src_meta SET schema_version = 2;
