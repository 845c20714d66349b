-- int_log_spans: which time the log covers, by provider and key.
--
-- Why:    a charge outside it cannot be called a stranger.
-- Reads:  src_attempts
-- Writes: int_log_spans
-- Grain:  (provider, api_key); NULL where the lines name none
-- Units:  UTC
-- Params: none
-- Rule:   design section 3, coverage
-- Look at: testdata/queries/int_log_spans/two_keys
CREATE OR REPLACE TABLE int_log_spans AS
SELECT provider, api_key, min(coalesce(started_at, ended_at)) AS since, max(coalesce(ended_at, started_at)) AS until
FROM src_attempts GROUP BY provider, api_key;
