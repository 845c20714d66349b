-- rpt_models: the sheet "By model".
--
-- Why:    finance asks which model the money went to.
-- Reads:  rpt_lines
-- Writes: rpt_models (a view)
-- Grain:  (provider, book, model, currency)
-- Units:  currency; billed = delivered + excess + undelivered + orphan + unsettled + adjustments;
--         tokens NULL where no line tells them
-- Params: none
-- Rule:   our choice: models by the name under which the bill knows them
-- Look at: testdata/queries/rpt_models/two_models
CREATE OR REPLACE VIEW rpt_models AS
SELECT provider, book, model, currency,
    count_charges(charge_no, alone, verdict <> 'adjustment') AS charges,
    CAST(sum(input_tokens) AS BIGINT) AS input_tokens, CAST(sum(cached_input_tokens) AS BIGINT) AS cached_tokens, CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
    coalesce(sum(amount), 0) AS billed, coalesce(sum(amount) FILTER (WHERE part = 'delivered'), 0) AS delivered,
    coalesce(sum(amount) FILTER (WHERE part = 'excess'), 0) AS excess, coalesce(sum(amount) FILTER (WHERE part = 'undelivered'), 0) AS undelivered,
    coalesce(sum(amount) FILTER (WHERE part = 'orphan'), 0) AS orphan, coalesce(sum(amount) FILTER (WHERE part = 'unsettled'), 0) AS unsettled,
    coalesce(sum(amount) FILTER (WHERE part = 'adjustments'), 0) AS adjustments,
    ratio(coalesce(sum(amount) FILTER (WHERE part = 'excess'), 0), sum(amount)) AS excess_share
FROM rpt_lines
GROUP BY provider, book, model, currency;
