-- int_day_timeouts: how long the timeouts of a day lasted.
--
-- Why:    a timeout is a setting, which changes in time: it is measured day by day.
-- Reads:  src_attempts
-- Writes: int_day_timeouts
-- Grain:  (provider, day); '' stands for all together
-- Units:  day is the UTC day on which the attempts began; ms; few holds the durations of a day with less than 30
-- Params: none
-- Rule:   our choice: the 5 % quantile, since a few timeouts are cut short by the caller
-- Look at: testdata/queries/int_day_timeouts/one_provider
CREATE OR REPLACE TABLE int_day_timeouts AS
WITH timeouts AS (
    SELECT provider, day_of(coalesce(started_at, ended_at)) AS day, elapsed_ms FROM src_attempts
    WHERE outcome = 'timeout' AND elapsed_ms > 0 AND stage IS DISTINCT FROM 'connect' AND kind = 'call'
),
parties AS (
    SELECT * FROM timeouts WHERE provider IS NOT NULL
    UNION ALL
    SELECT '', day, elapsed_ms FROM timeouts
)
SELECT provider, day, count(*) AS timeouts, quantile_disc(elapsed_ms, 0.05) AS timeout_ms,
    CASE WHEN count(*) < 30 THEN list(elapsed_ms ORDER BY elapsed_ms) END AS few
FROM parties GROUP BY provider, day;
