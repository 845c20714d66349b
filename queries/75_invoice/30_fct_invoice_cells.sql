-- fct_invoice_cells: the invoice and the charges side by side.
--
-- Why:    a total that differs helps nobody; the day and the model that differ do.
-- Reads:  int_invoice_lines, int_invoice_charges, int_invoice_grains
-- Writes: fct_invoice_cells
-- Grain:  (currency, kind, provider, day, model_key, api_key, token_type), as far as the grain goes; of other kinds than usage
--         (currency, kind, provider)
-- Units:  amounts in currency; difference is the invoice less the charges; rounding is what rounding each line of the
--         invoice can make of it. first_row is the first line of the invoice
-- Params: report_zone, period_from, period_to
-- Rule:   equal: to the last digit. rounded: the lines of the invoice are written with fewer decimals, and no more than half of
--         the last one a line is missing. unknown: an amount is not known, which is no agreement. beside: a tax
--         that stands on the invoice alone, since no charge tells its tax: no difference, and not checked. Providers and currencies that the invoice does not
--         name are not on it, and not in here (rpt_invoice_strangers)
-- Look at: testdata/queries/fct_invoice_cells/one_cent
CREATE OR REPLACE TABLE fct_invoice_cells AS
WITH invoiced AS (
    SELECT i.currency, i.kind, CASE WHEN g.by_provider THEN i.provider ELSE '' END AS provider,
        CASE WHEN i.kind = 'usage' AND g.by_day THEN i.day END AS day, CASE WHEN i.kind = 'usage' AND g.by_model THEN i.model_key ELSE '' END AS model_key,
        CASE WHEN i.kind = 'usage' AND g.by_key THEN i.api_key ELSE '' END AS api_key, CASE WHEN i.kind = 'usage' AND g.by_type THEN i.token_type ELSE '' END AS token_type,
        count(*) AS lines, CAST(sum(i.amount) AS DECIMAL(38,12)) AS amount, min(i.row_id) AS first_row, sum(i.half_unit) AS rounding,
        count(i.copy_of) AS copies, CAST(coalesce(sum(i.amount) FILTER (WHERE i.copy_of IS NOT NULL), 0) AS DECIMAL(38,12)) AS copied
    FROM int_invoice_lines i LEFT JOIN int_invoice_grains g USING (currency)
    WHERE i.amount IS NOT NULL GROUP BY ALL
),
named AS (
    SELECT DISTINCT currency, provider FROM invoiced
),
charged AS (
    SELECT c.currency, c.kind, CASE WHEN g.by_provider THEN c.provider ELSE '' END AS provider,
        CASE WHEN c.kind = 'usage' AND g.by_day THEN CAST(timezone(getvariable('report_zone'), timezone('UTC', c.quarter)) AS DATE) END AS day,
        CASE WHEN c.kind = 'usage' AND g.by_model THEN c.model_key ELSE '' END AS model_key,
        CASE WHEN c.kind = 'usage' AND g.by_key THEN c.api_key ELSE '' END AS api_key, CASE WHEN c.kind = 'usage' AND g.by_type THEN c.token_type ELSE '' END AS token_type,
        CAST(sum(c.n) AS BIGINT) AS n, CAST(sum(c.amount) AS DECIMAL(38,12)) AS amount, CAST(sum(c.unknown) AS BIGINT) AS unknown, CAST(sum(c.listed) AS BIGINT) AS listed,
        CAST(sum(c.copies) AS BIGINT) AS copies, CAST(sum(c.copied) AS DECIMAL(38,12)) AS copied
    FROM int_invoice_charges c LEFT JOIN int_invoice_grains g USING (currency)
    WHERE c.quarter >= CAST(getvariable('period_from') AS TIMESTAMP) AND c.quarter < CAST(getvariable('period_to') AS TIMESTAMP)
      AND c.currency IN (SELECT currency FROM named) AND (NOT coalesce(g.by_provider, false) OR EXISTS (SELECT 1 FROM named m WHERE m.currency = c.currency AND m.provider = c.provider))
    GROUP BY ALL
),
units AS (
    SELECT currency, max(half_unit) AS half_unit FROM int_invoice_lines WHERE amount IS NOT NULL GROUP BY currency
),
joined AS (
    SELECT coalesce(i.currency, c.currency) AS currency, coalesce(i.kind, c.kind) AS kind, coalesce(i.provider, c.provider) AS provider, coalesce(i.day, c.day) AS day,
        coalesce(i.model_key, c.model_key) AS model_key, coalesce(i.api_key, c.api_key) AS api_key, coalesce(i.token_type, c.token_type) AS token_type,
        coalesce(i.amount, 0) AS invoiced, coalesce(i.lines, 0) AS invoice_lines, i.first_row, coalesce(i.copies, 0) AS invoice_copies, coalesce(i.copied, 0) AS invoice_copied,
        coalesce(c.amount, 0) AS charged, coalesce(c.n, 0) AS charges, coalesce(c.unknown, 0) AS unknown, coalesce(c.listed, 0) AS listed,
        coalesce(c.copies, 0) AS charge_copies, coalesce(c.copied, 0) AS charge_copied, i.rounding
    FROM invoiced i FULL JOIN charged c ON i.currency = c.currency AND i.kind = c.kind AND i.provider = c.provider AND i.day IS NOT DISTINCT FROM c.day
        AND i.model_key = c.model_key AND i.api_key = c.api_key AND i.token_type = c.token_type
)
SELECT j.* EXCLUDE (rounding), CAST(j.invoiced - j.charged AS DECIMAL(38,12)) AS difference,
    units_money(CAST(coalesce(j.rounding, u.half_unit, 0) AS HUGEINT)) AS rounding,
    CASE WHEN kind = 'tax' AND charges = 0 THEN 'beside'
         WHEN unknown > 0 THEN 'unknown'
         WHEN invoiced = charged THEN 'equal'
         WHEN abs(invoiced - charged) <= units_money(CAST(coalesce(j.rounding, u.half_unit, 0) AS HUGEINT)) THEN 'rounded'
         WHEN invoice_lines = 0 THEN 'charges_only'
         WHEN charges = 0 THEN 'invoice_only'
         ELSE 'differs' END AS state
FROM joined j LEFT JOIN units u USING (currency);
