-- fmt_charges: OpenRouter's activity export (CSV), one row a generation.
--
-- Why:    the bill of a gateway that names a receipt for every execution, and says which were cancelled.
-- Reads:  raw_records
-- Writes: fmt_charges
-- Grain:  record_no
-- Units:  cost_total is USD for the request; created_at has no zone and is UTC (the profile of openrouter)
-- Params: none
-- Rule:   tokens_reasoning lies in the completion and tokens_cached in the prompt. cost_cache is a part of
--         cost_total, negative where the cache saved something: never a line of its own. byok_usage_inference is
--         paid to the provider, not here. user is the caller's own text: it names requests only where it does not
--         recur as a person's or a team's name does
-- Look at: testdata/formats/openrouter-activity
-- Format: openrouter-activity
-- Syntax: csv
-- Role:   charges
-- Signature: generation_id, created_at, cost_total, tokens_prompt, model_permaslug
-- Columns: generation_id, created_at, cost_total, tokens_prompt, tokens_completion, tokens_reasoning, tokens_cached,
--         model_permaslug, cancelled, user, finish_reason_raw, finish_reason_normalized, generation_time_ms, api_key_name
INSERT INTO fmt_charges BY NAME
WITH users AS (
    SELECT "user" AS name, count(*) AS times, coalesce(max(TRY_CAST(created_at AS TIMESTAMP)) - min(TRY_CAST(created_at AS TIMESTAMP)) <= INTERVAL 1 DAY, true) AS of_a_day
    FROM raw_records WHERE "user" IS NOT NULL GROUP BY "user"
),
judged AS (
    SELECT name, times, times <= 20 AND of_a_day AS of_a_request FROM users
),
-- A file in which the name recurs on most rows names users.
weighed AS (
    SELECT r.*, CASE WHEN j.of_a_request AND (SELECT 2 * sum(times) FILTER (WHERE of_a_request) >= sum(times) FROM judged) THEN r."user" END AS request
    FROM raw_records r LEFT JOIN judged j ON j.name = r."user"
)
SELECT source_line, record_no, 'openrouter' AS provider, 'bill' AS book, generation_id AS charge_id, generation_id AS vendor_request_id,
    request AS request_id, created_at AS charged_at, model_permaslug AS model,
    tokens_prompt AS input_tokens, tokens_cached AS cached_input_tokens, tokens_completion AS output_tokens, tokens_reasoning AS reasoning_tokens,
    double_money(cost_total) AS amount, 'USD' AS currency, lower(coalesce(finish_reason_normalized, finish_reason_raw)) AS finish_reason, cancelled,
    generation_time_ms AS generation_ms, api_key_name AS api_key
FROM weighed;
