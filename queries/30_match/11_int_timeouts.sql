-- int_timeouts: how long a timeout lasts here.
--
-- Why:    a gap in the log, or an attempt refused in the end, counts as one that ran only
--         if it lasted as long as a timeout.
-- Reads:  src_attempts
-- Writes: int_timeouts
-- Grain:  provider; '' stands for all together, and for what the log shows no timeout of
-- Units:  timeout_ms: nearly the shortest timeout seen; floor_ms: what an execution that
--         was given up inside an attempt lasts at least
-- Params: read_timeouts_ms, used where the log shows no timeout
-- Rule:   our choice: the 5 % quantile, since a few timeouts are cut short by the caller;
--         the floor is 45 % of it, since two executions share one attempt's time,
--         at least 1 s; 5 s where nothing is known
-- Look at: testdata/queries/int_timeouts/one_provider
CREATE OR REPLACE TABLE int_timeouts AS
WITH timeouts AS (
    SELECT provider, elapsed_ms FROM src_attempts
    WHERE outcome = 'timeout' AND elapsed_ms > 0 AND stage IS DISTINCT FROM 'connect' AND kind = 'call'
),
measured AS (
    SELECT provider, quantile_disc(elapsed_ms, 0.05) AS timeout_ms FROM timeouts
    WHERE provider IS NOT NULL GROUP BY provider
    UNION ALL
    SELECT '', coalesce(quantile_disc(elapsed_ms, 0.05),
        TRY_CAST(split_part(getvariable('read_timeouts_ms'), ',', 1) AS BIGINT)) FROM timeouts
)
SELECT provider, timeout_ms, CASE WHEN timeout_ms IS NULL THEN 5000 ELSE greatest(timeout_ms * 45 // 100, 1000) END AS floor_ms
FROM measured;
