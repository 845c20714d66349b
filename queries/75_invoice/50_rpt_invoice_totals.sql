-- rpt_invoice_totals: the invoice against the charges, as a whole.
--
-- Why:    the sum that is paid, and how far it is from what the charges say.
-- Reads:  rpt_invoice_cells
-- Writes: rpt_invoice_totals
-- Grain:  (currency, provider), and provider 'all' for each currency (one that is called so is 'all (provider)')
-- Units:  currency; hiding counts cells in which a line could be a unit of its last decimal off unseen; tolerance by FOCUS: max(100 × m, √N × m/2), m the smallest unit of the currency, N charge lines
-- Params: invoice_tolerance: an amount in place of it
-- Rule:   difference leaves out what stands beside (tax that no charge tells); the tolerance is one of sums, which add up roundings; a line that differs by more than its own rounding is named all the same
-- Look at: testdata/queries/rpt_invoice_totals/two_kinds
CREATE OR REPLACE TABLE rpt_invoice_totals AS
WITH both_levels AS (
    SELECT * REPLACE (party_of(provider) AS provider) FROM rpt_invoice_cells WHERE provider <> ''
    UNION ALL
    SELECT * REPLACE ('all' AS provider) FROM rpt_invoice_cells
),
summed AS (
    SELECT currency, provider, CAST(sum(invoiced) AS DECIMAL(38,12)) AS invoiced, CAST(sum(charged) AS DECIMAL(38,12)) AS charged,
        CAST(coalesce(sum(difference) FILTER (WHERE state <> 'beside'), 0) AS DECIMAL(38,12)) AS difference, CAST(coalesce(sum(difference) FILTER (WHERE state = 'beside'), 0) AS DECIMAL(38,12)) AS beside, CAST(coalesce(sum(difference) FILTER (WHERE kind = 'usage'), 0) AS DECIMAL(38,12)) AS usage_difference,
        CAST(coalesce(sum(invoiced) FILTER (WHERE kind <> 'usage'), 0) AS DECIMAL(38,12)) AS other_invoiced,
        CAST(coalesce(sum(charged) FILTER (WHERE kind <> 'usage'), 0) AS DECIMAL(38,12)) AS other_charged,
        CAST(sum(rounding) FILTER (WHERE state IN ('equal', 'rounded')) AS DECIMAL(38,12)) AS rounding,
        CAST(sum(invoice_lines) AS BIGINT) AS invoice_lines, CAST(sum(charges) AS BIGINT) AS charges, CAST(sum(unknown) AS BIGINT) AS unknown, CAST(sum(listed) AS BIGINT) AS listed,
        count(*) FILTER (WHERE state <> 'beside') AS cells, count(*) FILTER (WHERE state IN ('equal', 'rounded')) AS agree, count(*) FILTER (WHERE state = 'rounded') AS rounded,
        count(*) FILTER (WHERE state NOT IN ('equal', 'rounded', 'beside')) AS differ, count(*) FILTER (WHERE hides) AS hiding,
        CAST(coalesce(max(abs(difference)) FILTER (WHERE state NOT IN ('equal', 'rounded', 'beside')), 0) AS DECIMAL(38,12)) AS largest
    FROM both_levels GROUP BY currency, provider
),
allowed AS (
    SELECT *, coalesce(CAST(getvariable('invoice_tolerance') AS DECIMAL(38,12)),
        CAST(greatest(100 * 10.0 ** -minor_decimals(currency), round(sqrt(charges) * 10.0 ** -minor_decimals(currency) / 2, 6)) AS DECIMAL(38,12))) AS tolerance
    FROM summed
)
SELECT *, abs(difference) <= tolerance AS within, unknown = 0 AND abs(difference) <= tolerance AND largest <= tolerance AS passes FROM allowed;
