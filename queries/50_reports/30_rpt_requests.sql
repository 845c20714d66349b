-- rpt_requests: how many calls there were, how they ended, and how many were paid twice.
--
-- Why:    the denominator of every rate.
-- Reads:  fct_calls, fct_verdicts
-- Writes: rpt_requests
-- Grain:  one row
-- Units:  calls; duplicated are calls with a settled excess charge above 0
-- Params: none
-- Rule:   design section 7; unknown holds what is submitted or running as well
-- Look at: testdata/queries/rpt_requests/one_of_each_state
CREATE OR REPLACE TABLE rpt_requests AS
WITH states AS (
    SELECT count(*) AS total, count(*) FILTER (WHERE state = 'succeeded') AS succeeded,
        count(*) FILTER (WHERE state = 'failed') AS failed, count(*) FILTER (WHERE state NOT IN ('succeeded', 'failed')) AS unknown
    FROM fct_calls
),
duplicated AS (
    SELECT count(*) AS duplicated FROM (
        SELECT DISTINCT coalesce(call_key, 'charge ' || charge_no) FROM fct_verdicts WHERE is_excess AND settled AND excess > 0)
)
SELECT * FROM states, duplicated;
