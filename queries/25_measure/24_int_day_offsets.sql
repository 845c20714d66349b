-- int_day_offsets: how far the stamps of a day lie from the attempts that they belong to.
--
-- Why:    clocks drift and vendors change what they stamp; what is measured of one day must not
--         change the verdicts of another.
-- Reads:  int_usable_pairs
-- Writes: int_day_offsets
-- Grain:  (book_provider, book, day)
-- Units:  day is the UTC day on which the attempts began; ms from the start and from the end of
--         the attempt to the stamp, as quantiles 5, 25, 50, 75 and 95 %, then 1 and 99 %; pace_ms: time for an
--         output token (and 30 more), which 95 % of answers keep; few: the pairs of a day with less than 300
-- Params: none
-- Rule:   our choice: 300 pairs make a day's own measure. What crosses midnight stands in the next
--         day's files; a day with 300 pairs without it is measured without it, so that the next night
--         does not move it. Fifty thousand pairs say as much as millions; which ones does not hang on their order
-- Look at: testdata/queries/int_day_offsets/three_pairs, without_what_crosses_midnight
CREATE OR REPLACE TABLE int_day_offsets AS
WITH usable AS NOT MATERIALIZED (
    SELECT *, day_of(ended_at) = day AND day_of(charged_at) = day AS in_day FROM int_usable_pairs
),
sizes AS (
    SELECT book_provider, book, day, within >= 300 AS enough, CASE WHEN within >= 300 THEN within ELSE n END AS pairs
    FROM (SELECT book_provider, book, day, count(*) AS n, count(*) FILTER (WHERE in_day) AS within FROM usable GROUP BY ALL)
),
offsets AS (
    SELECT p.book_provider, p.book, p.day, s.pairs,
        CASE WHEN p.short THEN (epoch_us(charged_at) - epoch_us(started_at)) // 1000 END AS to_start,
        CASE WHEN p.short THEN (epoch_us(charged_at) - epoch_us(ended_at)) // 1000 END AS to_end,
        -- how long an answer takes for its length: what one execution explains
        CASE WHEN started_at IS NOT NULL THEN (epoch_us(ended_at) - epoch_us(started_at)) // (1000 * (billed_output + 30)) END AS pace
    FROM usable p JOIN sizes s ON s.book_provider = p.book_provider AND s.book = p.book AND s.day = p.day
    WHERE (p.in_day OR NOT s.enough)
        AND (s.pairs <= 50000 OR epoch_us(p.charged_at) // 1000 % (s.pairs // 50000 + 1) = 0)
)
SELECT book_provider, book, day, any_value(pairs) AS pairs,
    quantile_disc(to_start, [0.05, 0.25, 0.5, 0.75, 0.95, 0.01, 0.99]) AS s,
    quantile_disc(to_end, [0.05, 0.25, 0.5, 0.75, 0.95, 0.01, 0.99]) AS e,
    CAST(quantile_disc(pace, 0.95) AS BIGINT) AS pace_ms,
    list(struct_pack(to_start, to_end, pace) ORDER BY to_start, to_end, pace) FILTER (WHERE pairs < 300) AS few
FROM offsets GROUP BY ALL;
