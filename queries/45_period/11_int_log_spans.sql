-- int_log_spans: which time the log covers, by provider and key.
--
-- Why:    a charge outside it cannot be called a stranger.
-- Reads:  int_log_days
-- Writes: int_log_spans
-- Grain:  (provider, api_key, since); provider and key NULL where the lines name none
-- Units:  UTC
-- Params: none
-- Rule:   design section 3, coverage; our choice: a silence of more than 31 days is not covered,
--         so that a log of June does not vouch for May
-- Look at: testdata/queries/int_log_spans/two_keys, a_long_silence
CREATE OR REPLACE TABLE int_log_spans AS
WITH ordered AS (
    SELECT *, coalesce(since > max(until) OVER (PARTITION BY provider, api_key ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        + INTERVAL 31 DAY, true) AS begins
    FROM int_log_days
),
numbered AS (
    SELECT *, count(*) FILTER (WHERE begins) OVER (PARTITION BY provider, api_key ORDER BY day) AS span FROM ordered
)
SELECT provider, api_key, min(since) AS since, max(until) AS until FROM numbered GROUP BY provider, api_key, span;
