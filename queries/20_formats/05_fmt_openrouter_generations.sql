-- fmt_charges: OpenRouter's generation objects (GET /api/v1/generation), one an execution.
--
-- Why:    what a team that asks for every generation's cost keeps of the answers.
-- Reads:  raw_records
-- Writes: fmt_charges
-- Grain:  record_no
-- Units:  total_cost is USD; created_at has an offset; generation_time is milliseconds
-- Params: none
-- Rule:   openrouter.ai docs, getgenerationdata. The provider's own counts (native_tokens_*) are those of the charge; the normalised ones differ. provider_responses
--         are OpenRouter's own fallbacks inside one charge. Without the provider's counts, tokens are not known. external_user is the caller's own
--         text: it names requests only where it does not recur as a person's or a team's name does
-- Look at: testdata/formats/openrouter-generations
-- Format: openrouter-generations
-- Syntax: json
-- Role:   charges
-- Signature: id~^gen- or data.id~^gen-, total_cost or data.total_cost, created_at or data.created_at, native_tokens_prompt or data.native_tokens_prompt or generation_time or data.generation_time
-- Columns: id = id or data.id, created_at = created_at or data.created_at, total_cost = total_cost or data.total_cost, model = model or data.model,
--         input = native_tokens_prompt or data.native_tokens_prompt, output = native_tokens_completion or data.native_tokens_completion,
--         reasoned = native_tokens_reasoning or data.native_tokens_reasoning, cached = native_tokens_cached or data.native_tokens_cached,
--         cancelled = cancelled or data.cancelled, finish_reason = finish_reason or data.finish_reason, generation_time = generation_time or data.generation_time,
--         caller = external_user or data.external_user
INSERT INTO fmt_charges BY NAME
WITH named AS (
    SELECT *, count(*) OVER by_user AS times,
        min(as_time(created_at, 'UTC')) OVER by_user AS first_at, max(as_time(created_at, 'UTC')) OVER by_user AS last_at
    FROM raw_records WINDOW by_user AS (PARTITION BY caller)
),
judged AS (
    SELECT *, caller IS NOT NULL AND times <= 20 AND coalesce(last_at - first_at <= INTERVAL 1 DAY, true) AS of_a_request FROM named
),
-- A file in which the name recurs on most rows names users.
weighed AS (
    SELECT *, 2 * count(*) FILTER (WHERE of_a_request) OVER () >= count(caller) OVER () AS names_requests FROM judged
)
SELECT source_line, record_no, 'openrouter' AS provider, 'bill' AS book, id AS charge_id, id AS vendor_request_id, CASE WHEN of_a_request AND names_requests THEN caller END AS request_id, utc_text(created_at) AS charged_at, model,
    input AS input_tokens, cached AS cached_input_tokens, output AS output_tokens, reasoned AS reasoning_tokens, double_money(total_cost) AS amount, 'USD' AS currency,
    lower(finish_reason) AS finish_reason, cancelled, generation_time AS generation_ms
FROM weighed;
