-- rpt_cost_period: what the measured rates are rates of.
--
-- Why:    calls a day need days, and a period may be longer than its data.
-- Reads:  fct_calls
-- Writes: rpt_cost_period
-- Grain:  one row
-- Units:  whole hours, UTC, the end excluded; attempts made is the largest number that a call needed
-- Params: period_asked, period_from, period_to
-- Rule:   our choice: from the hour of the first call to that of the last, so that a month
--         that is half there is not taken for a quiet one
-- Look at: testdata/queries/rpt_cost_period/two_hours
CREATE OR REPLACE TABLE rpt_cost_period AS
SELECT count(*) AS calls, date_trunc('hour', min(first_at)) AS since, date_trunc('hour', max(first_at)) + INTERVAL 1 HOUR AS until,
    CAST(coalesce(max(attempts), 0) AS INTEGER) AS most_attempts
FROM fct_calls
WHERE getvariable('period_asked') IS NULL
   OR (first_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND first_at < CAST(getvariable('period_to') AS TIMESTAMP));
