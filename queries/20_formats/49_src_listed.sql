-- src_listed: gives charges without an amount the amount that a price list says.
--
-- Why:    a bill in tokens becomes money only by a price; a wrong one is worse than none.
-- Reads:  src_charges, src_prices, src_models, src_providers
-- Writes: src_listed (temporary)
-- Grain:  row_id; amount is NULL where prices differ
-- Units:  prices per million tokens; the amount is rounded once, half up, to twelve decimals
-- Params: priced_from: the number of the first file whose charges are looked at: all where a
--         list is new
-- Rule:   design sections 2 and 7: unpriced is unknown, never zero and never another model's
--         price. The model must be listed by the name in the bill, with or without its
--         provider ahead, or by the name that the configuration gives it. A tier of service,
--         a kind of token or a day that is not listed is unknown; reasoning tokens without a
--         price of their own cost what output costs. Lists that disagree give nothing; an amount
--         that was given stays when a newer list comes
-- Look at: testdata/queries/src_listed/tokens_of_each_kind
CREATE OR REPLACE TEMP TABLE src_listed AS
WITH unpriced AS (
    SELECT c.row_id, c.currency, c.provider, c.charged_at, c.input_tokens, lower(c.model) AS model, lower(m.canonical) AS told_model,
        coalesce(c.service_tier, 'standard') AS tier, coalesce(c.cached_input_tokens, 0) AS cached, coalesce(c.cache_write_tokens, 0) AS written,
        c.output_tokens, coalesce(c.reasoning_tokens, 0) AS reasoned
    FROM src_charges c LEFT JOIN src_models m ON m.alias = lower(c.model)
    WHERE c.amount IS NULL AND c.listed_amount IS NULL AND c.file_no >= coalesce(setting('priced_from'), 0) AND c.kind = 'usage' AND c.model IS NOT NULL
),
lists AS (
    SELECT p.* REPLACE (coalesce(o.canonical, p.provider) AS provider), p.provider AS listed_provider
    FROM src_prices p LEFT JOIN src_providers o ON o.provider = p.provider AND o.provider <> ''
),
-- Under which names a list may call the model of a charge, the bill's own first.
named AS (
    SELECT u.row_id, p.* FROM unpriced u JOIN lists p ON p.model = u.model
    UNION ALL
    SELECT u.row_id, p.* FROM unpriced u JOIN lists p ON p.model = p.listed_provider || '/' || u.model
    UNION ALL
    SELECT u.row_id, p.* FROM unpriced u JOIN lists p ON p.model = u.told_model AND u.told_model <> u.model
),
-- Of the sizes of prompt that a list has, the largest that the request exceeds.
fitting AS (
    SELECT u.*, p.file_no, p.currency AS list_currency, p.input AS input_price, p.cached_input AS cached_price, p.cache_write AS write_price,
        p.output AS output_price, coalesce(p.reasoning, p.output) AS reasoning_price,
        p.above, max(p.above) OVER (PARTITION BY u.row_id, p.file_no, p.model, p.provider) AS size
    FROM unpriced u JOIN named p ON p.row_id = u.row_id
    WHERE p.tier = u.tier AND agrees(u.provider, p.provider) AND (u.currency = 'XXX' OR u.currency = p.currency)
      AND (p.since IS NULL OR u.charged_at >= p.since) AND (p.until IS NULL OR u.charged_at < p.until)
      AND (p.above = 0 OR u.input_tokens > p.above)
),
-- In units of 10^-18; a kind of token that was used and has no price makes it unknown.
summed AS (
    SELECT row_id, list_currency AS currency,
        CASE WHEN cached + written <= input_tokens AND reasoned <= output_tokens THEN
            CASE WHEN input_tokens > cached + written THEN (input_tokens - cached - written) * money_units(input_price) ELSE 0 END
          + CASE WHEN cached > 0 THEN cached * money_units(cached_price) ELSE 0 END
          + CASE WHEN written > 0 THEN written * money_units(write_price) ELSE 0 END
          + CASE WHEN output_tokens > reasoned THEN (output_tokens - reasoned) * money_units(output_price) ELSE 0 END
          + CASE WHEN reasoned > 0 THEN reasoned * money_units(reasoning_price) ELSE 0 END END AS units
    FROM fitting WHERE above = size
)
SELECT row_id, CASE WHEN min(units) = max(units) AND min(currency) = max(currency) THEN min(currency) END AS currency,
    CASE WHEN min(units) = max(units) AND min(currency) = max(currency) THEN units_money((min(units) + 500000) // 1000000) END AS amount
FROM summed GROUP BY row_id
HAVING count(units) = count(*);
UPDATE src_charges SET listed_amount = l.amount, listed_currency = l.currency FROM src_listed l WHERE src_charges.row_id = l.row_id AND l.amount IS NOT NULL;
