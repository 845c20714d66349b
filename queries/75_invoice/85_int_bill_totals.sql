-- int_bill_totals: what the vendor counted and billed, by model and period.
--
-- Why:    a vendor's files tell counts in one and money in another, by key and kind of token; the log knows calls.
-- Reads:  src_bills, src_files, src_attempts, src_models, src_prices, src_providers
-- Writes: int_bill_totals
-- Grain:  (provider, model_key, since, until); provider and model '' where the file names none. A period within one of another file that tells
--         something else of the model is that: usage by the hour beside costs by the day is days
-- Units:  since and until UTC; tokens: plain is input neither cached nor written, reasoned stands beside output where it is told apart; amount in
--         currency, rated what the price list asks for these tokens (NULL where it does not know one), rounding what rounding each line of the bill can make
-- Params: period_from, period_to; scope_provider, scope_model, scope_api_key
-- Rule:   of each measure (requests, tokens, amount) one format tells for a provider: the one with most rows of it, ties by name, so that
--         counts and money of two exports are not added; periods that tell nothing then are none, if the model has others. Requests that stand beside each kind of token of a key are counted once. Rows of keys that the
--         log does not show are left out, if it shows any key of the bill: they are other traffic
-- Look at: testdata/queries/int_bill_totals/two_exports
CREATE OR REPLACE TABLE int_bill_totals AS
WITH rows AS (
    SELECT b.row_id, b.source_line, coalesce(b.provider, '') AS provider, coalesce(m.canonical, model_key(b.model), '') AS model_key, lower(b.model) AS model, lower(m.canonical) AS told_model,
        coalesce(b.api_key, '') AS api_key, coalesce(b.token_type, '') AS token_type, b.period_start AS since, b.period_end AS until, b.quantity, b.requests, b.amount, b.currency,
        coalesce(b.service_tier, 'standard') AS tier, f.format, b.period_start + (b.period_end - b.period_start) / 2 AS middle
    FROM src_bills b JOIN src_files f USING (file_no) LEFT JOIN src_models m ON m.alias = lower(b.model)
    WHERE b.superseded_by IS NULL AND b.kind = 'usage'
),
shown_keys AS (
    SELECT DISTINCT api_key FROM src_attempts WHERE api_key IN (SELECT api_key FROM rows WHERE api_key <> '')
),
chosen AS (
    SELECT *, token_type IN ('input', 'cached_input', 'cache_write', 'output', 'reasoning') AND quantity IS NOT NULL AS counts
    FROM rows
    WHERE middle >= CAST(getvariable('period_from') AS TIMESTAMP) AND middle < CAST(getvariable('period_to') AS TIMESTAMP)
      AND (getvariable('scope_provider') IS NULL OR provider IN ('', getvariable('scope_provider')))
      AND (getvariable('scope_model') IS NULL OR model_key = model_key(getvariable('scope_model')))
      AND (getvariable('scope_api_key') IS NULL OR api_key = getvariable('scope_api_key'))
      AND (api_key = '' OR NOT EXISTS (SELECT 1 FROM shown_keys) OR api_key IN (SELECT api_key FROM shown_keys))
),
telling AS (
    SELECT provider, first(format ORDER BY n_requests DESC, format) AS of_requests, first(format ORDER BY n_tokens DESC, format) AS of_tokens, first(format ORDER BY n_amounts DESC, format) AS of_amounts
    FROM (SELECT provider, format, count(requests) AS n_requests, count(*) FILTER (WHERE counts) AS n_tokens, count(amount) AS n_amounts FROM chosen GROUP BY provider, format)
    GROUP BY provider
),
-- What counts of each row. A request of the log lies in each period that holds it: periods of two files, one within the other, would count it twice.
told AS (
    SELECT c.*, c.counts AND t.of_tokens = c.format AS tells_tokens, c.requests IS NOT NULL AND t.of_requests = c.format AS tells_requests, c.amount IS NOT NULL AND t.of_amounts = c.format AS tells_amount
    FROM chosen c JOIN telling t USING (provider)
),
spans AS (
    SELECT DISTINCT provider, model_key, format, since, until FROM told WHERE tells_tokens OR tells_requests OR tells_amount
),
within AS (
    SELECT s.provider, s.model_key, s.format, s.since, s.until, first(w.since ORDER BY w.until - w.since DESC, w.since) AS cell_since, first(w.until ORDER BY w.until - w.since DESC, w.since) AS cell_until
    FROM spans s JOIN spans w ON w.provider = s.provider AND w.model_key = s.model_key AND w.format <> s.format AND w.since <= s.since AND w.until >= s.until
    GROUP BY ALL
),
placed AS (
    SELECT t.*, coalesce(w.cell_since, t.since) AS cell_since, coalesce(w.cell_until, t.until) AS cell_until
    FROM told t LEFT JOIN within w ON w.provider = t.provider AND w.model_key = t.model_key AND w.format = t.format AND w.since = t.since AND w.until = t.until
),
-- What the list asks for each count.
lists AS (
    SELECT p.* REPLACE (coalesce(o.canonical, p.provider) AS provider), p.provider AS listed_provider
    FROM src_prices p LEFT JOIN src_providers o ON o.provider = p.provider AND o.provider <> ''
),
named AS (
    SELECT c.row_id, p.* FROM chosen c JOIN lists p ON p.model = c.model
    UNION ALL SELECT c.row_id, p.* FROM chosen c JOIN lists p ON p.model = p.listed_provider || '/' || c.model
    UNION ALL SELECT c.row_id, p.* FROM chosen c JOIN lists p ON p.model = c.told_model AND c.told_model <> c.model
),
priced AS (
    SELECT c.row_id, min(CASE c.token_type WHEN 'input' THEN money_units(p.input) WHEN 'cached_input' THEN money_units(p.cached_input) WHEN 'cache_write' THEN money_units(p.cache_write)
        WHEN 'output' THEN money_units(p.output) ELSE money_units(coalesce(p.reasoning, p.output)) END) AS price, min(money_units(p.input)) AS p_in, min(money_units(p.output)) AS p_out, min(p.currency) AS currency
    FROM chosen c JOIN named p USING (row_id)
    WHERE c.counts AND p.tier = c.tier AND p.above = 0 AND (c.provider = '' OR agrees(c.provider, p.provider)) AND (p.since IS NULL OR c.since >= p.since) AND (p.until IS NULL OR c.since < p.until)
    GROUP BY c.row_id HAVING min(p.output) IS NOT DISTINCT FROM max(p.output) AND min(p.input) IS NOT DISTINCT FROM max(p.input)
),
tokens AS (
    SELECT c.provider, c.model_key, c.cell_since AS since, c.cell_until AS until,
        CAST(sum(quantity) FILTER (WHERE token_type = 'input') AS HUGEINT) AS plain, CAST(sum(quantity) FILTER (WHERE token_type = 'cached_input') AS HUGEINT) AS cached,
        CAST(sum(quantity) FILTER (WHERE token_type = 'cache_write') AS HUGEINT) AS written, CAST(sum(quantity) FILTER (WHERE token_type = 'output') AS HUGEINT) AS output,
        CAST(sum(quantity) FILTER (WHERE token_type = 'reasoning') AS HUGEINT) AS reasoned,
        CASE WHEN count(p.price) = count(*) THEN sum(CAST(quantity AS HUGEINT) * p.price) END AS rated,
        sum(CAST(quantity AS HUGEINT) * p.p_in) FILTER (WHERE token_type = 'cached_input') AS cached_as_input, sum(CAST(quantity AS HUGEINT) * p.price) FILTER (WHERE token_type = 'cached_input') AS cached_rated,
        sum(CAST(quantity AS HUGEINT) * p.p_out) FILTER (WHERE token_type = 'reasoning') AS reasoned_as_output, min(p.currency) AS list_currency
    FROM placed c LEFT JOIN priced p USING (row_id)
    WHERE c.tells_tokens GROUP BY ALL
),
asked AS (
    SELECT provider, model_key, since, until, CAST(sum(n) AS BIGINT) AS requests FROM (
        SELECT provider, model_key, cell_since AS since, cell_until AS until, api_key, since AS own_since, until AS own_until, max(n) AS n FROM (
            SELECT provider, model_key, cell_since, cell_until, since, until, api_key, token_type, sum(requests) AS n
            FROM placed WHERE tells_requests GROUP BY ALL)
        GROUP BY ALL)
    GROUP BY ALL
),
written AS (
    SELECT currency, CAST(0.5 * 10.0 ** -greatest(minor_decimals(currency), max(length(rtrim(split_part(CAST(amount AS VARCHAR), '.', 2), '0')))) AS DECIMAL(38,12)) AS half
    FROM chosen WHERE amount IS NOT NULL GROUP BY currency
),
money AS (
    SELECT c.provider, c.model_key, c.cell_since AS since, c.cell_until AS until, CASE WHEN min(c.currency) = max(c.currency) THEN min(c.currency) END AS currency,
        CASE WHEN min(c.currency) = max(c.currency) THEN CAST(sum(c.amount) AS DECIMAL(38,12)) END AS amount, count(*) AS lines, CAST(sum(w.half) AS DECIMAL(38,12)) AS rounding
    FROM placed c JOIN written w ON w.currency = c.currency WHERE c.tells_amount GROUP BY ALL
),
cells AS (
    SELECT DISTINCT provider, model_key, cell_since AS since, cell_until AS until FROM placed p
    WHERE tells_tokens OR tells_requests OR tells_amount
       OR (counts OR requests IS NOT NULL OR amount IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM spans s WHERE s.provider = p.provider AND s.model_key = p.model_key)
)
SELECT k.*, a.requests, t.plain, t.cached, t.written, t.output, t.reasoned, t.plain IS NOT NULL OR t.cached IS NOT NULL OR t.written IS NOT NULL AS counts_input,
    coalesce(m.currency, t.list_currency, '') AS currency, m.amount, coalesce(m.lines, 0) AS lines, coalesce(m.rounding, 0) AS rounding,
    CASE WHEN coalesce(m.currency, t.list_currency) = t.list_currency THEN units_money((t.rated + 500000) // 1000000) END AS rated,
    units_money(((t.rated - coalesce(t.cached_rated, 0) + coalesce(t.cached_as_input, 0)) + 500000) // 1000000) AS rated_cached_in_full,
    units_money(((t.rated + coalesce(t.cached_as_input, 0)) + 500000) // 1000000) AS rated_cached_twice,
    units_money(((t.rated + coalesce(t.reasoned_as_output, 0)) + 500000) // 1000000) AS rated_reasoning_twice
FROM cells k LEFT JOIN asked a USING (provider, model_key, since, until) LEFT JOIN tokens t USING (provider, model_key, since, until) LEFT JOIN money m USING (provider, model_key, since, until);
