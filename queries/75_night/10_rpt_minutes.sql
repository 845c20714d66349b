-- rpt_minutes: the minutes of the log that a night has brought, and how many attempts failed.
--
-- Why:    a service that fails for a minute is told of before anyone looks at a bill.
-- Reads:  src_attempts, src_files, int_attempt_copies
-- Writes: rpt_minutes
-- Grain:  minute
-- Units:  minute UTC, by the end of an attempt; attempts and failed count lines
-- Params: night_run, the first run whose lines are new
-- Rule:   third article: an error rate above 30 % within a minute calls somebody. Failed is a timeout,
--         a refusal for its rate, an error of the server or of the client; cancelled is neither. Lines of the
--         outermost layer of the minute count, copies do not. A minute counts whole, whoever brought its lines
-- Look at: testdata/queries/rpt_minutes/one_bad_minute
CREATE OR REPLACE TABLE rpt_minutes AS
WITH lines AS (
    SELECT date_trunc('minute', coalesce(a.ended_at, a.started_at)) AS minute, a.outcome, f.run_no,
        CASE a.layer WHEN 'app' THEN 1 WHEN 'sdk' THEN 2 ELSE 3 END AS layer
    FROM src_attempts a
    JOIN src_files f ON f.file_no = a.file_no
    WHERE a.kind = 'call' AND a.row_id NOT IN (SELECT row_id FROM int_attempt_copies)
),
-- Only minutes with something new.
fresh AS (
    SELECT DISTINCT minute FROM lines WHERE run_no >= setting('night_run') AND minute IS NOT NULL
),
outermost AS (
    SELECT minute, min(layer) AS layer FROM lines SEMI JOIN fresh USING (minute) GROUP BY minute
)
SELECT minute, count(*) AS attempts,
    count(*) FILTER (WHERE l.outcome IN ('timeout', 'rate_limited', 'server_error', 'client_error')) AS failed
FROM lines l JOIN outermost o USING (minute, layer)
GROUP BY minute;
