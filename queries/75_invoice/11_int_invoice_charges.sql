-- int_invoice_charges: the charges about the period, summed by quarters of an hour.
--
-- Why:    they are held against the invoice by days, and by days that begin at another hour.
-- Reads:  int_charge_lines, int_charge_roles
-- Writes: int_invoice_charges
-- Grain:  (provider, currency, kind, model_key, api_key, token_type, quarter)
-- Units:  amount in currency, of the lines that have one; quarter UTC, its beginning
-- Params: invoice_total: there are no lines, only a total of all kinds, which then are one; paid_book, period_from, period_to; scope_provider, scope_model, scope_api_key
-- Rule:   the book that is paid, gross, every line that stands; a day more on both sides, for the zones.
--         copies are lines that stand in one file again
-- Look at: testdata/queries/int_invoice_charges/a_line_twice
CREATE OR REPLACE TABLE int_invoice_charges AS
SELECT c.book_provider AS provider, c.currency, CASE WHEN getvariable('invoice_total') IS NOT NULL THEN 'usage' ELSE c.kind END AS kind, coalesce(c.model_key, '') AS model_key, coalesce(c.api_key, '') AS api_key,
    CASE WHEN token_type_of(c.line_item) IN ('input', 'cached_input', 'cache_write', 'output', 'reasoning') THEN token_type_of(c.line_item) ELSE '' END AS token_type,
    time_bucket(INTERVAL 15 MINUTE, c.charged_at) AS quarter, count(*) AS n, count(*) FILTER (WHERE c.amount IS NULL) AS unknown, count(*) FILTER (WHERE c.listed) AS listed,
    CAST(coalesce(sum(c.amount), 0) AS DECIMAL(38,12)) AS amount,
    count(*) FILTER (WHERE r.role = 'duplicate') AS copies, CAST(coalesce(sum(c.amount) FILTER (WHERE r.role = 'duplicate'), 0) AS DECIMAL(38,12)) AS copied
FROM int_charge_lines c LEFT JOIN int_charge_roles r ON r.row_id = c.row_id
WHERE c.book = getvariable('paid_book')
  AND c.charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) - INTERVAL 1 DAY AND c.charged_at < CAST(getvariable('period_to') AS TIMESTAMP) + INTERVAL 1 DAY
  AND (getvariable('scope_provider') IS NULL OR c.book_provider = getvariable('scope_provider'))
  AND (getvariable('scope_model') IS NULL OR c.model_key = model_key(getvariable('scope_model')))
  AND (getvariable('scope_api_key') IS NULL OR c.api_key = getvariable('scope_api_key'))
GROUP BY ALL;
