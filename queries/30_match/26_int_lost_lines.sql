-- int_lost_lines: attempts that a gap in the numbers proves and no line tells of.
--
-- Why:    a log loses lines; the vendor's charge for such an attempt is no stranger.
-- Reads:  int_lines, int_call_lines
-- Writes: int_lost_lines
-- Grain:  (request_key, call_no, n)
-- Units:  UTC; gap_from is NULL where the call's first lines are lost
-- Params: none
-- Rule:   design section 3, (5): a number that no line has, below one that is there (at most 20 in a row: more is another numbering); it owns
--         what is stamped before the next attempt began
-- Look at: testdata/queries/int_lost_lines/second_of_three
CREATE OR REPLACE TABLE int_lost_lines AS
WITH members AS (
    SELECT c.request_key, c.call_no, c.place, l.*
    FROM int_call_lines c JOIN int_lines l USING (row_id)
),
gaps AS (
    SELECT *, coalesce(lag(n) OVER one_call, 0) AS last_n, lag(coalesce(t1, t0)) OVER one_call AS gap_from,
        -- a line without a number in the gap is the lost one's own, seen from another layer
        count(*) FILTER (WHERE n IS NULL) OVER (PARTITION BY request_key, call_no) AS unnumbered
    FROM members
    WINDOW one_call AS (PARTITION BY request_key, call_no ORDER BY place)
)
SELECT request_key, call_no, CAST(missing AS BIGINT) AS n, gap_from, t0 AS gap_to, row_id AS next_row, provider, model_key,
    floor_ms, timeout_ms
FROM gaps, generate_series(last_n + 1, n - 1) AS g(missing)
WHERE n > last_n + 1 AND n - last_n <= 20 AND unnumbered = 0;
