-- int_log_requests: every request that the log shows, with what its answer should have cost.
--
-- Why:    what was delivered is what should have been paid; what was abandoned is what may have been.
-- Reads:  int_simple_pairs, int_executions, src_attempts, int_call_inputs, src_prices, src_models, src_providers
-- Writes: int_log_requests
-- Grain:  row_id (of an execution; negative for a lost line)
-- Units:  tokens; cost in currency: of an answer, by the list; of an abandoned request, of what it would have cost run to its end; NULL is unknown
-- Params: period_from, period_to; scope_provider, scope_model, scope_api_key
-- Rule:   answered: it came back with an answer. abandoned: it timed out, was cancelled, or has no end. failed: another error, after it ran. Requests that
--         never connected or were refused are none. An abandoned request has the prompt of its siblings, and the output of its call's answer by the
--         same model; where there is none, the mean of the model's answers
-- Look at: testdata/queries/int_log_requests/one_of_each
CREATE OR REPLACE TABLE int_log_requests AS
WITH shown AS (
    SELECT a.row_id, CAST(NULL AS VARCHAR) AS request_key, CAST(NULL AS BIGINT) AS call_no, coalesce(a.started_at, a.ended_at) AS t0, a.provider, coalesce(m.canonical, model_key(a.model), '') AS model_key, a.model, a.api_key,
        'answered' AS state, a.input_tokens, a.cached_input_tokens, a.output_tokens
    FROM int_simple_pairs s JOIN src_attempts a ON a.row_id = s.attempt_row LEFT JOIN src_models m ON m.alias = lower(a.model)
    UNION ALL
    SELECT e.exec_id, e.request_key, e.call_no, e.t0, e.provider, coalesce(e.model_key, ''), e.model, e.api_key,
        CASE WHEN a.outcome IN ('success', 'recovered') OR e.outcome = 'recovered' THEN 'answered'
             WHEN e.outcome IN ('timeout', 'cancelled') OR a.outcome IN ('timeout', 'cancelled') OR NOT e.ended THEN 'abandoned' ELSE 'failed' END,
        a.input_tokens, a.cached_input_tokens, a.output_tokens
    FROM int_executions e LEFT JOIN src_attempts a ON a.row_id = e.exec_id
    WHERE e.ran AND NOT e.cached
),
known AS (
    SELECT * FROM shown
    WHERE t0 >= CAST(getvariable('period_from') AS TIMESTAMP) AND t0 < CAST(getvariable('period_to') AS TIMESTAMP)
      AND (getvariable('scope_provider') IS NULL OR coalesce(provider, getvariable('scope_provider')) = getvariable('scope_provider'))
      AND (getvariable('scope_model') IS NULL OR model_key = model_key(getvariable('scope_model')))
      AND (getvariable('scope_api_key') IS NULL OR api_key = getvariable('scope_api_key'))
),
answers AS (
    SELECT request_key, call_no, model_key, max(input_tokens) AS input, max(cached_input_tokens) AS cached, max(output_tokens) AS output
    FROM known WHERE state = 'answered' AND request_key IS NOT NULL GROUP BY ALL
),
means AS (
    SELECT model_key, CAST(round(avg(input_tokens)) AS BIGINT) AS input, CAST(round(avg(coalesce(cached_input_tokens, 0))) AS BIGINT) AS cached, CAST(round(avg(output_tokens)) AS BIGINT) AS output
    FROM known WHERE state = 'answered' GROUP BY model_key
),
filled AS (
    SELECT k.* EXCLUDE (input_tokens, cached_input_tokens, output_tokens), k.input_tokens IS NOT NULL AND k.output_tokens IS NOT NULL OR k.state <> 'answered' AS told,
        CASE k.state WHEN 'answered' THEN coalesce(k.input_tokens, c.input_tokens, m.input) WHEN 'abandoned' THEN coalesce(k.input_tokens, c.input_tokens, a.input, m.input) END AS input,
        CASE k.state WHEN 'answered' THEN coalesce(k.cached_input_tokens, 0) WHEN 'abandoned' THEN coalesce(a.cached, CASE WHEN c.input_tokens IS NULL AND k.input_tokens IS NULL THEN m.cached END, 0) END AS cached,
        CASE k.state WHEN 'answered' THEN coalesce(k.output_tokens, m.output) WHEN 'abandoned' THEN coalesce(a.output, m.output) END AS output
    FROM known k
    LEFT JOIN int_call_inputs c ON c.request_key = k.request_key AND c.call_no = k.call_no AND c.model_key = k.model_key
    LEFT JOIN answers a ON a.request_key = k.request_key AND a.call_no = k.call_no AND a.model_key = k.model_key
    LEFT JOIN means m ON m.model_key = k.model_key
),
lists AS (
    SELECT p.* REPLACE (coalesce(o.canonical, p.provider) AS provider), p.provider AS listed_provider
    FROM src_prices p LEFT JOIN src_providers o ON o.provider = p.provider AND o.provider <> ''
),
-- A model under all names that a list may have for it; a lost line has only the folded one.
models AS (
    SELECT DISTINCT f.model, f.model_key, f.provider, p.listed_provider, p.provider AS list_provider, p.above, p.since, p.until, p.currency, p.input, p.cached_input, p.output, p.file_no
    FROM (SELECT DISTINCT model, model_key, provider FROM filled) f JOIN lists p
      ON p.model IN (lower(f.model), p.listed_provider || '/' || lower(f.model), f.model_key) WHERE p.tier = 'standard' AND agrees(f.provider, p.provider)
),
fitting AS (
    SELECT f.row_id, p.currency, p.input AS p_in, p.cached_input AS p_cached, p.output AS p_out, p.above = max(p.above) OVER (PARTITION BY f.row_id, p.file_no) AS fits, f.input, f.cached, f.output
    FROM filled f JOIN models p ON p.model IS NOT DISTINCT FROM f.model AND p.model_key = f.model_key AND p.provider IS NOT DISTINCT FROM f.provider
    WHERE (p.since IS NULL OR f.t0 >= p.since) AND (p.until IS NULL OR f.t0 < p.until) AND (p.above = 0 OR f.input > p.above)
),
costed AS (
    SELECT row_id, min(currency) AS currency, CASE WHEN count(units) = count(*) AND min(units) = max(units) AND min(currency) = max(currency) THEN min(units) END AS units FROM (
        SELECT row_id, currency, greatest(input - cached, 0) * money_units(p_in) + CASE WHEN cached > 0 THEN cached * money_units(p_cached) ELSE 0 END + output * money_units(p_out) AS units
        FROM fitting WHERE fits)
    GROUP BY row_id
)
SELECT f.row_id, f.t0, coalesce(f.provider, '') AS provider, f.model_key, coalesce(f.api_key, '') AS api_key, f.state, f.told, f.input, f.cached, f.output, c.currency,
    units_money((c.units + 500000) // 1000000) AS cost
FROM filled f LEFT JOIN costed c USING (row_id);
