-- int_numberings: whether a source counts its attempts from 0 or from 1.
--
-- Why:    the first article counts from 0, the second from 1; numbers must meet.
-- Reads:  src_numbers, src_files
-- Writes: int_numberings
-- Grain:  (file_no, layer, counts_from); layer '' for charges, counts_from NULL where no format says it
-- Units:  shift is added to a logged number to count from 1; highest is the
--         highest number of the layer in any file, after the shift
-- Params: none
-- Rule:   design section 3, tier 2; what a format says of its numbers holds, else the lowest
--         number of the source tells: one log may mix lines of both articles. Files that share rows are
--         one source
-- Look at: testdata/queries/int_numberings/from_zero
CREATE OR REPLACE TABLE int_numberings AS
WITH sources AS (
    SELECT f.source_no, n.layer, n.counts_from, min(n.lowest) AS lowest, max(n.top) AS top
    FROM src_numbers n JOIN src_files f USING (file_no) GROUP BY f.source_no, n.layer, n.counts_from
),
shifted AS (
    SELECT source_no, layer, counts_from, CASE WHEN coalesce(counts_from, lowest) = 0 THEN 1 ELSE 0 END AS shift, top FROM sources
)
SELECT f.file_no, layer, counts_from, shift, max(top + shift) OVER (PARTITION BY layer) AS highest
FROM shifted JOIN src_files f USING (source_no);
