-- rpt_invoice_cells: every cell of the comparison, with what explains it.
--
-- Why:    whoever signs an invoice wants to know which line to ask about, and what to ask.
-- Reads:  fct_invoice_cells, rpt_invoice_prices, int_invoice_prices, int_invoice_lines, int_invoice_grains
-- Writes: rpt_invoice_cells
-- Grain:  as fct_invoice_cells
-- Units:  amounts in currency; rows are lines of the invoice as file:line, at most five; found and expected are those
--         of the one line that the unit price of its kind names. hides: one of its lines could be a unit of its last decimal off, and nothing
--         here would tell
-- Params: none
-- Rule:   a cell that rounding excuses still differs where the unit price names a line in it (which by that is so little off that rounding
--         could excuse it). Explanations are facts that make the
--         difference exactly, up to the rounding: a line that the export or the invoice has twice, the same amount on the other
--         side of another cell; else what is missing. A cell of one line hides nothing; one of several, whose rounding adds up, does unless
--         the unit price of its kind checks each line
-- Look at: testdata/queries/rpt_invoice_cells/the_line_that_differs
CREATE OR REPLACE TABLE rpt_invoice_cells AS
WITH placed AS (
    SELECT i.*, c.place FROM int_invoice_lines i LEFT JOIN int_invoice_grains g USING (currency)
    JOIN (SELECT *, row_number() OVER (ORDER BY currency, kind, provider, day, model_key, api_key, token_type) AS place FROM fct_invoice_cells) c
      ON c.currency = i.currency AND c.kind = i.kind AND c.provider = CASE WHEN g.by_provider THEN i.provider ELSE '' END
     AND c.day IS NOT DISTINCT FROM CASE WHEN i.kind = 'usage' AND g.by_day THEN i.day END
     AND c.model_key = CASE WHEN i.kind = 'usage' AND g.by_model THEN i.model_key ELSE '' END
     AND c.api_key = CASE WHEN i.kind = 'usage' AND g.by_key THEN i.api_key ELSE '' END
     AND c.token_type = CASE WHEN i.kind = 'usage' AND g.by_type THEN i.token_type ELSE '' END
    WHERE i.amount IS NOT NULL
),
lines AS (
    SELECT place, string_agg(file || CASE WHEN source_line > 0 THEN ':' || source_line ELSE '' END, ', ' ORDER BY row_id) FILTER (WHERE nth <= 5) || CASE WHEN count(*) > 5 THEN ' …' ELSE '' END AS rows
    FROM (SELECT *, row_number() OVER (PARTITION BY place ORDER BY row_id) AS nth FROM placed) GROUP BY place
),
unchecked AS (
    SELECT p.place, max(p.half_unit) AS half_unit FROM placed p LEFT JOIN int_invoice_prices s USING (row_id) WHERE NOT coalesce(s.checked, false) GROUP BY p.place
),
odd AS (
    SELECT p.place, min(s.row_id) AS row_id, count(*) AS n, min(s.file || ':' || s.source_line) AS odd_row, any_value(s.amount) AS found, any_value(s.expected) AS expected,
        any_value(s.per_million) AS per_million, any_value(s.token_type) AS odd_type, any_value(s.agree) AS agree, any_value(s.lines) AS of_lines
    FROM rpt_invoice_prices s JOIN placed p USING (row_id) GROUP BY p.place
),
judged AS (
    SELECT c.* EXCLUDE (state), CASE WHEN c.state = 'rounded' AND (o.n > 1 OR abs(o.found - o.expected) <= 2 * c.rounding) THEN 'differs' ELSE c.state END AS state,
        coalesce(l.rows, '') AS rows, CASE WHEN o.n = 1 THEN o.odd_row END AS odd_row, o.found, o.expected, o.per_million, o.odd_type, o.agree, o.of_lines,
        c.state = 'rounded' AND o.n IS NULL AND c.invoice_lines > 1 AND coalesce(u.half_unit, 0) > 0 AS hides
    FROM (SELECT *, row_number() OVER (ORDER BY currency, kind, provider, day, model_key, api_key, token_type) AS place FROM fct_invoice_cells) c
    LEFT JOIN lines l USING (place) LEFT JOIN odd o USING (place) LEFT JOIN unchecked u USING (place)
),
open AS (
    SELECT * FROM judged WHERE state IN ('differs', 'charges_only', 'invoice_only')
),
-- What one cell lacks another may have: the same amount under another model, key or day.
moved AS (
    SELECT a.place, min(b.place) AS other FROM open a JOIN open b ON a.place <> b.place AND a.currency = b.currency AND a.kind = b.kind AND a.provider = b.provider
        AND abs(a.difference + b.difference) <= a.rounding + b.rounding AND abs(a.difference) > a.rounding + b.rounding
    GROUP BY a.place HAVING count(*) = 1
)
SELECT j.currency, j.kind, j.provider, j.day, j.model_key, j.api_key, j.token_type, j.invoiced, j.invoice_lines, j.charged, j.charges, j.unknown, j.listed, j.difference, j.rounding,
    j.state, j.rows, j.odd_row, CASE WHEN j.odd_row IS NOT NULL THEN j.found END AS found, CASE WHEN j.odd_row IS NOT NULL THEN j.expected END AS expected,
    j.per_million, j.odd_type, j.agree, j.of_lines,
    CASE WHEN j.state IN ('equal', 'rounded', 'beside') THEN ''
         WHEN j.state = 'unknown' THEN 'unknown_amounts'
         WHEN j.kind <> 'usage' THEN j.kind
         WHEN j.charge_copies > 0 AND abs(j.difference + j.charge_copied) <= j.rounding THEN 'charges_twice'
         WHEN j.invoice_copies > 0 AND abs(j.difference - j.invoice_copied) <= j.rounding THEN 'invoice_twice'
         WHEN m.other IS NOT NULL THEN 'moved'
         WHEN j.odd_row IS NOT NULL THEN 'line_price'
         ELSE '' END AS why,
    o.day AS other_day, o.model_key AS other_model, o.api_key AS other_key, j.charge_copies, j.charge_copied, j.invoice_copies, j.invoice_copied, j.hides
FROM judged j LEFT JOIN moved m ON m.place = j.place LEFT JOIN judged o ON o.place = m.other;
