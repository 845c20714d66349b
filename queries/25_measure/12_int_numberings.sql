-- int_numberings: whether a source counts its attempts from 0 or from 1.
--
-- Why:    the first article counts from 0, the second from 1; numbers must meet.
-- Reads:  src_attempts, int_charge_lines
-- Writes: int_numberings
-- Grain:  (file_no, layer, counts_from); layer '' for charges, counts_from NULL where no format says it
-- Units:  shift is added to a logged number to count from 1
-- Params: none
-- Rule:   design section 3, tier 2; what a format says of its numbers holds, else the lowest
--         number of the source tells: one log may mix lines of both articles
-- Look at: testdata/queries/int_numberings/from_zero
CREATE OR REPLACE TABLE int_numberings AS
WITH sources AS (
    SELECT file_no, layer, counts_from, min(attempt) AS lowest
    FROM src_attempts GROUP BY file_no, layer, counts_from
    UNION ALL
    SELECT file_no, '', counts_from, min(attempt) FROM int_charge_lines GROUP BY file_no, counts_from
)
SELECT file_no, layer, counts_from, CASE WHEN coalesce(counts_from, lowest) = 0 THEN 1 ELSE 0 END AS shift FROM sources;
