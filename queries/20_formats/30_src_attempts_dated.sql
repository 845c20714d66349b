-- src_attempts: gives a date to the lines of one file whose time has none.
--
-- Why:    the second article's line says 12:00:03.412 and no day.
-- Reads:  src_attempts
-- Writes: src_attempts
-- Grain:  row_id
-- Units:  UTC
-- Params: file_no; file_date: the day of the first line, from the file's name or --date;
--         source_zone: the zone in which the clock was read; clock_change_days
-- Rule:   design section 2: the date rolls on a fall of more than 12 h, and back on such a
--         rise; in the order of the lines
-- Look at: testdata/queries/src_attempts_dated/rolls_over_midnight
UPDATE src_attempts
SET ended_at = d.ended_at, started_at = coalesce(started_at, plus_ms(d.ended_at, -elapsed_ms)), clock_at = NULL,
    clock_doubt = d.doubt
FROM (
    WITH lines AS (
        SELECT row_id, source_line, clock_at, lag(clock_at) OVER (ORDER BY source_line) AS before
        FROM src_attempts
        WHERE file_no = setting('file_no') AND clock_at IS NOT NULL
    ),
    turns AS (
        SELECT row_id, clock_at, sum(CASE
                WHEN epoch_us(before) - epoch_us(clock_at) > 43200000000 THEN 1
                WHEN epoch_us(clock_at) - epoch_us(before) > 43200000000 THEN -1 ELSE 0 END) OVER (ORDER BY source_line) AS days
        FROM lines
    )
    SELECT row_id, CAST(timezone(getvariable('source_zone'), local_at) AS TIMESTAMP) AS ended_at,
        CASE WHEN clocks_change_on(CAST(CAST(local_at AS DATE) AS VARCHAR)) THEN local_doubt(local_at, getvariable('source_zone')) END AS doubt
    FROM (SELECT row_id, CAST(CAST(getvariable('file_date') AS DATE) + CAST(days AS INTEGER) AS TIMESTAMP)
        + to_microseconds(epoch_us(clock_at)) AS local_at FROM turns)
) AS d
WHERE src_attempts.row_id = d.row_id;
