-- rpt_calibrations: what was measured of each book's stamps over the period.
--
-- Why:    windows rest on it, so the reader is told; day by day it would be a book of its own.
-- Reads:  int_calibrations, int_candidate_pairs, int_unnamed_pairs, int_books, int_book_days
-- Writes: rpt_calibrations
-- Grain:  (book_provider, book)
-- Units:  ms; offset_ms is the median over the period's pairs to the end at which most of them are
--         stamped; pairs are counted, lines are those of the bill
-- Params: period_asked, period_from, period_to
-- Rule:   design section 3, calibration: "the report states what was found"
-- Look at: testdata/queries/rpt_calibrations/two_days
CREATE OR REPLACE TABLE rpt_calibrations AS
WITH days AS (
    SELECT k.*, coalesce(b.lines, 0) AS lines FROM int_calibrations k
    LEFT JOIN (SELECT book_provider, book, day, sum(lines) AS lines FROM int_book_days GROUP BY ALL) b USING (book_provider, book, day)
    WHERE getvariable('period_asked') IS NULL
       OR (k.day >= day_of(CAST(getvariable('period_from') AS TIMESTAMP)) AND k.day < CAST(getvariable('period_to') AS TIMESTAMP))
),
all_pairs AS NOT MATERIALIZED (
    SELECT book_provider, book, day, charged_at, started_at, ended_at, true AS short FROM int_candidate_pairs
    UNION ALL
    SELECT book_provider, book, day, charged_at, started_at, ended_at, short FROM int_unnamed_pairs
),
pairs AS (
    SELECT p.book_provider, p.book, k.stamp, count(*) AS pairs,
        quantile_disc((epoch_us(charged_at) - epoch_us(CASE WHEN k.stamp = 'end' THEN ended_at ELSE started_at END)) // 1000, 0.5) AS offset_ms
    FROM all_pairs p JOIN days k ON k.book_provider = p.book_provider AND k.book = p.book AND k.day = p.day
    WHERE k.measurable AND p.short
    GROUP BY p.book_provider, p.book, k.stamp
),
counted AS (
    SELECT p.book_provider, p.book, count(*) AS pairs FROM all_pairs p
    SEMI JOIN days k ON k.book_provider = p.book_provider AND k.book = p.book AND k.day = p.day GROUP BY p.book_provider, p.book
),
summed AS (
    SELECT book_provider, book, CAST(sum(lines) AS BIGINT) AS lines, arg_max(resolution_ms, row(lines, resolution_ms)) AS resolution_ms,
        arg_max(stamp, row(measurable, lines, stamp)) AS stamp, bool_or(measurable) AS measurable, bool_and(orders) AS orders
    FROM days GROUP BY book_provider, book
)
SELECT s.book_provider, s.book, coalesce(p.stamp, s.stamp) AS stamp, coalesce(p.offset_ms, 0) AS offset_ms, s.resolution_ms, coalesce(c.pairs, 0) AS pairs,
    s.measurable, s.orders, s.lines
FROM summed s
SEMI JOIN int_books b ON b.book_provider = s.book_provider AND b.book = s.book
LEFT JOIN (SELECT book_provider, book, arg_max(stamp, row(pairs, stamp)) AS stamp, arg_max(offset_ms, row(pairs, stamp)) AS offset_ms
           FROM pairs GROUP BY book_provider, book) p ON p.book_provider = s.book_provider AND p.book = s.book
LEFT JOIN counted c ON c.book_provider = s.book_provider AND c.book = s.book;
