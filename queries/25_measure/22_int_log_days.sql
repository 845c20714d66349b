-- int_log_days: which time of a day the log covers, by provider and key.
--
-- Why:    coverage, and the days for which anything has to be known of stamps and timeouts.
-- Reads:  src_attempts
-- Writes: int_log_days
-- Grain:  (provider, api_key, day); NULL where the lines name none
-- Units:  day is the UTC day on which the attempts began; UTC
-- Params: none
-- Rule:   design section 3, coverage
-- Look at: testdata/queries/int_log_days/two_keys
CREATE OR REPLACE TABLE int_log_days AS
SELECT provider, api_key, day_of(coalesce(started_at, ended_at)) AS day, count(*) AS lines,
    min(coalesce(started_at, ended_at)) AS since, max(coalesce(ended_at, started_at)) AS until
FROM src_attempts GROUP BY ALL;
