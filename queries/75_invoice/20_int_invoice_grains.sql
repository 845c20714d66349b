-- int_invoice_grains: by what an invoice can be held against the charges.
--
-- Why:    a line is compared with what both sides tell: where one of them names no key, a key would make
--         a difference of every line.
-- Reads:  int_invoice_lines, int_invoice_charges
-- Writes: int_invoice_grains
-- Grain:  currency
-- Units:  by_x: x is told by at least half of the usage lines of the invoice, and of the charges
-- Params: period_from, period_to
-- Rule:   our choice; whatever side lacks it then stands in a cell of its own, without a name
-- Look at: testdata/queries/int_invoice_grains/keys_on_one_side
CREATE OR REPLACE TABLE int_invoice_grains AS
WITH billed AS (
    SELECT * FROM int_invoice_charges WHERE kind = 'usage'
      AND quarter >= CAST(getvariable('period_from') AS TIMESTAMP) AND quarter < CAST(getvariable('period_to') AS TIMESTAMP)
),
charges AS (
    SELECT currency, sum(n) FILTER (WHERE provider <> '') * 2 >= sum(n) AS p, sum(n) FILTER (WHERE model_key <> '') * 2 >= sum(n) AS m,
        sum(n) FILTER (WHERE api_key <> '') * 2 >= sum(n) AS k, sum(n) FILTER (WHERE token_type <> '') * 2 >= sum(n) AS t
    FROM billed GROUP BY currency
)
SELECT i.currency,
    coalesce(count(*) FILTER (WHERE i.provider <> '') * 2 >= count(*) AND any_value(c.p), false) AS by_provider,
    coalesce(count(*) FILTER (WHERE i.day IS NOT NULL) * 2 >= count(*), false) AS by_day,
    coalesce(count(*) FILTER (WHERE i.model_key <> '') * 2 >= count(*) AND any_value(c.m), false) AS by_model,
    coalesce(count(*) FILTER (WHERE i.api_key <> '') * 2 >= count(*) AND any_value(c.k), false) AS by_key,
    coalesce(count(*) FILTER (WHERE i.token_type <> '') * 2 >= count(*) AND any_value(c.t), false) AS by_type
FROM int_invoice_lines i LEFT JOIN charges c USING (currency)
WHERE i.kind = 'usage' AND i.amount IS NOT NULL GROUP BY i.currency;
