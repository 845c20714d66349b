-- int_numberings: whether a source counts its attempts from 0 or from 1.
--
-- Why:    the first article counts from 0, the second from 1; numbers must meet.
-- Reads:  src_attempts, int_charge_lines
-- Writes: int_numberings
-- Grain:  (file_no, layer); layer '' for charges
-- Units:  shift is added to a logged number to count from 1; highest is the
--         highest number of the layer in any file, after the shift
-- Params: none
-- Rule:   design section 3, tier 2
-- Look at: testdata/queries/int_numberings/from_zero
CREATE OR REPLACE TABLE int_numberings AS
WITH sources AS (
    SELECT file_no, layer, min(attempt) AS lowest, max(attempt) AS top FROM src_attempts GROUP BY file_no, layer
    UNION ALL
    SELECT file_no, '', min(attempt), max(attempt) FROM int_charge_lines GROUP BY file_no
),
shifted AS (
    SELECT file_no, layer, CASE WHEN lowest = 0 THEN 1 ELSE 0 END AS shift, top FROM sources
)
SELECT file_no, layer, shift, max(top + shift) OVER (PARTITION BY layer) AS highest FROM shifted;
