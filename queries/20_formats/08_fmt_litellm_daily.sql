-- fmt_bills: LiteLLM's daily tables (LiteLLM_DailyUserSpend, …TeamSpend, …TagSpend), counts for each day, key and model.
--
-- Why:    what the gateway counts of requests is held against what the application logs.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no * 16 and on: a row for each kind of token and one for the requests
-- Units:  tokens and requests; days of UTC. No money: spend is LiteLLM's own reckoning, and no bill
-- Params: none
-- Rule:   BerriAI/litellm schema.prisma. Cached tokens and cache writes lie in prompt_tokens: they are taken apart here. api_requests are successful_requests and failed_requests.
--         The tables of users, teams and tags each tell all of it: load one
-- Look at: testdata/formats/litellm-daily
-- Format: litellm-daily
-- Syntax: csv, json
-- Role:   bills
-- Rows: several
-- Signature: date, api_key, model, spend, api_requests, prompt_tokens, completion_tokens
-- Columns: date, api_key, model = model or model_group, provider = custom_llm_provider, api_requests, prompt_tokens, completion_tokens, cache_read_input_tokens, cache_creation_input_tokens
INSERT INTO fmt_bills BY NAME
WITH counted AS (
    SELECT *, as_count(prompt_tokens) - coalesce(as_count(cache_read_input_tokens), 0) - coalesce(as_count(cache_creation_input_tokens), 0) AS plain FROM raw_records
),
kinds AS (
    SELECT *, unnest([0, 1, 2, 3, 4]) AS k FROM counted
),
told AS (
    SELECT *, (['input', 'cached_input', 'cache_write', 'output', 'requests'])[k + 1] AS kind_of_token,
        CASE k WHEN 0 THEN CASE WHEN plain >= 0 THEN CAST(plain AS VARCHAR) ELSE prompt_tokens END WHEN 1 THEN cache_read_input_tokens WHEN 2 THEN cache_creation_input_tokens
               WHEN 3 THEN completion_tokens END AS n
    FROM kinds
)
SELECT source_line, record_no * 16 + k AS record_no, lower(provider) AS provider, api_key, model, kind_of_token AS token_type, utc_text(left(date, 10)) AS period_start,
    strftime(TRY_CAST(left(date, 10) AS DATE) + INTERVAL 1 DAY, '%Y-%m-%dT00:00:00Z') AS period_end, n AS quantity, CASE WHEN k = 4 THEN api_requests END AS requests
FROM told WHERE n IS NOT NULL AND (n <> '0' OR k IN (0, 3)) OR k = 4 AND api_requests IS NOT NULL;
