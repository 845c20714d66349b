-- int_calibrations: what each book's stamps mean, day by day, measured where that can be done.
--
-- Why:    a stamp may lie at the start or at the end of an execution, on another clock, on
--         whole minutes; windows built on the wrong belief accuse wrongly.
-- Reads:  int_day_offsets, int_book_days, int_log_days, src_providers
-- Writes: int_calibrations
-- Grain:  (book_provider, book, day): every day of log or bill with a usage line of the book within 31 days
-- Units:  day is the UTC day on which an attempt began, and of charged_at for what has no attempt;
--         offset_ms: the bill's clock less the log's; noise_ms: how far a stamp strays beyond its width, 50 at least,
--         in steps of a sixteenth to an eighth of itself; jitter_ms: the same doubled, and 5;
--         pace_ms: time for an output token (and 30 more), which 95 % of answers keep;
--         skew_ms: the grace of a window; resolution_ms: the width of a stamp, 0 if exact;
--         pairs: what the measure rests on
-- Params: none
-- Rule:   design section 3, calibration: a day of 300 pairs measures itself; the others of its
--         month are measured together if they have 30; else the nearest day that was measured
--         holds, within 31 days (of two the earlier), so that nothing far away changes a verdict;
--         else the defaults (stamp at the start, skew 5 s). What the user wrote in retrytax.yaml
--         stands above all. Time does not order charges where the middle half of the offsets spreads
--         over a minute. The width of a stamp likewise, from 30 lines; a stamp covers what follows it,
--         so half of its width is no part of the clock, nor of what stamps stray. Whether stamps of a minute or more lie at
--         start or end takes 300 pairs to tell
-- Look at: testdata/queries/int_calibrations/stamp_at_the_end, a_thin_day_takes_the_nearest, noise_in_steps
CREATE OR REPLACE TABLE int_calibrations AS
WITH book_days AS (
    SELECT book_provider, book, day, sum(lines) AS lines, bool_and(whole_days) AS whole_days, bool_and(whole_hours) AS whole_hours,
        bool_and(whole_minutes) AS whole_minutes, bool_and(whole_seconds) AS whole_seconds
    FROM int_book_days GROUP BY book_provider, book, day
),
calendar AS (
    SELECT day FROM int_log_days UNION SELECT day FROM int_book_days
),
days AS (
    SELECT DISTINCT b.book_provider, b.book, c.day FROM book_days b JOIN calendar c ON c.day BETWEEN b.day - 31 AND b.day + 31
),
-- The offsets: a day's own, or those of the month's thin days together.
pooled AS (
    SELECT book_provider, book, month_of(day) AS month, count(*) AS pairs,
        quantile_disc(f.to_start, [0.05, 0.25, 0.5, 0.75, 0.95, 0.01, 0.99]) AS s,
        quantile_disc(f.to_end, [0.05, 0.25, 0.5, 0.75, 0.95, 0.01, 0.99]) AS e,
        CAST(quantile_disc(f.pace, 0.95) AS BIGINT) AS pace_ms
    FROM (SELECT book_provider, book, day, unnest(few) AS f FROM int_day_offsets WHERE pairs < 300)
    GROUP BY ALL
),
offsets AS (
    SELECT d.book_provider, d.book, d.day, CASE WHEN o.pairs >= 300 THEN struct_pack(pairs := o.pairs, s := o.s, e := o.e, pace_ms := o.pace_ms)
        WHEN p.pairs >= 30 THEN struct_pack(pairs := p.pairs, s := p.s, e := p.e, pace_ms := p.pace_ms) END AS m, p.pairs AS little
    FROM days d
    LEFT JOIN int_day_offsets o ON o.book_provider = d.book_provider AND o.book = d.book AND o.day = d.day
    LEFT JOIN pooled p ON p.book_provider = d.book_provider AND p.book = d.book AND p.month = month_of(d.day)
),
measured AS (
    SELECT book_provider, book, day, m FROM offsets WHERE m IS NOT NULL
),
nearest AS (
    SELECT k.book_provider, k.book, k.day, k.little, coalesce(k.m,
        CASE WHEN near(b.day, k.day) AND coalesce(k.day - b.day <= a.day - k.day OR NOT near(a.day, k.day), true) THEN b.m
             WHEN near(a.day, k.day) THEN a.m END) AS m
    FROM offsets k
    ASOF LEFT JOIN measured b ON b.book_provider = k.book_provider AND b.book = k.book AND b.day <= k.day
    ASOF LEFT JOIN measured a ON a.book_provider = k.book_provider AND a.book = k.book AND a.day >= k.day
),
-- The width of a stamp, in the same way.
widths AS (
    SELECT book_provider, book, day, lines, CASE WHEN whole_days THEN 86400000 WHEN whole_hours THEN 3600000
        WHEN whole_minutes THEN 60000 WHEN whole_seconds THEN 1000 ELSE 0 END AS width_ms FROM book_days
),
pooled_widths AS (
    SELECT book_provider, book, month_of(day) AS month, sum(lines) AS lines, min(width_ms) AS width_ms
    FROM widths WHERE lines < 30 GROUP BY ALL
),
told_widths AS (
    SELECT d.book_provider, d.book, d.day, CASE WHEN w.lines >= 30 THEN w.width_ms WHEN p.lines >= 30 THEN p.width_ms END AS width_ms
    FROM days d
    LEFT JOIN widths w ON w.book_provider = d.book_provider AND w.book = d.book AND w.day = d.day
    LEFT JOIN pooled_widths p ON p.book_provider = d.book_provider AND p.book = d.book AND p.month = month_of(d.day)
),
measured_widths AS (
    SELECT * FROM told_widths WHERE width_ms IS NOT NULL
),
nearest_widths AS (
    SELECT k.book_provider, k.book, k.day, coalesce(k.width_ms,
        CASE WHEN near(b.day, k.day) AND coalesce(k.day - b.day <= a.day - k.day OR NOT near(a.day, k.day), true) THEN b.width_ms
             WHEN near(a.day, k.day) THEN a.width_ms END, 0) AS resolution_ms
    FROM told_widths k
    ASOF LEFT JOIN measured_widths b ON b.book_provider = k.book_provider AND b.book = k.book AND b.day <= k.day
    ASOF LEFT JOIN measured_widths a ON a.book_provider = k.book_provider AND a.book = k.book AND a.day >= k.day
),
-- The stamp's meaning: the user's word, else what the pairs show, else the profile's.
chosen AS (
    SELECT n.book_provider, n.book, n.day, n.m.s AS s, n.m.e AS e, n.m.pace_ms AS pace_ms, coalesce(n.m.pairs, n.little, 0) AS pairs, n.m IS NOT NULL AS measurable,
        coalesce(p.stamp, d.stamp) AS profile_stamp, coalesce(p.stamp_origin, d.stamp_origin) AS stamp_origin,
        coalesce(p.skew_ms, d.skew_ms) AS profile_skew, coalesce(p.skew_origin, d.skew_origin) AS skew_origin,
        coalesce(p.tail_ms, d.tail_ms) AS tail_ms
    FROM nearest n
    JOIN src_providers d ON d.provider = ''
    LEFT JOIN src_providers p ON p.provider = n.book_provider AND p.provider <> ''
),
stamped AS (
    SELECT c.*, w.resolution_ms, CASE WHEN stamp_origin = 'user' OR NOT measurable THEN profile_stamp
        -- offsets to the right end spread as wide as a stamp; only the tails tell if that is a minute
        WHEN w.resolution_ms >= 60000 THEN CASE WHEN pairs < 300 OR s[7] IS NULL OR e[7] IS NULL THEN profile_stamp
            WHEN e[7] - e[6] < s[7] - s[6] THEN 'end' ELSE 'start' END
        WHEN coalesce(e[4] - e[2] < s[4] - s[2], false) THEN 'end' ELSE 'start' END AS stamp
    FROM chosen c JOIN nearest_widths w USING (book_provider, book, day)
),
fitted AS (
    SELECT *, CASE WHEN stamp = 'end' THEN e ELSE s END AS q, greatest(q[5] - q[3], q[3] - q[1]) AS stray FROM stamped
),
-- Stamps are cut, not rounded: the clock is ahead of their middle by half their width. Of what they
-- stray, 45 % of the width is of the cutting.
cut AS (
    SELECT *, CAST(least(resolution_ms // 2, stray * 10 // 9) AS BIGINT) AS half_ms,
        CAST(floor(sqrt(greatest(stray * CAST(stray AS DOUBLE) - 0.2025 * resolution_ms * CAST(resolution_ms AS DOUBLE), 0))) AS BIGINT) AS strays
    FROM fitted
),
-- A few late lines move a measure by some milliseconds. It is told in steps (below 16 of
-- one millisecond, from 128 to 255 of 16), upwards, so that they do not open a whole day again.
told AS (
    SELECT *, CAST(ceil(strays / step) * step AS BIGINT) AS noise
    FROM (SELECT *, 2 ** greatest(floor(log2(greatest(strays, 1))) - 3, 0) AS step FROM cut)
)
SELECT book_provider, book, day, stamp, CASE WHEN measurable THEN q[3] + half_ms ELSE 0 END AS offset_ms,
    resolution_ms, pairs, measurable,
    CASE WHEN measurable THEN greatest(noise, 50) ELSE profile_skew END AS noise_ms,
    CASE WHEN measurable THEN 2 * noise + 5 END AS jitter_ms,
    CASE WHEN skew_origin = 'user' OR NOT measurable THEN profile_skew ELSE greatest(3 * noise, 1000) END AS skew_ms,
    CASE WHEN measurable THEN pace_ms + 1 END AS pace_ms,
    tail_ms, NOT measurable OR q[4] - q[2] <= 60000 AS orders
FROM told;
