-- src_meta: which version of the tables a database holds, and since when it holds rows.
--
-- Why:    a later retrytax must know what it opens before it reads or changes anything.
-- Reads:  nothing
-- Writes: src_meta
-- Grain:  one row
-- Units:  schema_version counts up by one with every change of a src_ table; times UTC
-- Params: none
-- Rule:   our choice: derived tables are made anew by a reconcile, src_ tables stay, and are
--         brought from one version to the next by 15_migrations
-- Look at: testdata/queries/src_meta/fresh
CREATE TABLE IF NOT EXISTS src_meta AS
SELECT 4 AS schema_version, CAST(NULL AS TIMESTAMP) AS pruned_before;   -- rows before it were taken out by prune
