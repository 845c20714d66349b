-- int_invoice_lines: the lines of the invoice that belong to the period.
--
-- Why:    an invoice is held against the charges line by line; each must know its day and its model's one name.
-- Reads:  src_bills, src_files, src_models
-- Writes: int_invoice_lines
-- Grain:  row_id
-- Units:  amount in currency; day of the report's zone, NULL of a line that is longer than a day; decimals: how
--         many the invoice writes in that currency, and half_unit, what rounding to them can move, in 1e-12
-- Params: invoice_from: the number of the first file that is the invoice; invoice_named: the user named its files; report_zone, period_from, period_to;
--         scope_provider, scope_model, scope_api_key
-- Rule:   what the database has besides supersedes no line of the invoice. A line belongs to the period in which its middle lies, so that a month of another zone is that month;
--         a line that stands in the file again is told by copy_of. Lines without an amount tell quantities only.
--         Of totals that nobody named as the invoice one format tells a provider's amounts: the one with most rows
--         of them, ties by name, since two exports of one month are not added up
-- Look at: testdata/queries/int_invoice_lines/days_and_a_month, two_exports_of_a_month
CREATE OR REPLACE TABLE int_invoice_lines AS
WITH named AS (
    SELECT b.*, coalesce(f.file, '--total') AS file, f.format, coalesce(m.canonical, model_key(b.model), '') AS model_key,
        timezone(getvariable('report_zone'), timezone('UTC', b.period_start)) AS local_start,
        timezone(getvariable('report_zone'), timezone('UTC', b.period_end)) AS local_end,
        b.period_start + (b.period_end - b.period_start) / 2 AS middle
    FROM src_bills b LEFT JOIN src_files f USING (file_no)
    LEFT JOIN src_models m ON m.alias = lower(b.model)
    WHERE b.file_no >= coalesce(setting('invoice_from'), 0) AND (b.superseded_by IS NULL OR b.superseded_by < coalesce(setting('invoice_from'), 0))
),
asked AS (
    SELECT * FROM named
    WHERE middle >= CAST(getvariable('period_from') AS TIMESTAMP) AND middle < CAST(getvariable('period_to') AS TIMESTAMP)
      AND (getvariable('scope_provider') IS NULL OR coalesce(provider, getvariable('scope_provider')) = getvariable('scope_provider'))
      AND (getvariable('scope_model') IS NULL OR model_key = model_key(getvariable('scope_model')))
      AND (getvariable('scope_api_key') IS NULL OR api_key = getvariable('scope_api_key'))
),
telling AS (
    SELECT coalesce(provider, '') AS provider, first(format ORDER BY n DESC, format) AS format
    FROM (SELECT provider, format, count(amount) AS n FROM asked GROUP BY provider, format) GROUP BY coalesce(provider, '')
),
chosen AS (
    SELECT a.* FROM asked a LEFT JOIN telling t ON t.provider = coalesce(a.provider, '')
    WHERE getvariable('invoice_named') IS NOT NULL OR a.amount IS NULL OR a.format IS NOT DISTINCT FROM t.format
),
written AS (
    SELECT currency, max(length(rtrim(split_part(CAST(amount AS VARCHAR), '.', 2), '0'))) AS decimals FROM chosen WHERE amount IS NOT NULL GROUP BY currency
)
SELECT c.row_id, c.file, c.source_line, coalesce(c.provider, '') AS provider, c.currency, c.kind, c.model_key, coalesce(c.api_key, '') AS api_key,
    coalesce(c.token_type, '') AS token_type, coalesce(c.line_item, '') AS line_item, c.service_tier,
    CASE WHEN c.period_end - c.period_start <= INTERVAL 25 HOUR
         THEN CAST(timezone(getvariable('report_zone'), timezone('UTC', c.middle)) AS DATE) END AS day,
    c.period_start, c.period_end, c.quantity, c.requests, c.amount, c.unit_price,
    greatest(w.decimals, minor_decimals(c.currency)) AS decimals,
    CASE WHEN greatest(w.decimals, minor_decimals(c.currency)) >= 12 THEN 0 ELSE CAST(5 * 10 ** (11 - greatest(w.decimals, minor_decimals(c.currency))) AS HUGEINT) END AS half_unit,
    CASE WHEN row_number() OVER same > 1 THEN first_value(c.source_line) OVER same END AS copy_of
FROM chosen c LEFT JOIN written w USING (currency)
WINDOW same AS (PARTITION BY c.file_no, c.provider, c.api_key, c.model, c.token_type, c.period_start, c.period_end, c.quantity, c.requests, c.amount,
    c.currency, c.kind, c.line_item, c.service_tier, c.unit_price ORDER BY c.source_line, c.row_id);
