-- int_scope_rows: the rows that a reconcile looks at anew; to begin with, those that changed.
--
-- Why:    a night's work follows the night's rows, not the years before it.
-- Reads:  src_changes
-- Writes: int_scope_rows
-- Grain:  (role, row_id)
-- Units:  round counts how often the circle was widened until it reached the row; 0 changed itself.
--         A row that was taken out stands here, too, since what was derived from it has to go
-- Params: none
-- Rule:   our choice: whatever could come out otherwise is looked at again, with all that shares
--         an id with it, so that the result is that of a reconcile of everything
-- Look at: testdata/queries/int_scope_rows/changed_twice
CREATE OR REPLACE TABLE int_scope_rows AS
SELECT DISTINCT role, row_id, CAST(0 AS BIGINT) AS round FROM src_changes;
