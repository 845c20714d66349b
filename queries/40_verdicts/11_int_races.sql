-- int_races: executions that lost a race against another of the same call.
--
-- Why:    a hedge sends the same prompt twice on purpose; the loser is paid for by policy.
-- Reads:  int_executions
-- Writes: int_races
-- Grain:  exec_id, of the loser
-- Units:  none
-- Params: none
-- Rule:   design section 4, hedged: it succeeded or was cancelled while another of the same
--         call, same model and input, other number, overlapped it and ended first (tie: lower
--         number). Whose attempt overlapped whose is judged by the outermost lines
-- Look at: testdata/queries/int_races/tie_goes_to_the_lower_number
CREATE OR REPLACE TABLE int_races AS
SELECT DISTINCT l.exec_id
FROM int_executions l
JOIN int_executions w ON w.request_key = l.request_key AND w.call_no = l.call_no AND w.top_row <> l.top_row
WHERE (l.succeeded OR l.outcome = 'cancelled') AND w.succeeded AND NOT l.lost
  AND agrees(w.model_key, l.model_key) AND agrees(w.provider, l.provider) AND agrees(w.input_tokens, l.input_tokens)
  AND w.app_n <> l.app_n
  AND w.top_t0 <= coalesce(l.top_t1, w.top_t0) AND l.top_t0 <= w.top_t1
  AND (w.top_t1 < coalesce(l.top_t1, TIMESTAMP '9999-01-01') OR (w.top_t1 = l.top_t1 AND w.app_n < l.app_n));
