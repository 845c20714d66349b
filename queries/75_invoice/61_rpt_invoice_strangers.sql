-- rpt_invoice_strangers: charges of the period that are on no line of this invoice, because it is of another vendor.
--
-- Why:    what was not compared must be said.
-- Reads:  int_invoice_lines, int_invoice_charges, int_invoice_grains
-- Writes: rpt_invoice_strangers
-- Grain:  (provider, currency)
-- Units:  amount in currency
-- Params: period_from, period_to
-- Rule:   a currency that the invoice does not have is not on it; a provider neither, where the lines of the invoice name theirs
-- Look at: testdata/queries/rpt_invoice_strangers/another_vendor
CREATE OR REPLACE TABLE rpt_invoice_strangers AS
SELECT c.provider, c.currency, CAST(sum(c.n) AS BIGINT) AS charges, CAST(sum(c.amount) AS DECIMAL(38,12)) AS amount
FROM int_invoice_charges c LEFT JOIN int_invoice_grains g USING (currency)
WHERE c.quarter >= CAST(getvariable('period_from') AS TIMESTAMP) AND c.quarter < CAST(getvariable('period_to') AS TIMESTAMP)
  AND NOT EXISTS (SELECT 1 FROM int_invoice_lines i WHERE i.currency = c.currency AND i.amount IS NOT NULL AND (i.provider = c.provider OR NOT coalesce(g.by_provider, false)))
GROUP BY ALL;
