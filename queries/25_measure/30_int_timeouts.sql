-- int_timeouts: how long a timeout lasts here, day by day.
--
-- Why:    a gap in the log, or an attempt refused in the end, counts as one that ran only
--         if it lasted as long as a timeout.
-- Reads:  int_day_timeouts, int_log_days
-- Writes: int_timeouts
-- Grain:  (provider, day), of every day of the log; provider '' stands for all together, and for what the
--         log shows no timeout of; day NULL for days on which it shows none at all
-- Units:  timeout_ms: nearly the shortest timeout seen; floor_ms: what an execution that
--         was given up inside an attempt lasts at least
-- Params: read_timeouts_ms, used where the log shows no timeout
-- Rule:   our choice: a day with 30 timeouts measures itself; the others of its month are
--         measured together if they have 30; else the nearest day that was measured holds, within
--         31 days (of two the earlier), else what little there is. The floor is 45 % of it, since two
--         executions share one attempt's time, at least 1 s; 5 s where nothing is known
-- Look at: testdata/queries/int_timeouts/one_provider, a_thin_day_takes_the_nearest
CREATE OR REPLACE TABLE int_timeouts AS
WITH together AS (
    SELECT provider, month_of(day) AS month, count(*) AS timeouts, quantile_disc(elapsed_ms, 0.05) AS timeout_ms
    FROM (SELECT provider, day, unnest(few) AS elapsed_ms FROM int_day_timeouts WHERE timeouts < 30)
    GROUP BY ALL
),
days AS (
    SELECT DISTINCT provider, day FROM (
        SELECT provider, day FROM int_log_days WHERE provider IS NOT NULL UNION ALL SELECT '', day FROM int_log_days)
),
known AS (
    SELECT d.provider, d.day, CASE WHEN o.timeouts >= 30 THEN o.timeout_ms WHEN t.timeouts >= 30 THEN t.timeout_ms END AS measured, t.timeout_ms AS little
    FROM days d
    LEFT JOIN int_day_timeouts o ON o.provider = d.provider AND o.day = d.day
    LEFT JOIN together t ON t.provider = d.provider AND t.month = month_of(d.day)
),
measured AS (
    SELECT provider, day, measured FROM known WHERE measured IS NOT NULL
),
chosen AS (
    SELECT k.provider, k.day, coalesce(k.measured,
        CASE WHEN near(b.day, k.day) AND coalesce(k.day - b.day <= a.day - k.day OR NOT near(a.day, k.day), true) THEN b.measured
             WHEN near(a.day, k.day) THEN a.measured END, k.little) AS timeout_ms
    FROM known k
    ASOF LEFT JOIN measured b ON b.provider = k.provider AND b.day <= k.day
    ASOF LEFT JOIN measured a ON a.provider = k.provider AND a.day >= k.day
)
SELECT provider, day, timeout_ms, greatest(timeout_ms * 45 // 100, 1000) AS floor_ms FROM chosen WHERE timeout_ms IS NOT NULL
UNION ALL
SELECT '', NULL, timeout_ms, CASE WHEN timeout_ms IS NULL THEN 5000 ELSE greatest(timeout_ms * 45 // 100, 1000) END
FROM (SELECT TRY_CAST(split_part(getvariable('read_timeouts_ms'), ',', 1) AS BIGINT) AS timeout_ms);
