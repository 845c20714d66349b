-- fct_side_effects: what a retry changed in the price of the delivered answer.
--
-- Why:    an abandoned execution may have warmed the cache for the next (a gain) or the
--         retry may have lost it (a loss); a fallback answers at another price.
-- Reads:  fct_verdicts, int_charges, fct_call_books, int_matches
-- Writes: fct_side_effects
-- Grain:  (request_key, call_no, book_provider, book)
-- Units:  currency; positive is dearer. NULL where the bill does not tell its prices
-- Params: none
-- Rule:   design section 4, cache effect and reroute premium: at the bill's own prices, which
--         only line items tell exactly: amount by tokens of an item of one kind of token
-- Look at: testdata/queries/fct_side_effects/cache_warmed
CREATE OR REPLACE TABLE fct_side_effects AS
WITH items AS (
    SELECT book_provider, book, currency, model_key, CASE
            WHEN regexp_matches(lower(line_item), 'cache') THEN 'cached'
            WHEN regexp_matches(lower(line_item), 'input|prompt') THEN 'input'
            WHEN regexp_matches(lower(line_item), 'output|completion') THEN 'output' END AS item,
        money_units(amount) AS units,
        CASE WHEN regexp_matches(lower(line_item), 'cache') THEN coalesce(cached_input_tokens, input_tokens)
             WHEN regexp_matches(lower(line_item), 'input|prompt') THEN input_tokens ELSE output_tokens END AS tokens
    FROM fct_verdicts WHERE line_item IS NOT NULL AND kind = 'usage' AND amount > 0
),
prices AS (
    SELECT book_provider, book, currency, model_key,
        max(units // tokens) FILTER (WHERE item = 'input') AS input_price,
        max(units // tokens) FILTER (WHERE item = 'cached') AS cached_price,
        max(units // tokens) FILTER (WHERE item = 'output') AS output_price
    FROM items WHERE tokens > 0 GROUP BY book_provider, book, currency, model_key
),
calls AS (
    SELECT b.request_key, b.call_no, b.book_provider, b.book, d.charge_no, d.currency, d.amount, d.model_key, d.input_tokens, d.output_tokens,
        d.cached_input_tokens, a.charge_no AS first_charge, a.model_key AS first_model, a.cached_input_tokens AS first_cached
    FROM fct_call_books b
    JOIN int_charges d ON d.charge_no = b.delivered_charge
    JOIN (SELECT m.request_key, m.call_no, m.book_provider, m.book, arg_min(m.charge_no, row(c.charged_at, c.ord)) AS first_charge
          FROM int_matches m JOIN int_charges c USING (charge_no) WHERE NOT m.lead
          GROUP BY m.request_key, m.call_no, m.book_provider, m.book) f
      ON f.request_key = b.request_key AND f.call_no = b.call_no AND f.book_provider = b.book_provider AND f.book = b.book
    JOIN int_charges a ON a.charge_no = f.first_charge
    WHERE b.settled AND b.delivered AND a.charge_no <> d.charge_no
)
SELECT c.request_key, c.call_no, c.book_provider, c.book, c.currency, c.charge_no,
    CASE WHEN c.model_key = c.first_model AND c.cached_input_tokens IS NOT NULL AND c.first_cached IS NOT NULL
         THEN CASE WHEN c.cached_input_tokens = c.first_cached THEN CAST(0 AS DECIMAL(38,12))
              ELSE units_money((c.first_cached - c.cached_input_tokens) * (p.input_price - p.cached_price)) END END AS cache_effect,
    c.model_key = c.first_model AS same_model,
    CASE WHEN c.model_key <> c.first_model
         THEN c.amount - units_money(c.input_tokens * o.input_price + c.output_tokens * o.output_price) END AS reroute_premium
FROM calls c
LEFT JOIN prices p ON p.book_provider = c.book_provider AND p.book = c.book AND p.currency = c.currency AND p.model_key = c.model_key
LEFT JOIN prices o ON o.book_provider = c.book_provider AND o.book = c.book AND o.currency = c.currency AND o.model_key = c.first_model;
