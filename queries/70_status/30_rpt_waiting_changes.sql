-- rpt_waiting_changes: what reconcile has not seen yet.
--
-- Why:    until it has, verdicts are those of an earlier night.
-- Reads:  src_changes
-- Writes: rpt_waiting_changes
-- Grain:  (role, change)
-- Units:  n counts rows; times UTC
-- Params: none
-- Rule:   our choice
-- Look at: testdata/queries/rpt_waiting_changes/two_kinds
CREATE OR REPLACE TABLE rpt_waiting_changes AS
SELECT role, change, count(DISTINCT row_id) AS n, min(row_at) AS first_at, max(row_at) AS last_at FROM src_changes GROUP BY role, change;
