-- int_lost_lines: attempts that a gap in the numbers proves and no line tells of.
--
-- Why:    a log loses lines; the vendor's charge for such an attempt is no stranger.
-- Reads:  int_lines, int_call_lines
-- Writes: int_lost_lines
-- Grain:  (request_key, call_no, n)
-- Units:  UTC; day is that of the next attempt; gap_from is NULL where the call's first lines are lost; cause is lost, refused,
--         server_error or unknown
-- Params: none
-- Rule:   design section 3, (5): a number that no line has, below one that is there (at most 20 in a row: more is another numbering); it owns
--         what is stamped before the next attempt began. The first article's client writes no line
--         for an attempt that was answered with an error, and one for every timeout. There a
--         missing number was refused or failed, not timed out, and only the last error before
--         a timeout is told: 429 was refused, 5xx failed and may have run, and for one that
--         nothing tells of either may hold, or its line is lost. "No error so far" proves that
--         the line is lost
-- Empty:  NOT EXISTS (FROM int_lines WHERE n > 1)
-- Look at: testdata/queries/int_lost_lines/second_of_three, status_of_an_unlogged_refusal
CREATE OR REPLACE TABLE int_lost_lines AS
WITH members AS (
    SELECT c.request_key, c.call_no, c.place, l.*
    FROM int_call_lines c JOIN int_lines l USING (row_id)
),
gaps AS (
    SELECT *, coalesce(lag(n) OVER one_call, 0) AS last_n, lag(coalesce(t1, t0)) OVER one_call AS gap_from,
        -- the first line from here on that tells what errors came before it
        first_value(CASE WHEN unlogged <> 'unknown' THEN unlogged END IGNORE NULLS) OVER rest AS told,
        first_value(CASE WHEN unlogged <> 'unknown' THEN place END IGNORE NULLS) OVER rest AS told_at,
        -- a line without a number in the gap is the lost one's own, seen from another layer
        count(*) FILTER (WHERE n IS NULL) OVER (PARTITION BY request_key, call_no) AS unnumbered
    FROM members
    WINDOW one_call AS (PARTITION BY request_key, call_no ORDER BY place),
        rest AS (PARTITION BY request_key, call_no ORDER BY place ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
),
missing AS (
    SELECT g.* EXCLUDE (n), CAST(m.n AS BIGINT) AS n
    FROM gaps g, generate_series(g.last_n + 1, g.n - 1) AS m(n)
    WHERE g.n > g.last_n + 1 AND g.n - g.last_n <= 20 AND g.unnumbered = 0
),
-- The status that a line tells is that of the last missing number before it.
placed AS (
    SELECT *, n = max(n) OVER (PARTITION BY request_key, call_no, told_at) AS is_told FROM missing
)
SELECT request_key, call_no, n, gap_from, t0 AS gap_to, row_id AS next_row, day, provider, model_key, floor_ms, timeout_ms,
    CASE WHEN unlogged IS NULL OR told = 'no' THEN 'lost'
         WHEN NOT is_told OR told IS NULL THEN 'unknown'
         WHEN told = '429' THEN 'refused'
         WHEN told LIKE '5%' AND told <> '504' THEN 'server_error'
         ELSE 'unknown' END AS cause
FROM placed;
