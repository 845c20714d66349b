-- rpt_models: the sheet "By model".
--
-- Why:    finance asks which model the money went to.
-- Reads:  fct_verdicts
-- Writes: rpt_models
-- Grain:  (provider, book, model, currency)
-- Units:  currency; billed holds every line, so that it ties to the ledger; the other sums are
--         of settled charges; tokens NULL where no line tells them
-- Params: none
-- Rule:   our choice: models by the name under which the bill knows them
-- Look at: testdata/queries/rpt_models/two_models
CREATE OR REPLACE TABLE rpt_models AS
SELECT coalesce(provider, '') AS provider, book, coalesce(model, '') AS model, currency,
    count_charges(charge_no, alone, verdict <> 'adjustment') AS charges,
    CAST(sum(input_tokens) AS BIGINT) AS input_tokens, CAST(sum(cached_input_tokens) AS BIGINT) AS cached_tokens, CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
    coalesce(sum(amount), 0) AS billed, coalesce(sum(amount) FILTER (WHERE verdict = 'delivered' AND settled), 0) AS delivered,
    coalesce(sum(excess) FILTER (WHERE settled), 0) AS excess, coalesce(sum(amount) FILTER (WHERE verdict = 'undelivered' AND settled), 0) AS undelivered,
    ratio(coalesce(sum(excess) FILTER (WHERE settled), 0), sum(amount)) AS excess_share
FROM fct_verdicts
GROUP BY ALL;
