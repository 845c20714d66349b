-- int_rated_charges: every charge of the period priced again.
--
-- Why:    a bill can be wrong though every line of it has its attempt: by the tokens, by the way they are added up, or by the price.
-- Reads:  int_charge_lines, src_prices, src_models, src_providers, int_simple_pairs, fct_charges, int_executions, src_attempts
-- Writes: int_rated_charges
-- Grain:  row_id of usage lines of the paid book that name an amount
-- Units:  amount and expected in currency, expected rounded to twelve decimals; plain and out are tokens that no kind of its own has
-- Params: paid_book, period_from, period_to; scope_provider, scope_model, scope_api_key
-- Rule:   LiteLLM's order: quantity (are the tokens those of the log, of an answer that was matched by an id), then formula (which mistake
--         makes the amount exactly), then price (another day's, tier's or size's of the list). Exactly is to less than one unit of the
--         last decimal that the file writes, since some vendors cut and some round up. What is not listed is unpriced and never wrong;
--         lists that disagree tell nothing
-- Look at: testdata/queries/int_rated_charges/mistakes
CREATE OR REPLACE TABLE int_rated_charges AS
WITH decimals AS (
    SELECT file_no, max(length(rtrim(split_part(CAST(amount AS VARCHAR), '.', 2), '0'))) AS n FROM int_charge_lines
    WHERE amount IS NOT NULL AND NOT listed AND charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND charged_at < CAST(getvariable('period_to') AS TIMESTAMP)
    GROUP BY file_no
),
billed AS (
    SELECT c.row_id, c.file_no, c.source_line, c.book_provider, c.provider, c.currency, c.charge_id, c.charged_at, coalesce(c.model_key, '') AS model_key, lower(c.model) AS model, lower(m.canonical) AS told_model,
        coalesce(c.service_tier, 'standard') AS tier, c.amount, money_units(c.amount) * 1000000 AS asked, CAST(10 ** (18 - greatest(least(d.n, 12), 2)) AS HUGEINT) AS one_unit,
        CASE WHEN token_type_of(c.line_item) IN ('output', 'reasoning') THEN coalesce(c.input_tokens, 0) ELSE c.input_tokens END AS input,
        CASE WHEN token_type_of(c.line_item) IN ('input', 'cached_input', 'cache_write') THEN coalesce(c.output_tokens, 0) ELSE c.output_tokens END AS output,
        coalesce(c.cached_input_tokens, 0) AS cached, coalesce(c.cache_write_tokens, 0) AS written, coalesce(c.reasoning_tokens, 0) AS reasoned, c.line_item IS NULL AS whole
    FROM int_charge_lines c JOIN decimals d USING (file_no) LEFT JOIN src_models m ON m.alias = lower(c.model)
    WHERE c.book = getvariable('paid_book') AND c.kind = 'usage' AND c.amount > 0 AND NOT c.listed
      AND c.charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND c.charged_at < CAST(getvariable('period_to') AS TIMESTAMP)
      AND (getvariable('scope_provider') IS NULL OR c.book_provider = getvariable('scope_provider'))
      AND (getvariable('scope_model') IS NULL OR c.model_key = model_key(getvariable('scope_model')))
      AND (getvariable('scope_api_key') IS NULL OR c.api_key = getvariable('scope_api_key'))
),
lists AS (
    SELECT p.* REPLACE (coalesce(o.canonical, p.provider) AS provider), p.provider AS listed_provider, coalesce(p.reasoning, p.output) AS reasoning_price
    FROM src_prices p LEFT JOIN src_providers o ON o.provider = p.provider AND o.provider <> ''
),
named AS (
    SELECT b.row_id, p.* FROM billed b JOIN lists p ON p.model = b.model
    UNION ALL
    SELECT b.row_id, p.* FROM billed b JOIN lists p ON p.model = p.listed_provider || '/' || b.model
    UNION ALL
    SELECT b.row_id, p.* FROM billed b JOIN lists p ON p.model = b.told_model AND b.told_model <> b.model
),
-- Every price that the list has for the model, and what the charge would cost by it.
offered AS (
    SELECT b.*, p.currency AS list_currency, p.tier AS list_tier, p.above, p.tier = b.tier AS same_tier,
        (p.since IS NULL OR b.charged_at >= p.since) AND (p.until IS NULL OR b.charged_at < p.until) AS same_day,
        p.above = 0 OR b.input > p.above AS reached,
        money_units(p.input) AS p_in, money_units(p.cached_input) AS p_cached, money_units(p.cache_write) AS p_write, money_units(p.output) AS p_out, money_units(p.reasoning_price) AS p_reason,
        greatest(b.input - b.cached - b.written, 0) AS plain, greatest(b.output - b.reasoned, 0) AS answered, b.cached + b.written <= b.input AND b.reasoned <= b.output AS whole_parts
    FROM billed b JOIN named p USING (row_id) WHERE agrees(b.provider, p.provider)
),
summed AS (
    SELECT *, CASE WHEN plain > 0 THEN plain * p_in ELSE 0 END AS c_plain, CASE WHEN cached > 0 THEN cached * p_cached ELSE 0 END AS c_cached,
        CASE WHEN written > 0 THEN written * p_write ELSE 0 END AS c_written, CASE WHEN answered > 0 THEN answered * p_out ELSE 0 END AS c_out,
        CASE WHEN reasoned > 0 THEN reasoned * p_reason ELSE 0 END AS c_reason
    FROM offered
),
costed AS (
    SELECT *, CASE WHEN whole_parts THEN c_plain + c_cached + c_written + c_out + c_reason END AS cost,
        same_tier AND same_day AND reached AND above = max(above) FILTER (WHERE same_tier AND same_day AND reached) OVER (PARTITION BY row_id) AS fits
    FROM summed WHERE list_currency = currency
),
-- The price that holds: one, or several lists that say the same.
right_price AS (
    SELECT row_id, CASE WHEN count(cost) = count(*) AND min(cost) = max(cost) THEN min(cost) END AS cost, count(*) > count(cost) AS lacks, bool_and(whole_parts) AS whole_parts, min(cost) <> max(cost) AS disagree,
        any_value(p_in) AS p_in, any_value(p_out) AS p_out, any_value(p_cached) AS p_cached, any_value(p_reason) AS p_reason,
        any_value(c_plain) AS c_plain, any_value(c_cached) AS c_cached, any_value(c_written) AS c_written, any_value(c_out) AS c_out, any_value(c_reason) AS c_reason
    FROM costed WHERE fits GROUP BY row_id
),
other_price AS (
    SELECT row_id, min(CASE WHEN NOT same_day AND same_tier THEN 'other_day' WHEN NOT same_tier THEN 'other_tier' ELSE 'other_size' END) AS which, min(list_tier) AS list_tier
    FROM costed WHERE NOT fits AND abs(asked - cost) < one_unit GROUP BY row_id
),
-- The tokens of the answer that a charge pays for, where an id has joined them.
logged AS (
    SELECT s.charge_row AS row_id, a.input_tokens, a.output_tokens FROM int_simple_pairs s JOIN src_attempts a ON a.row_id = s.attempt_row WHERE s.match <> 'tokens'
    UNION ALL
    SELECT f.charge_no, a.input_tokens, a.output_tokens
    FROM fct_charges f JOIN int_executions e ON e.exec_id = f.exec_id JOIN src_attempts a ON a.row_id = e.top_row
    WHERE f.verdict = 'delivered' AND f.match <> 'tokens' AND NOT f.lead AND a.outcome = 'success' AND coalesce(f.reason, '') <> 'stands_in'
),
known AS (
    SELECT DISTINCT row_id FROM offered
)
SELECT b.row_id, b.file_no, b.source_line, b.book_provider AS provider, b.model_key, b.model, b.currency, b.charge_id, b.charged_at, b.tier, b.input, b.cached, b.written, b.output, b.reasoned, b.amount,
    units_money((r.cost + 500000) // 1000000) AS expected, l.input_tokens AS logged_input, l.output_tokens AS logged_output,
    CASE WHEN b.input IS NULL OR b.output IS NULL THEN 'no_tokens'
         WHEN k.row_id IS NULL THEN 'unpriced_model'
         WHEN r.row_id IS NULL THEN 'unpriced_tier_or_day'
         WHEN NOT r.whole_parts THEN 'parts_beyond_whole'
         WHEN r.lacks THEN 'unpriced_tokens'
         WHEN r.disagree THEN 'lists_disagree'
         -- quantity
         WHEN b.whole AND (l.input_tokens <> b.input OR l.output_tokens <> b.output) THEN 'quantity'
         WHEN abs(b.asked - r.cost) < b.one_unit THEN 'right'
         -- formula
         WHEN b.cached > 0 AND abs(b.asked - (r.cost + b.cached * r.p_in)) < b.one_unit THEN 'cached_twice'
         WHEN b.cached > 0 AND abs(b.asked - (r.cost - r.c_cached + b.cached * r.p_in)) < b.one_unit THEN 'cached_in_full'
         WHEN b.reasoned > 0 AND abs(b.asked - (r.cost + b.reasoned * r.p_out)) < b.one_unit THEN 'reasoning_twice'
         WHEN b.cached > 0 AND b.reasoned > 0 AND abs(b.asked - (r.cost + b.cached * r.p_in + b.reasoned * r.p_out)) < b.one_unit THEN 'cached_and_reasoning_twice'
         WHEN b.written > 0 AND abs(b.asked - (r.cost + b.written * r.p_in)) < b.one_unit THEN 'cache_write_twice'
         WHEN b.cached > 0 AND abs(b.asked - (r.cost - r.c_cached)) < b.one_unit THEN 'cached_left_out'
         WHEN b.reasoned > 0 AND abs(b.asked - (r.cost - r.c_reason)) < b.one_unit THEN 'reasoning_left_out'
         WHEN b.input <> b.output AND abs(b.asked - (b.input * r.p_out + b.output * r.p_in)) < b.one_unit THEN 'input_and_output_swapped'
         -- price
         ELSE coalesce(o.which, 'other_price') END AS state,
    CASE WHEN o.which = 'other_tier' THEN o.list_tier END AS list_tier, greatest(b.input - b.cached - b.written, 0) AS plain, greatest(b.output - b.reasoned, 0) AS answered, b.one_unit
FROM billed b LEFT JOIN known k USING (row_id) LEFT JOIN right_price r USING (row_id) LEFT JOIN other_price o USING (row_id) LEFT JOIN logged l USING (row_id);
