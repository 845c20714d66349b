-- int_highest_numbers: the highest attempt number that a layer shows in a month.
--
-- Why:    where the log names no maximum, this is what the client's retries went up to.
-- Reads:  int_day_numbers, int_numberings
-- Writes: int_highest_numbers
-- Grain:  (layer, month)
-- Units:  month is its first day, UTC; numbers count from 1
-- Params: none
-- Rule:   design section 3, (4)
-- Look at: testdata/queries/int_highest_numbers/each_layer_and_month
CREATE OR REPLACE TABLE int_highest_numbers AS
SELECT d.layer, month_of(d.day) AS month, max(d.top + n.shift) AS highest
FROM int_day_numbers d
JOIN int_numberings n ON n.file_no = d.file_no AND n.layer = d.layer AND n.counts_from IS NOT DISTINCT FROM d.counts_from
GROUP BY ALL;
