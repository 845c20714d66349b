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
WITH every_call AS (
    SELECT request_key, call_no, request_id, state, coalesce(highest_n, lines) AS attempts, first_at, last_at, false AS simple
    FROM int_calls
    WHERE coalesce(getvariable('scope_provider'), getvariable('scope_model'), getvariable('scope_api_key')) IS NULL
    UNION ALL
    -- Whose attempts they are is asked only where the report is narrowed to some.
    SELECT c.request_key, c.call_no, c.request_id, c.state, coalesce(c.highest_n, c.lines), c.first_at, c.last_at, false
    FROM int_calls c JOIN (SELECT request_key, call_no, min(provider) AS provider, min(model) AS model, min(api_key) AS api_key
                           FROM int_executions GROUP BY request_key, call_no) p USING (request_key, call_no)
    WHERE coalesce(getvariable('scope_provider'), getvariable('scope_model'), getvariable('scope_api_key')) IS NOT NULL
      AND (getvariable('scope_provider') IS NULL OR p.provider = getvariable('scope_provider'))
      AND (getvariable('scope_model') IS NULL OR model_key(p.model) = model_key(getvariable('scope_model')))
      AND (getvariable('scope_api_key') IS NULL OR p.api_key = getvariable('scope_api_key'))
    UNION ALL
    SELECT coalesce(a.request_id, '?' || a.row_id), 1, a.request_id, 'succeeded', 1, coalesce(a.started_at, a.ended_at), a.ended_at, true
    FROM int_simple_pairs s JOIN src_attempts a ON a.row_id = s.attempt_row
    WHERE (getvariable('scope_provider') IS NULL OR a.provider = getvariable('scope_provider'))
      AND (getvariable('scope_model') IS NULL OR model_key(a.model) = model_key(getvariable('scope_model')))
      AND (getvariable('scope_api_key') IS NULL OR a.api_key = getvariable('scope_api_key'))
)
SELECT * FROM every_call
WHERE getvariable('period_asked') IS NULL
   OR (first_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND first_at < CAST(getvariable('period_to') AS TIMESTAMP));
