-- src_charges: gives the text rows of one billing export their types and meaning.
--
-- Why:    the one place where billing text becomes money.
-- Reads:  raw_charges, src_providers
-- Writes: src_charges
-- Grain:  row_id
-- Units:  charged_at UTC, amounts DECIMAL(38,12) in currency
-- Params: file_no; source_zone, told_zone, clock_change_days; source_provider, source_api_key, source_book,
--         source_currency: of a line without one; now
-- Rule:   design section 2
-- Look at: testdata/queries/src_charges/blank_amount_is_unknown
INSERT INTO src_charges
WITH raw AS (
    SELECT * REPLACE (
        lower(coalesce(provider, getvariable('source_provider'))) AS provider,
        coalesce(lower(book), getvariable('source_book'), 'bill') AS book,
        coalesce(upper(currency), getvariable('source_currency'), 'XXX') AS currency,
        coalesce(lower(kind), 'usage') AS kind, coalesce(api_key, getvariable('source_api_key')) AS api_key)
    FROM raw_charges
),
typed AS (
    SELECT raw.* EXCLUDE (provider), coalesce(p.canonical, raw.provider) AS provider, coalesce(p.cached_outside, false) AS cached_outside,
        as_time(charged_at, coalesce(getvariable('told_zone'), p.zone, getvariable('source_zone'))) AS charged,
        clock_doubt(charged_at, coalesce(getvariable('told_zone'), p.zone, getvariable('source_zone'))) AS doubt, as_count(attempt) AS attempt_n,
        as_count(input_tokens) AS input_n, as_count(cached_input_tokens) AS cached_n,
        as_count(output_tokens) AS output_n, as_count(reasoning_tokens) AS reasoning_n,
        as_count(cache_write_tokens) AS written_n,
        as_money(unit_price) AS price, as_money(amount) AS money,
        CASE WHEN kind IN ('usage', 'refund', 'credit', 'tax', 'adjustment') THEN kind
             WHEN kind IN ('consume', 'charge', 'regular') THEN 'usage'
             WHEN kind IN ('correction', 'rounding_error', 'rounding') THEN 'adjustment' END AS charge_kind,
        as_flag(cancelled) AS cancelled_flag, as_duration_ms(generation_ms, 1) AS generation
    FROM raw LEFT JOIN src_providers p ON p.provider = raw.provider
),
-- The first thing that is wrong with the row, in the order of its columns.
checked AS (
    SELECT *, CASE
        WHEN book NOT IN ('bill', 'estimate') THEN ['book', not_one_of(book, 'bill, estimate')]
        WHEN attempt IS NOT NULL AND (attempt_n IS NULL OR attempt_n > 1000000) THEN ['attempt', not_a_count(attempt)]
        WHEN charged_at IS NULL THEN ['charged_at', 'found no time, expected one in charged_at']
        WHEN charged IS NULL THEN ['charged_at', not_a_time(charged_at)]
        WHEN NOT in_time(charged) THEN ['charged_at', out_of_time(charged_at)]
        WHEN input_tokens IS NOT NULL AND input_n IS NULL THEN ['input_tokens', not_a_count(input_tokens)]
        WHEN cached_input_tokens IS NOT NULL AND cached_n IS NULL THEN ['cached_input_tokens', not_a_count(cached_input_tokens)]
        WHEN output_tokens IS NOT NULL AND output_n IS NULL THEN ['output_tokens', not_a_count(output_tokens)]
        WHEN reasoning_tokens IS NOT NULL AND reasoning_n IS NULL THEN ['reasoning_tokens', not_a_count(reasoning_tokens)]
        WHEN cache_write_tokens IS NOT NULL AND written_n IS NULL THEN ['cache_write_tokens', not_a_count(cache_write_tokens)]
        WHEN unit_price IS NOT NULL AND price IS NULL THEN ['unit_price', not_an_amount(unit_price)]
        WHEN amount IS NOT NULL AND money IS NULL THEN ['amount', not_an_amount(amount)]
        WHEN NOT regexp_full_match(currency, '[A-Z]{3}') THEN ['currency', 'found "' || shown(currency) || '", expected a code of three letters, such as USD']
        WHEN charge_kind IS NULL THEN ['kind', not_one_of(kind, 'usage, refund, credit, tax, adjustment')]
        WHEN cancelled IS NOT NULL AND cancelled_flag IS NULL THEN ['cancelled', not_one_of(cancelled, 'true, false')]
        WHEN generation_ms IS NOT NULL AND generation IS NULL THEN ['generation_ms', not_a_duration(generation_ms)]
        WHEN known_text(counts_from) IS NOT NULL AND coalesce(as_count(counts_from) > 1, true) THEN ['counts_from', not_one_of(counts_from, '0, 1')]
        END AS reject
    FROM typed
)
SELECT setting('file_no') * 1099511627776 + record_no, setting('file_no'), source_line,
    provider, book, charge_id, line_item, request_id, CASE WHEN attempt_n <= 1000000 THEN attempt_n END,
    vendor_request_id, idempotency_key, charged, model, whole_input(cached_outside, input_n, CASE WHEN written_n IS NULL THEN cached_n ELSE coalesce(cached_n, 0) + written_n END), cached_n, output_n, reasoning_n,
    price, money, currency, coalesce(charge_kind, 'usage'), finish_reason, cancelled_flag, generation, api_key,
    CASE WHEN as_count(counts_from) IN (0, 1) THEN as_count(counts_from) END, NULL, doubt, reject[1], reject[2],
    written_n, CASE lower(service_tier) WHEN 'default' THEN 'standard' WHEN 'batches' THEN 'batch' ELSE lower(service_tier) END, NULL, NULL, setting('file_no')
FROM checked;
