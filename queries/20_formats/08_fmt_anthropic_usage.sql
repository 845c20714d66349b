-- fmt_bills: Anthropic's usage report (API), counts for each minute, hour or day, key and model.
--
-- Why:    what Anthropic counts; it names no request and counts none.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no * 16 and on: a row for each kind of token
-- Units:  tokens; times UTC. No money
-- Params: none
-- Rule:   docs.anthropic.com usage-cost-api. Cached tokens and cache writes stand beside the uncached input. Thinking lies in the output
-- Look at: testdata/formats/anthropic-usage
-- Format: anthropic-usage
-- Syntax: json
-- Role:   bills
-- Rows: several
-- Signature: starting_at, ending_at, results.uncached_input_tokens, results.output_tokens
-- Records: results
-- Columns: period_start = ^starting_at, period_end = ^ending_at, input = uncached_input_tokens, cached = cache_read_input_tokens,
--         write_5m = cache_creation.ephemeral_5m_input_tokens, write_1h = cache_creation.ephemeral_1h_input_tokens, output = output_tokens, api_key_id, model, service_tier
INSERT INTO fmt_bills BY NAME
WITH kinds AS (SELECT *, unnest([0, 1, 2, 3, 4]) AS k FROM raw_records),
told AS (
    SELECT *, (['input', 'cached_input', 'cache_write', 'cache_write', 'output'])[k + 1] AS kind_of_token,
        CASE k WHEN 0 THEN input WHEN 1 THEN cached WHEN 2 THEN write_5m WHEN 3 THEN write_1h ELSE output END AS n
    FROM kinds
)
SELECT source_line, record_no * 16 + k AS record_no, 'anthropic' AS provider, api_key_id AS api_key, model, kind_of_token AS token_type, period_start, period_end, n AS quantity,
    CASE k WHEN 2 THEN 'cache write, 5 min' WHEN 3 THEN 'cache write, 1 h' END AS line_item, service_tier
FROM told WHERE n IS NOT NULL AND (n <> '0' OR k IN (0, 4));
