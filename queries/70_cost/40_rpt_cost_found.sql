-- rpt_cost_found: the excess that the audit found, by what it was.
--
-- Why:    the model's prediction stands beside it.
-- Reads:  fct_verdicts
-- Writes: rpt_cost_found
-- Grain:  (currency, provider, verdict)
-- Units:  currency; settled charges of the bill; unknown amounts are left out and counted
-- Params: period_from, period_to
-- Rule:   design section 5: timeout_retry and partial_tokens are what the model predicts,
--         sdk_retry and double_retry its hidden retries, all else is beside it
-- Look at: testdata/queries/rpt_cost_found/two_verdicts
CREATE OR REPLACE TABLE rpt_cost_found AS
SELECT currency, coalesce(book_provider, '') AS provider, verdict, coalesce(sum(excess), 0) AS excess, count_charges(charge_no, alone, true) AS charges,
    count(*) FILTER (WHERE excess IS NULL) AS unpriced
FROM fct_verdicts
WHERE book = 'bill' AND settled AND is_excess
  AND charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND charged_at < CAST(getvariable('period_to') AS TIMESTAMP)
GROUP BY ALL;
