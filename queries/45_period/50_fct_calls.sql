-- fct_calls: the task table: one row a call, plain or careful, with its state.
--
-- Why:    counts of requests, and the first article's task table.
-- Reads:  int_calls, int_simple_pairs, src_attempts, int_executions
-- Writes: fct_calls (a view: the plain ones are many)
-- Grain:  (request_key, call_no)
-- Units:  UTC; simple: of int_simple_pairs, and the only call of its id
-- Params: period_from, period_to, period_asked: a call is in the report of the period in
--         which it began; without a period asked for, all are; scope_provider, scope_model, scope_api_key
-- Rule:   design section 2, calls; attempts made is the highest number seen, not lines
-- Look at: testdata/queries/fct_calls/states
CREATE OR REPLACE VIEW fct_calls AS
WITH careful_parties AS (
    SELECT request_key, call_no, min(provider) AS provider, min(model) AS model, min(api_key) AS api_key
    FROM int_executions GROUP BY request_key, call_no
),
every_call AS (
    SELECT c.request_key, c.call_no, c.request_id, c.state, coalesce(c.highest_n, c.lines) AS attempts, c.first_at, c.last_at, p.provider, p.model, p.api_key, false AS simple
    FROM int_calls c LEFT JOIN careful_parties p USING (request_key, call_no)
    UNION ALL
    SELECT coalesce(a.request_id, '?' || a.row_id), 1, a.request_id, 'succeeded', 1, coalesce(a.started_at, a.ended_at), a.ended_at, a.provider, a.model, a.api_key, true
    FROM int_simple_pairs s JOIN src_attempts a ON a.row_id = s.attempt_row
)
SELECT * FROM every_call
WHERE (getvariable('period_asked') IS NULL
       OR (first_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND first_at < CAST(getvariable('period_to') AS TIMESTAMP)))
  AND (getvariable('scope_provider') IS NULL OR provider = getvariable('scope_provider'))
  AND (getvariable('scope_model') IS NULL OR model_key(model) = model_key(getvariable('scope_model')))
  AND (getvariable('scope_api_key') IS NULL OR api_key = getvariable('scope_api_key'));
