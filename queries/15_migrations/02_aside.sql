-- aside: puts the tables of version 1 aside, so that 10_schema makes those of today.
--
-- Why:    a database lives longer than a version of retrytax. Not by adding columns: DuckDB takes no
--         table that was altered and updated in one transaction.
-- Reads:  src_meta, src_files, src_charges of version 1
-- Writes: v1_meta, v1_files, v1_charges
-- Grain:  as it was
-- Units:  as they were
-- Params: none
-- Rule:   one transaction; a copy of the file was put aside before. What was derived by version 1 goes: every
--         row is a change that reconcile has not seen
-- Look at: testdata/script/ingest_migrates.txtar
ALTER TABLE src_meta RENAME TO v1_meta;
ALTER TABLE src_files RENAME TO v1_files;
ALTER TABLE src_charges RENAME TO v1_charges;
