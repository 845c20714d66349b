-- int_invoice_prices: the lines of the invoice by the unit price of their kind.
--
-- Why:    where several rounded lines are added up, a cent in one of them is within the rounding of all; its own unit price tells.
-- Reads:  int_invoice_lines
-- Writes: int_invoice_prices
-- Grain:  row_id of usage lines with a quantity and a kind of token
-- Units:  expected in currency, as many decimals as the invoice has; per_million the price that most lines agree on, as short as they allow;
--         agree of lines lines have it; odd: this one has not; checked: it would be odd if it were one unit of its last decimal off
-- Params: none
-- Rule:   each line, rounded, allows a range of unit prices; the price is where most ranges of the same provider, model, kind
--         of token and tier meet. Five lines or more, nine of ten of which agree: a price that changed in the month is no fault. A line is
--         checked if the range of the others leaves it no other amount: one that alone bounds the price is not. Lines of 0.00 tell as well
-- Look at: testdata/queries/int_invoice_prices/those_that_bound_the_price
CREATE OR REPLACE TABLE int_invoice_prices AS
WITH ranges AS (
    SELECT *, coalesce(service_tier, '') AS tier,
        (CAST(amount AS DOUBLE) - CAST(half_unit AS DOUBLE) / 1e12) / CAST(quantity AS DOUBLE) * (1 - 1e-12) AS low,
        (CAST(amount AS DOUBLE) + CAST(half_unit AS DOUBLE) / 1e12) / CAST(quantity AS DOUBLE) * (1 + 1e-12) AS high
    FROM int_invoice_lines WHERE kind = 'usage' AND amount >= 0 AND quantity > 0 AND token_type <> ''
),
-- Where most of them meet: at the low end of one. Ranges are opened and closed from the lowest price up, so
-- that an invoice of many lines is walked through once.
ends AS (
    SELECT provider, currency, model_key, token_type, tier, low AS price_at, 1 AS step, false AS closes FROM ranges
    UNION ALL
    SELECT provider, currency, model_key, token_type, tier, high, -1, true FROM ranges
),
met AS (
    SELECT *, sum(step) OVER (PARTITION BY provider, currency, model_key, token_type, tier ORDER BY price_at, closes ROWS UNBOUNDED PRECEDING) AS agree FROM ends
),
most AS (
    SELECT provider, currency, model_key, token_type, tier, arg_max(price_at, row(agree, -price_at)) AS low_at, max(agree) AS agree
    FROM met WHERE NOT closes GROUP BY ALL
),
best AS (
    SELECT m.provider, m.currency, m.model_key, m.token_type, m.tier, low_at, min(r.high) AS top_at, agree
    FROM most m JOIN ranges r USING (provider, currency, model_key, token_type, tier) WHERE low_at BETWEEN r.low AND r.high
    GROUP BY ALL
),
-- The shortest number within.
shortest AS (
    SELECT *, coalesce(
        CASE WHEN round((low_at + top_at) / 2 * 1e6, 1) BETWEEN low_at * 1e6 AND top_at * 1e6 THEN round((low_at + top_at) / 2 * 1e6, 1) END,
        CASE WHEN round((low_at + top_at) / 2 * 1e6, 2) BETWEEN low_at * 1e6 AND top_at * 1e6 THEN round((low_at + top_at) / 2 * 1e6, 2) END,
        CASE WHEN round((low_at + top_at) / 2 * 1e6, 3) BETWEEN low_at * 1e6 AND top_at * 1e6 THEN round((low_at + top_at) / 2 * 1e6, 3) END,
        round((low_at + top_at) / 2 * 1e6, 6)) AS million
    FROM best
),
counted AS (
    SELECT r.*, b.million, b.low_at, b.top_at, b.agree, count(*) OVER (PARTITION BY r.provider, r.currency, r.model_key, r.token_type, r.tier) AS lines
    FROM ranges r JOIN shortest b USING (provider, currency, model_key, token_type, tier)
),
fitted AS (
    SELECT *, low <= top_at AND high >= low_at AS fits, lines >= 5 AND agree * 10 >= lines * 9 AS priced FROM counted
),
-- What the price can be without this line.
besides AS (
    SELECT *, max(low) FILTER (WHERE fits) OVER others AS low_besides, min(high) FILTER (WHERE fits) OVER others AS high_besides FROM fitted
    WINDOW others AS (PARTITION BY provider, currency, model_key, token_type, tier ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW)
)
SELECT row_id, file, source_line, provider, currency, model_key, token_type, day, quantity, amount,
    CAST(round(CAST(quantity AS DOUBLE) * million / 1e6, CAST(decimals AS INTEGER)) AS DECIMAL(38,12)) AS expected,
    CAST(million AS DECIMAL(38,12)) AS per_million, agree, lines, priced AND NOT fits AS odd,
    priced AND (NOT fits OR coalesce(low < low_besides AND high > high_besides, false)) AS checked
FROM besides;
