-- int_scope_days: the days whose log or bill changed.
--
-- Why:    what is measured of a day is measured again only if the day changed.
-- Reads:  src_changes, src_attempts, int_lines, int_simple_pairs
-- Writes: int_scope_days
-- Grain:  (role, day)
-- Units:  day is UTC, of an attempt the one on which it began, as it stands or as it was last reconciled
-- Params: none
-- Rule:   our choice
-- Look at: testdata/queries/int_scope_days/added_and_taken_out
CREATE OR REPLACE TABLE int_scope_days AS
WITH changed AS (
    SELECT DISTINCT row_id FROM src_changes WHERE role = 'attempts'
)
SELECT DISTINCT role, day FROM (
    SELECT 'attempts' AS role, day_of(coalesce(started_at, ended_at)) AS day FROM src_attempts SEMI JOIN changed USING (row_id)
    UNION ALL
    SELECT 'attempts', day FROM int_lines SEMI JOIN changed USING (row_id)
    UNION ALL
    SELECT 'attempts', day FROM int_simple_pairs SEMI JOIN changed ON changed.row_id = attempt_row
    UNION ALL
    SELECT 'charges', day_of(row_at) FROM src_changes WHERE role = 'charges');
