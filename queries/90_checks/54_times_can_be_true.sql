-- fail: every time lies between 2015 and two days ahead of the run's clock, and no attempt ends before it starts
SELECT row_id, started_at, ended_at
FROM src_attempts WHERE NOT in_time(started_at) OR NOT in_time(ended_at) OR ended_at < started_at OR (started_at IS NULL AND ended_at IS NULL)
UNION ALL
SELECT row_id, charged_at, NULL FROM src_charges WHERE charged_at IS NULL OR NOT in_time(charged_at)
