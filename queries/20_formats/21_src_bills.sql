-- src_bills: gives the text rows of one aggregated bill or invoice their types and meaning.
--
-- Why:    the one place where the text of a total becomes money, tokens and a period.
-- Reads:  raw_bills, src_providers
-- Writes: src_bills
-- Grain:  row_id
-- Units:  times UTC, period_end excluded, amounts DECIMAL(38,12) in currency
-- Params: file_no; source_zone, told_zone; source_provider, source_api_key, source_currency: of a line
--         without one; bill_from, bill_to: the period of a line that tells none (of an invoice); now
-- Rule:   design section 2. A period is a month (2026-10), a day (2026-10-03, 20261003), or a moment and
--         an end. Without an end a moment is itself. The end is excluded, unless it is the day of the start,
--         or the last second of a day, a common way to write the end of it
-- Look at: testdata/queries/src_bills/a_day_of_three_kinds
INSERT INTO src_bills
WITH raw AS (
    SELECT * REPLACE (
        lower(coalesce(provider, getvariable('source_provider'))) AS provider,
        coalesce(upper(currency), getvariable('source_currency'), 'XXX') AS currency,
        coalesce(lower(kind), 'usage') AS kind, coalesce(api_key, getvariable('source_api_key')) AS api_key,
        CASE WHEN length(period_start) = 8 AND regexp_full_match(period_start, '20[0-9]{6}') THEN left(period_start, 4) || '-' || substr(period_start, 5, 2) || '-' || right(period_start, 2)
             ELSE period_start END AS period_start,
        CASE WHEN length(period_end) = 8 AND regexp_full_match(period_end, '20[0-9]{6}') THEN left(period_end, 4) || '-' || substr(period_end, 5, 2) || '-' || right(period_end, 2)
             ELSE period_end END AS period_end)
    FROM raw_bills
),
-- A month and a day are periods by themselves: where they end, as text, since it lies in the same zone.
zoned AS (
    SELECT raw.* EXCLUDE (provider), coalesce(p.canonical, raw.provider) AS provider, coalesce(getvariable('told_zone'), p.zone, getvariable('source_zone')) AS zone,
        CASE WHEN regexp_full_match(period_start, '[0-9]{4}-[0-9]{2}') THEN period_start || '-01' ELSE period_start END AS start_text,
        CASE WHEN period_end IS NOT NULL AND NOT (period_end = period_start AND length(period_start) <= 10) THEN
                CASE WHEN regexp_full_match(period_end, '[0-9]{4}-[0-9]{2}') THEN period_end || '-01' ELSE period_end END
             WHEN regexp_full_match(period_start, '[0-9]{4}-[0-9]{2}') THEN strftime(TRY_CAST(period_start || '-01' AS DATE) + INTERVAL 1 MONTH, '%Y-%m-%d')
             WHEN regexp_full_match(period_start, '[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}') THEN strftime(TRY_CAST(replace(period_start, '/', '-') AS DATE) + INTERVAL 1 DAY, '%Y-%m-%d')
             END AS end_text
    FROM raw LEFT JOIN src_providers p ON p.provider = raw.provider
),
typed AS (
    SELECT *, as_time(start_text, zone) AS since, as_time(end_text, zone) AS until_told, as_count(requests) AS requests_n,
        as_money(quantity) AS quantity_n, as_money(amount) AS money, as_money(unit_price) AS price, bill_kind_of(kind) AS bill_kind
    FROM zoned
),
dated AS (
    SELECT *, CASE WHEN period_start IS NULL THEN CAST(getvariable('bill_from') AS TIMESTAMP) ELSE since END AS from_at,
        CASE WHEN period_start IS NULL THEN CAST(getvariable('bill_to') AS TIMESTAMP)
             WHEN until_told IS NULL THEN since
             WHEN regexp_matches(end_text, '23:59:59([.,]9+)?(Z| ?UTC|[+-][0-9:]+)?$') THEN date_trunc('second', until_told) + INTERVAL 1 SECOND
             ELSE until_told END AS to_at
    FROM typed
),
-- The first thing that is wrong with the row, in the order of its columns.
checked AS (
    SELECT *, CASE
        WHEN from_at IS NULL AND period_start IS NULL THEN ['period_start', 'found no period, expected a month, a day or a time in period_start']
        WHEN from_at IS NULL THEN ['period_start', 'found "' || shown(period_start) || '", expected a month (2026-10), a day (2026-10-03) or a time such as 2026-10-03T10:00:00Z']
        WHEN NOT in_time(from_at) THEN ['period_start', out_of_time(period_start)]
        WHEN period_end IS NOT NULL AND to_at IS NULL THEN ['period_end', 'found "' || shown(period_end) || '", expected a month (2026-10), a day (2026-10-03) or a time such as 2026-10-03T10:00:00Z']
        WHEN to_at < from_at THEN ['period_end', 'found "' || shown(period_end) || '", expected an end that is not before its start']
        WHEN quantity IS NOT NULL AND quantity_n IS NULL THEN ['quantity', not_an_amount(quantity)]
        WHEN requests IS NOT NULL AND requests_n IS NULL THEN ['requests', not_a_count(requests)]
        WHEN amount IS NOT NULL AND money IS NULL THEN ['amount', not_an_amount(amount)]
        WHEN NOT regexp_full_match(currency, '[A-Z]{3}') THEN ['currency', 'found "' || shown(currency) || '", expected a code of three letters, such as USD']
        WHEN bill_kind IS NULL THEN ['kind', not_one_of(kind, 'usage, refund, credit, tax, adjustment')]
        WHEN unit_price IS NOT NULL AND price IS NULL THEN ['unit_price', not_an_amount(unit_price)]
        WHEN quantity IS NULL AND requests IS NULL AND amount IS NULL THEN ['amount', 'found neither an amount nor a quantity nor requests, expected one of them']
        END AS reject
    FROM dated
)
SELECT setting('file_no') * 1099511627776 + record_no, setting('file_no'), source_line, provider, api_key, model, token_type_of(token_type),
    from_at, to_at, quantity_n, requests_n, money, currency, coalesce(bill_kind, 'usage'), line_item, price,
    CASE lower(service_tier) WHEN 'default' THEN 'standard' WHEN 'batches' THEN 'batch' ELSE lower(service_tier) END, NULL, reject[1], reject[2]
FROM checked;
