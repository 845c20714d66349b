-- int_calibrations: what each book's stamps mean, measured where that can be done.
--
-- Why:    a stamp may lie at the start or at the end of an execution, on another clock, on
--         whole minutes; windows built on the wrong belief accuse wrongly.
-- Reads:  int_usable_pairs, int_charge_lines, src_providers
-- Writes: int_calibrations
-- Grain:  (book_provider, book)
-- Units:  offset_ms: the bill's clock less the log's; noise_ms: how far a stamp strays, 50 at least;
--         jitter_ms: the same doubled, to the millisecond;
--         pace_ms: time for an output token (and 30 more), which 95 % of answers keep;
--         skew_ms: the grace of a window; resolution_ms: the width of a stamp, 0 if exact
-- Params: none
-- Rule:   design section 3, calibration: from 30 pairs on, else the defaults (stamp at the
--         start, skew 5 s); what the user wrote in retrytax.yaml stands above both. Time
--         does not order charges where the middle half of the offsets spreads over a minute
-- Look at: testdata/queries/int_calibrations/stamp_at_the_end
CREATE OR REPLACE TABLE int_calibrations AS
WITH books AS (
    SELECT book_provider, book, min(charged_at) AS oldest, max(charged_at) AS newest, count(*) AS lines,
        CASE WHEN count(*) < 30 THEN 0
             WHEN bool_and(epoch_us(charged_at) % 86400000000 = 0) THEN 86400000
             WHEN bool_and(epoch_us(charged_at) % 3600000000 = 0) THEN 3600000
             WHEN bool_and(epoch_us(charged_at) % 60000000 = 0) THEN 60000
             WHEN bool_and(epoch_us(charged_at) % 1000000 = 0) THEN 1000
             ELSE 0 END AS resolution_ms
    FROM int_charge_lines WHERE kind = 'usage'
    GROUP BY book_provider, book
),
sizes AS (
    SELECT book_provider, book, count(*) AS pairs FROM int_usable_pairs GROUP BY book_provider, book
),
-- Fifty thousand pairs say as much as millions; which ones does not hang on their order.
offsets AS (
    SELECT p.book_provider, p.book, s.pairs,
        (epoch_us(charged_at) - epoch_us(started_at)) // 1000 AS to_start,
        (epoch_us(charged_at) - epoch_us(ended_at)) // 1000 AS to_end
    FROM int_usable_pairs p JOIN sizes s USING (book_provider, book)
    WHERE p.short AND (s.pairs <= 50000 OR epoch_us(p.charged_at) // 1000 % (s.pairs // 50000 + 1) = 0)
),
-- How long an answer takes for its length: what one execution explains.
paces AS (
    SELECT book_provider, book, CAST(quantile_disc((epoch_us(ended_at) - epoch_us(started_at)) // (1000 * (billed_output + 30)), 0.95) AS BIGINT) AS pace_ms
    FROM int_usable_pairs WHERE billed_output IS NOT NULL AND started_at IS NOT NULL GROUP BY book_provider, book
),
spreads AS (
    SELECT book_provider, book, any_value(pairs) AS pairs,
        quantile_disc(to_start, [0.05, 0.25, 0.5, 0.75, 0.95]) AS s,
        quantile_disc(to_end, [0.05, 0.25, 0.5, 0.75, 0.95]) AS e
    FROM offsets GROUP BY book_provider, book
),
measured AS (
    SELECT *, CASE WHEN coalesce(e[4] - e[2] < s[4] - s[2], false) THEN 'end' ELSE 'start' END AS measured_stamp
    FROM books LEFT JOIN spreads USING (book_provider, book)
),
-- The stamp's meaning: the user's word, else what 30 pairs show, else the profile's.
chosen AS (
    SELECT m.*, coalesce(p.provider, d.provider) AS profile,
        coalesce(p.stamp, d.stamp) AS profile_stamp, coalesce(p.stamp_origin, d.stamp_origin) AS stamp_origin,
        coalesce(p.skew_ms, d.skew_ms) AS profile_skew, coalesce(p.skew_origin, d.skew_origin) AS skew_origin,
        coalesce(p.tail_ms, d.tail_ms) AS tail_ms, coalesce(m.pairs, 0) >= 30 AS measurable
    FROM measured m
    JOIN src_providers d ON d.provider = ''
    LEFT JOIN src_providers p ON p.provider = m.book_provider AND p.provider <> ''
),
stamped AS (
    SELECT *, CASE WHEN stamp_origin = 'user' OR NOT measurable THEN profile_stamp ELSE measured_stamp END AS stamp
    FROM chosen
),
fitted AS (
    SELECT *, CASE WHEN stamp = 'end' THEN e ELSE s END AS q FROM stamped
)
SELECT book_provider, book, stamp, CASE WHEN measurable THEN q[3] ELSE 0 END AS offset_ms,
    resolution_ms, coalesce(pairs, 0) AS pairs, measurable,
    CASE WHEN measurable THEN greatest(q[5] - q[3], q[3] - q[1], 50) ELSE profile_skew END AS noise_ms,
    CASE WHEN measurable THEN 2 * greatest(q[5] - q[3], q[3] - q[1]) + 5 END AS jitter_ms,
    CASE WHEN skew_origin = 'user' OR NOT measurable THEN profile_skew
         ELSE greatest(3 * greatest(q[5] - q[3], q[3] - q[1]), 1000) END AS skew_ms,
    CASE WHEN measurable THEN pace_ms + 1 END AS pace_ms,
    tail_ms, NOT measurable OR q[4] - q[2] <= 60000 AS orders, lines, oldest, newest
FROM fitted LEFT JOIN paces USING (book_provider, book);
