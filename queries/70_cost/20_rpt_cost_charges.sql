-- rpt_cost_charges: what answers cost, and what abandoned executions cost beside them.
--
-- Why:    the cost model's u and g, in money.
-- Reads:  fct_verdicts, fct_charges, int_charges, int_executions, int_simple_pairs, src_attempts
-- Writes: rpt_cost_charges
-- Grain:  charge_no (of the bill, settled, delivered or abandoned after a timeout)
-- Units:  currency; tokens; hour UTC, in which the attempt began
-- Params: period_from, period_to
-- Rule:   design section 5: u is the mean cost of an answer, g the part of it, in money, that an
--         abandoned execution is billed; both only where the amounts are known. twin is the amount of
--         the charge that paid for the answer of the same call, by the same model
-- Look at: testdata/queries/rpt_cost_charges/timed_out_and_answered
CREATE OR REPLACE TABLE rpt_cost_charges AS
WITH lines AS (
    SELECT charge_no, any_value(verdict) AS verdict, any_value(simple) AS simple, any_value(row_id) AS row_id, any_value(exec_id) AS exec_id,
        any_value(book_provider) AS provider, coalesce(any_value(model_key), '') AS model, any_value(currency) AS currency, bool_or(rerouted) AS rerouted,
        min(charged_at) AS charged_at, CASE WHEN count(*) = count(amount) THEN sum(amount) END AS amount,
        CAST(sum(input_tokens) AS BIGINT) AS input_tokens, CAST(sum(output_tokens) AS BIGINT) AS output_tokens
    FROM fct_verdicts
    WHERE book = 'bill' AND settled AND verdict IN ('delivered', 'timeout_retry', 'partial_tokens')
      AND charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND charged_at < CAST(getvariable('period_to') AS TIMESTAMP)
    GROUP BY charge_no
),
-- Whom each is looked up with. (A condition on the left side within an outer join would have
-- DuckDB compare every row with every row.)
keyed AS (
    SELECT *, CASE WHEN simple THEN row_id END AS simple_row, CASE WHEN verdict <> 'delivered' THEN charge_no END AS abandoned_no FROM lines
)
SELECT l.charge_no, l.verdict, coalesce(l.provider, '') AS provider, l.model, l.currency, l.amount, l.input_tokens, l.output_tokens,
    date_trunc('hour', coalesce(e.t0, a.started_at, a.ended_at, l.charged_at)) AS hour,
    CASE WHEN NOT l.rerouted THEN d.amount END AS twin, CASE WHEN NOT l.rerouted THEN d.input_tokens END AS twin_input,
    CASE WHEN NOT l.rerouted THEN d.output_tokens END AS twin_output
FROM keyed l
LEFT JOIN int_executions e ON e.exec_id = l.exec_id
LEFT JOIN int_simple_pairs s ON s.charge_row = l.simple_row
LEFT JOIN src_attempts a ON a.row_id = s.attempt_row
LEFT JOIN fct_charges f ON f.charge_no = l.abandoned_no
LEFT JOIN int_charges d ON d.charge_no = f.delivered_charge AND d.currency = l.currency;
