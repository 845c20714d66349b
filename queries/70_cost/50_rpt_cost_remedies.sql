-- rpt_cost_remedies: what the data tell of the remedies' parameters.
--
-- Why:    a remedy's saving should rest on what was measured where it can be.
-- Reads:  fct_verdicts, fct_charges, int_charges, int_executions, src_providers
-- Writes: rpt_cost_remedies
-- Grain:  (currency, provider)
-- Units:  currency, of abandoned executions of timed-out attempts; finished: known to have ended, by its
--         generation time, within the wait after the client had left
-- Params: status_wait_ms, how long one would ask for the status, default 30 s; period_from, period_to
-- Rule:   design section 5, remedies: coverage is by money, from the profile (idempotency:
--         honoured); what has finished is known only where the bill has a generation time
-- Look at: testdata/queries/rpt_cost_remedies/one_finished_in_time
CREATE OR REPLACE TABLE rpt_cost_remedies AS
SELECT v.currency, v.book_provider AS provider, coalesce(any_value(p.idempotency) = 'honoured', false) AS honours,
    sum(v.excess) AS excess,
    coalesce(sum(v.excess) FILTER (WHERE c.generation_ms IS NOT NULL AND e.start_known AND e.t1 IS NOT NULL), 0) AS timed,
    coalesce(sum(v.excess) FILTER (WHERE c.generation_ms IS NOT NULL AND e.start_known AND NOT c.cancelled
        AND plus_ms(e.t0, c.generation_ms) <= plus_ms(e.t1, coalesce(setting('status_wait_ms'), 30000))), 0) AS finished
FROM fct_verdicts v
JOIN fct_charges f ON f.charge_no = v.charge_no
JOIN int_charges c ON c.charge_no = v.charge_no
JOIN int_executions e ON e.exec_id = f.exec_id
LEFT JOIN src_providers p ON p.provider = v.book_provider AND p.provider <> ''
WHERE v.book = 'bill' AND v.settled AND v.verdict IN ('timeout_retry', 'partial_tokens') AND v.excess IS NOT NULL
  AND v.charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND v.charged_at < CAST(getvariable('period_to') AS TIMESTAMP)
GROUP BY v.currency, v.book_provider;
