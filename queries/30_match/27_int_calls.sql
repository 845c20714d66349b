-- int_calls: one row a call of the careful kind, with its state and what delivered it.
--
-- Why:    whether a call was delivered decides what its other charges were paid for.
-- Reads:  int_lines, int_call_lines, int_recoveries, int_lost_lines, int_highest_numbers
-- Writes: int_calls
-- Grain:  (request_key, call_no)
-- Units:  UTC
-- Params: none
-- Rule:   design section 3, (4): a call whose last line is retryable below the maximum, or
--         has no end, is unknown; cancelled is final, unless a lost line may have won the race. The maximum is the log's own, else the
--         highest number that the layer shows. Of several successes the first to end
--         delivered (section 4, hedged; tie: lower number)
-- Look at: testdata/queries/int_calls/retryable_below_the_maximum
CREATE OR REPLACE TABLE int_calls AS
WITH members AS (
    SELECT c.call_no, c.place, c.doubtful, l.*, h.highest, r.recovered_at,
        l.succeeded OR r.recovered_at IS NOT NULL AS delivers,
        coalesce(r.recovered_at, l.t1, l.t0) AS delivered_at
    FROM int_call_lines c JOIN int_lines l ON l.row_id = c.row_id
    LEFT JOIN int_recoveries r ON r.row_id = l.row_id
    LEFT JOIN int_highest_numbers h ON h.layer = l.layer AND h.month = month_of(l.day)
),
summed AS (
    SELECT request_key, call_no, any_value(request_id) AS request_id,
        count(*) AS lines, max(n) AS highest_n, max(max_attempts) AS max_attempts, max(highest) AS highest,
        min(t0) AS first_at, max(coalesce(t1, t0)) AS last_at, max(t0) AS last_start,
        count(*) FILTER (WHERE ran) AS app_ran,
        arg_min(row_id, row(delivered_at, n, place)) FILTER (WHERE delivers) AS delivered_row,
        min(delivered_at) FILTER (WHERE delivers) AS delivered_at,
        max(place) AS last_place, bool_or(doubtful) AS doubtful, count(*) FILTER (WHERE NOT delivers) > 0 AS retried
    FROM members GROUP BY request_key, call_no
),
-- Calls whose retries may have been laid to the wrong one, where one was answered and another
-- was not: which of their charges paid for nothing, nobody can tell.
uncertain AS (
    SELECT request_key FROM summed WHERE retried GROUP BY request_key
    HAVING bool_or(doubtful) AND bool_or(delivered_row IS NOT NULL) AND bool_or(delivered_row IS NULL)
),
ended AS (
    SELECT s.*, m.outcome AS last_outcome, m.retryable AS last_retryable, m.retryable_told, m.t1 IS NOT NULL AS last_ended,
        m.n AS last_n, m.stage AS last_stage
    FROM summed s JOIN members m ON m.request_key = s.request_key AND m.call_no = s.call_no AND m.place = s.last_place
)
SELECT request_key, call_no, request_id, lines, highest_n, first_at, last_at, last_start, last_place, app_ran,
    delivered_row, delivered_at, retried AND u.request_key IS NOT NULL AS doubtful, CASE
        WHEN delivered_row IS NOT NULL THEN 'succeeded'
        WHEN NOT last_ended THEN CASE WHEN coalesce(last_stage, 'connect') = 'connect' THEN 'submitted' ELSE 'running' END
        WHEN last_outcome = 'cancelled' AND lost.request_key IS NOT NULL THEN 'unknown'
        WHEN last_retryable AND last_n IS NULL AND retryable_told THEN 'unknown'
        WHEN last_retryable AND coalesce(last_n < coalesce(max_attempts, highest), false) THEN 'unknown'
        ELSE 'failed' END AS state
FROM ended
LEFT JOIN uncertain u USING (request_key)
LEFT JOIN (SELECT DISTINCT request_key, call_no FROM int_lost_lines) lost USING (request_key, call_no);
