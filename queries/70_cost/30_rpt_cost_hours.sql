-- rpt_cost_hours: every measured parameter of the cost model as two sums an hour.
--
-- Why:    each parameter is a ratio; timeouts come in incidents, so its interval is clustered
--         by hour.
-- Reads:  rpt_cost_attempts, rpt_cost_charges, fct_calls, int_simple_pairs, src_attempts, int_lines
-- Writes: rpt_cost_hours
-- Grain:  (measure, place, layer, provider, model, currency, hour)
-- Units:  the parameter is sum(part) / sum(whole); observations are what stands below the line.
--         Amounts in currency; currency '' where the measure is no money
-- Params: period_asked, period_from, period_to, scope_provider, scope_model, scope_api_key
-- Rule:   design section 5. timeout: of attempts with number place that were reached because those
--         before timed out, those that timed out; layer: of a layer's lines; started: of shown
--         timeouts, those that own a charge; owned_timeout: of
--         those of delivered calls, those whose charge paid for the answer after all; ran_on: of shown timeouts,
--         those whose execution ran to its end, so that its stream was moving; in_time: of those whose execution is
--         timed or that never started, those that twice the wait would have answered; partial (its
--         parts in_full and in_part), timed_out_cost and timed_out_*: of charges of abandoned
--         attempts whose answer was billed by the same model
-- Look at: testdata/queries/rpt_cost_hours/one_of_each
CREATE OR REPLACE TABLE rpt_cost_hours AS
WITH plain AS (
    SELECT date_trunc('hour', coalesce(a.started_at, a.ended_at)) AS hour, coalesce(a.provider, '') AS provider, coalesce(model_key(a.model), '') AS model,
        a.layer, count(*) AS calls
    FROM int_simple_pairs s JOIN src_attempts a ON a.row_id = s.attempt_row
    WHERE (getvariable('period_asked') IS NULL
        OR (coalesce(a.started_at, a.ended_at) >= CAST(getvariable('period_from') AS TIMESTAMP) AND coalesce(a.started_at, a.ended_at) < CAST(getvariable('period_to') AS TIMESTAMP)))
      AND (getvariable('scope_provider') IS NULL OR a.provider = getvariable('scope_provider'))
      AND (getvariable('scope_model') IS NULL OR model_key(a.model) = model_key(getvariable('scope_model')))
      AND (getvariable('scope_api_key') IS NULL OR a.api_key = getvariable('scope_api_key'))
    GROUP BY ALL
),
careful_lines AS (
    SELECT date_trunc('hour', l.t0) AS hour, l.layer, count(*) AS lines, count(*) FILTER (WHERE l.outcome = 'timeout') AS timeouts
    FROM int_lines l WHERE l.kind = 'call' AND l.request_key IN (SELECT request_key FROM fct_calls WHERE NOT simple)
      AND (getvariable('period_asked') IS NULL
        OR (l.t0 >= CAST(getvariable('period_from') AS TIMESTAMP) AND l.t0 < CAST(getvariable('period_to') AS TIMESTAMP)))
    GROUP BY ALL
),
measures AS (
    SELECT 'timeout' AS measure, k AS place, '' AS layer, provider, model, '' AS currency, hour,
        CAST(count(*) FILTER (WHERE timed_out) AS DECIMAL(38,12)) AS part, CAST(count(*) AS DECIMAL(38,12)) AS whole, count(*) AS observations
    FROM rpt_cost_attempts WHERE reached GROUP BY k, provider, model, hour
    UNION ALL
    SELECT 'timeout', 1, '', provider, model, '', hour, 0, calls, calls FROM plain
    UNION ALL
    SELECT 'layer', 0, layer, '', '', '', hour, timeouts, lines, lines FROM careful_lines
    UNION ALL
    SELECT 'layer', 0, layer, '', '', '', hour, 0, calls, calls FROM plain
    UNION ALL
    SELECT 'started', 0, '', provider, model, '', hour, count(*) FILTER (WHERE owns), count(*), count(*)
    FROM rpt_cost_attempts WHERE shown GROUP BY provider, model, hour
    UNION ALL
    SELECT 'ran_on', 0, '', provider, model, '', hour, count(*) FILTER (WHERE ran_on), count(*), count(*)
    FROM rpt_cost_attempts WHERE shown GROUP BY provider, model, hour
    UNION ALL
    SELECT 'in_time', 0, '', provider, model, '', hour, count(*) FILTER (WHERE in_time), count(*), count(*)
    FROM rpt_cost_attempts WHERE shown AND (timed OR NOT owns) GROUP BY provider, model, hour
    UNION ALL
    SELECT 'timed', 0, '', provider, model, '', hour, count(*) FILTER (WHERE timed), count(*), count(*)
    FROM rpt_cost_attempts WHERE shown AND owns GROUP BY provider, model, hour
    UNION ALL
    SELECT 'waited_ms', 0, '', provider, model, '', hour, sum(waited_ms), count(*), count(*)
    FROM rpt_cost_attempts WHERE timed_out AND waited_ms IS NOT NULL GROUP BY provider, model, hour
    UNION ALL
    SELECT 'retried_timeout', 0, '', provider, model, '', hour, count(*), count(*), count(*)
    FROM rpt_cost_attempts WHERE timed_out AND delivered GROUP BY provider, model, hour
    UNION ALL
    SELECT 'owned_timeout', 0, '', provider, model, '', hour, count(*) FILTER (WHERE answered), count(*), count(*)
    FROM rpt_cost_attempts WHERE owns AND delivered GROUP BY provider, model, hour
    UNION ALL
    SELECT CASE verdict WHEN 'timeout_retry' THEN 'in_full' ELSE 'in_part' END, 0, '', provider, model, currency, hour, sum(amount), sum(twin), count(*)
    FROM rpt_cost_charges WHERE verdict <> 'delivered' AND amount IS NOT NULL AND twin > 0 GROUP BY verdict, provider, model, currency, hour
    UNION ALL
    SELECT 'partial', 0, '', provider, model, currency, hour, sum(amount), sum(twin), count(*)
    FROM rpt_cost_charges WHERE verdict <> 'delivered' AND amount IS NOT NULL AND twin > 0 GROUP BY provider, model, currency, hour
    UNION ALL
    SELECT 'timed_out_cost', 0, '', provider, model, currency, hour, sum(twin), count(*), count(*)
    FROM rpt_cost_charges WHERE verdict <> 'delivered' AND amount IS NOT NULL AND twin > 0 GROUP BY provider, model, currency, hour
    UNION ALL
    SELECT 'unit_cost', 0, '', provider, model, currency, hour, sum(amount), count(*), count(*)
    FROM rpt_cost_charges WHERE verdict = 'delivered' AND amount IS NOT NULL GROUP BY provider, model, currency, hour
    UNION ALL
    SELECT 'timed_out_input', 0, '', provider, model, currency, hour, sum(twin_input), count(*), count(*)
    FROM rpt_cost_charges WHERE verdict <> 'delivered' AND twin_input IS NOT NULL GROUP BY provider, model, currency, hour
    UNION ALL
    SELECT 'timed_out_output', 0, '', provider, model, currency, hour, sum(twin_output), count(*), count(*)
    FROM rpt_cost_charges WHERE verdict <> 'delivered' AND twin_output IS NOT NULL GROUP BY provider, model, currency, hour
    UNION ALL
    SELECT 'input', 0, '', provider, model, currency, hour, sum(input_tokens), count(*), count(*)
    FROM rpt_cost_charges WHERE verdict = 'delivered' AND input_tokens IS NOT NULL GROUP BY provider, model, currency, hour
    UNION ALL
    SELECT 'output', 0, '', provider, model, currency, hour, sum(output_tokens), count(*), count(*)
    FROM rpt_cost_charges WHERE verdict = 'delivered' AND output_tokens IS NOT NULL GROUP BY provider, model, currency, hour
)
SELECT measure, CAST(place AS INTEGER) AS place, layer, provider, model, currency, hour, sum(part) AS part, sum(whole) AS whole, CAST(sum(observations) AS BIGINT) AS observations
FROM measures GROUP BY ALL;
