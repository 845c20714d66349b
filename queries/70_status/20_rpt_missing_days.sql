-- rpt_missing_days: days without a log or without a bill, between the first and the last day of a provider.
--
-- Why:    a file that never came looks like a quiet day; a missing log makes orphans, a missing bill unbilled calls.
-- Reads:  src_attempts, src_charges
-- Writes: rpt_missing_days
-- Grain:  (provider, side, first_day); days in a row are one
-- Units:  days of the report's zone, first and last included
-- Params: report_zone
-- Rule:   our choice; attempts that name no provider count for every provider
-- Look at: testdata/queries/rpt_missing_days/a_log_and_a_bill_that_never_came
CREATE OR REPLACE TABLE rpt_missing_days AS
WITH seen AS (
    SELECT DISTINCT 'log' AS side, provider, coalesce(ended_at, started_at) AS row_at FROM (
        SELECT provider, min(ended_at) AS ended_at, min(started_at) AS started_at FROM src_attempts
        GROUP BY provider, epoch_us(coalesce(ended_at, started_at)) // 900000000)
    UNION ALL
    SELECT 'bill', coalesce(provider, ''), min(charged_at) FROM src_charges
    WHERE superseded_by IS NULL GROUP BY provider, epoch_us(charged_at) // 900000000
),
-- Zones lie whole quarters of an hour off UTC, so that a row of each quarter tells its day.
days AS (
    SELECT DISTINCT side, provider, CAST(timezone(getvariable('report_zone'), timezone('UTC', row_at)) AS DATE) AS day FROM seen
),
parties AS (
    SELECT DISTINCT provider FROM days WHERE provider IS NOT NULL AND provider <> ''
    UNION SELECT '' WHERE NOT EXISTS (SELECT 1 FROM days WHERE provider <> '')
),
spans AS (
    SELECT p.provider, min(day) AS first_day, max(day) AS last_day
    FROM parties p JOIN days d ON d.provider = p.provider OR coalesce(d.provider, '') = '' GROUP BY p.provider
),
calendar AS (
    SELECT provider, side, CAST(unnest(generate_series(CAST(first_day AS TIMESTAMP), CAST(last_day AS TIMESTAMP), INTERVAL 1 DAY)) AS DATE) AS day
    FROM spans, (VALUES ('log'), ('bill')) s(side)
),
absent AS (
    SELECT c.*, c.day - CAST(row_number() OVER (PARTITION BY c.provider, c.side ORDER BY c.day) AS INTEGER) AS island
    FROM calendar c
    WHERE NOT EXISTS (SELECT 1 FROM days d WHERE d.side = c.side AND d.day = c.day AND (d.provider = c.provider OR coalesce(d.provider, '') = ''))
)
SELECT provider, side, min(day) AS first_day, max(day) AS last_day, count(*) AS n
FROM absent GROUP BY provider, side, island;
