-- int_day_numbers: the highest attempt number of a day, source by source.
--
-- Why:    the highest number that a layer shows stands in for a maximum that no log tells. It is
--         taken day by day, so that a new night is added to it without reading the old ones.
-- Reads:  src_attempts
-- Writes: int_day_numbers
-- Grain:  (day, file_no, layer, counts_from)
-- Units:  day is the UTC day on which the attempts began; top is as the log counts
-- Params: none
-- Rule:   design section 3, (4)
-- Look at: testdata/queries/int_day_numbers/two_days
CREATE OR REPLACE TABLE int_day_numbers AS
SELECT day_of(coalesce(started_at, ended_at)) AS day, file_no, layer, counts_from, max(attempt) AS top
FROM src_attempts WHERE attempt IS NOT NULL
GROUP BY ALL;
