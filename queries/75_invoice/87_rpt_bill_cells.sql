-- rpt_bill_cells: the vendor's totals beside the log.
--
-- Why:    the only audit of a bill without request ids: what was delivered, what that costs, what was counted and billed more.
-- Reads:  int_bill_totals, int_log_requests
-- Writes: rpt_bill_cells
-- Grain:  (provider, model_key, since, until) of the bill
-- Units:  logged, answered, abandoned, failed count requests of the log; tokens; *_cost in currency, NULL where one of them is unknown. untold counts
--         answers without tokens, taken at their model's mean
-- Params: none
-- Rule:   a request belongs to the period in which it began. Where the bill or the log names no provider or no model, all meet
-- Look at: testdata/queries/rpt_bill_cells/a_day_of_one_model
CREATE OR REPLACE TABLE rpt_bill_cells AS
WITH met AS (
    SELECT b.provider, b.model_key, b.since, b.until, l.*
    FROM int_bill_totals b JOIN (SELECT provider AS log_provider, model_key AS log_model, * EXCLUDE (provider, model_key) FROM int_log_requests) l
      ON (b.provider = '' OR l.log_provider = '' OR b.provider = l.log_provider) AND (b.model_key = '' OR b.model_key = l.log_model) AND l.t0 >= b.since AND l.t0 < b.until
),
summed AS (
    SELECT provider, model_key, since, until, count(*) AS logged, count(*) FILTER (WHERE state = 'answered') AS answered, count(*) FILTER (WHERE state = 'abandoned') AS abandoned,
        count(*) FILTER (WHERE state = 'failed') AS failed, count(*) FILTER (WHERE state = 'answered' AND NOT told) AS untold,
        CAST(coalesce(sum(input) FILTER (WHERE state = 'answered'), 0) AS BIGINT) AS answered_input, CAST(coalesce(sum(output) FILTER (WHERE state = 'answered'), 0) AS BIGINT) AS answered_output,
        CASE WHEN count(*) FILTER (WHERE state = 'answered' AND cost IS NULL) = 0 THEN CAST(coalesce(sum(cost) FILTER (WHERE state = 'answered'), 0) AS DECIMAL(38,12)) END AS answered_cost,
        CAST(coalesce(sum(input) FILTER (WHERE state = 'abandoned'), 0) AS BIGINT) AS abandoned_input,
        CASE WHEN count(*) FILTER (WHERE state = 'abandoned' AND cost IS NULL) = 0 THEN CAST(coalesce(sum(cost) FILTER (WHERE state = 'abandoned'), 0) AS DECIMAL(38,12)) END AS abandoned_cost
    FROM met GROUP BY provider, model_key, since, until
)
SELECT b.provider, b.model_key, b.since, b.until, b.currency, b.requests, CASE WHEN b.counts_input THEN CAST(coalesce(b.plain, 0) + coalesce(b.cached, 0) + coalesce(b.written, 0) AS BIGINT) END AS input,
    CAST(b.output AS BIGINT) AS output, b.amount, b.lines, b.rounding, b.rated, b.rated_cached_in_full, b.rated_cached_twice, b.rated_reasoning_twice,
    coalesce(s.logged, 0) AS logged, coalesce(s.answered, 0) AS answered, coalesce(s.abandoned, 0) AS abandoned, coalesce(s.failed, 0) AS failed, coalesce(s.untold, 0) AS untold,
    coalesce(s.answered_input, 0) AS answered_input, coalesce(s.answered_output, 0) AS answered_output, CASE WHEN s.logged IS NULL THEN 0 ELSE s.answered_cost END AS answered_cost,
    coalesce(s.abandoned_input, 0) AS abandoned_input, CASE WHEN s.logged IS NULL THEN 0 ELSE s.abandoned_cost END AS abandoned_cost
FROM int_bill_totals b LEFT JOIN summed s USING (provider, model_key, since, until);
