-- int_recoveries: attempts whose answer was fetched later by asking for their state.
--
-- Why:    a query is no execution; a successful one delivers what its attempt computed.
-- Reads:  int_lines, int_attempt_copies, int_line_parents
-- Writes: int_recoveries
-- Grain:  row_id, of the recovered attempt
-- Units:  UTC
-- Params: none
-- Rule:   design section 3, (6); the query asks about the latest failed attempt before it,
--         of its own number if it has one
-- Empty:  NOT EXISTS (FROM int_lines WHERE kind = 'query')
-- Look at: testdata/queries/int_recoveries/status_query_succeeds
CREATE OR REPLACE TABLE int_recoveries AS
WITH tops AS (
    SELECT * FROM int_lines l
    ANTI JOIN int_attempt_copies c ON c.row_id = l.row_id
    ANTI JOIN int_line_parents p ON p.row_id = l.row_id
),
asked AS (
    SELECT a.row_id, coalesce(q.t1, q.t0) AS recovered_at,
        row_number() OVER (PARTITION BY q.row_id ORDER BY q.n = a.n DESC NULLS LAST, a.t0 DESC, a.n DESC, a.row_id) AS place
    FROM tops q JOIN tops a ON a.request_key = q.request_key AND a.kind = 'call' AND a.t0 <= q.t0
    WHERE q.kind = 'query' AND q.succeeded AND NOT a.succeeded AND a.ran
)
SELECT row_id, min(recovered_at) AS recovered_at FROM asked WHERE place = 1 GROUP BY row_id;
