-- rpt_rated_models: what the price list says of the charges, by model and by what is wrong.
--
-- Why:    a mistake of a vendor stands on thousands of lines; the model and the kind of mistake are what to write to it.
-- Reads:  int_rated_charges
-- Writes: rpt_rated_models
-- Grain:  (provider, model_key, currency, state)
-- Units:  n lines; billed_names what the bill calls the model, where that is not its one name; amounts in currency; implied_* per million tokens, of lines without cached or reasoning tokens whose price no list
--         has, by least squares, rounded to four decimals; reproduces counts the lines that they make exactly
-- Params: none
-- Rule:   our choice; a price that makes less than nine of ten lines is none, and NULL
-- Look at: testdata/queries/rpt_rated_models/a_price_that_no_list_has
CREATE OR REPLACE TABLE rpt_rated_models AS
WITH sums AS (
    SELECT provider, model_key, currency, sum(CAST(plain AS DOUBLE) * plain) AS xx, sum(CAST(plain AS DOUBLE) * answered) AS xy, sum(CAST(answered AS DOUBLE) * answered) AS yy,
        sum(CAST(plain AS DOUBLE) * CAST(amount AS DOUBLE)) AS xa, sum(CAST(answered AS DOUBLE) * CAST(amount AS DOUBLE)) AS ya
    FROM int_rated_charges WHERE state IN ('other_price', 'unpriced_model') AND cached = 0 AND written = 0 AND reasoned = 0 GROUP BY ALL
),
solved AS (
    SELECT provider, model_key, currency,
        CAST(round(CASE WHEN xx * yy - xy * xy > 1e-9 * xx * yy THEN (xa * yy - ya * xy) / (xx * yy - xy * xy) WHEN yy = 0 AND xx > 0 THEN xa / xx END * 1e6, 4) AS DECIMAL(38,12)) AS implied_input,
        CAST(round(CASE WHEN xx * yy - xy * xy > 1e-9 * xx * yy THEN (ya * xx - xa * xy) / (xx * yy - xy * xy) WHEN xx = 0 AND yy > 0 THEN ya / yy END * 1e6, 4) AS DECIMAL(38,12)) AS implied_output
    FROM sums
),
tried AS (
    SELECT c.*, s.implied_input, s.implied_output,
        c.state IN ('other_price', 'unpriced_model') AND cached = 0 AND written = 0 AND reasoned = 0 AS plain_line,
        abs(money_units(amount) * 1000000 - plain * money_units(coalesce(s.implied_input, 0)) - answered * money_units(coalesce(s.implied_output, 0))) < one_unit AS made
    FROM int_rated_charges c LEFT JOIN solved s USING (provider, model_key, currency)
)
SELECT provider, model_key, currency, state, count(*) AS n, CAST(sum(amount) AS DECIMAL(38,12)) AS amount, CAST(sum(expected) AS DECIMAL(38,12)) AS expected,
    CASE WHEN count(expected) = count(*) THEN CAST(sum(amount) - sum(expected) AS DECIMAL(38,12)) END AS difference,
    CASE WHEN count(*) FILTER (WHERE plain_line AND made) * 10 >= count(*) FILTER (WHERE plain_line) * 9 AND count(*) FILTER (WHERE plain_line) >= 3 THEN any_value(implied_input) END AS implied_input,
    CASE WHEN count(*) FILTER (WHERE plain_line AND made) * 10 >= count(*) FILTER (WHERE plain_line) * 9 AND count(*) FILTER (WHERE plain_line) >= 3 THEN any_value(implied_output) END AS implied_output,
    count(*) FILTER (WHERE plain_line AND made) AS reproduces, max(list_tier) AS list_tier,
    string_agg(DISTINCT model, ', ' ORDER BY model) FILTER (WHERE model <> model_key) AS billed_names
FROM tried GROUP BY provider, model_key, currency, state;
