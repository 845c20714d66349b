-- fmt_charges: LiteLLM's spend logs (LiteLLM_SpendLogs as a CSV dump, or /spend/logs), one row an attempt upstream.
--
-- Why:    the most used gateway reckons the cost of every attempt, and groups retries and fallbacks.
-- Reads:  raw_records
-- Writes: fmt_charges, fmt_attempts, fmt_traces
-- Grain:  record_no
-- Units:  spend is USD by LiteLLM's own price map: an estimate. Times are UTC, in a CSV dump without a zone
-- Params: none
-- Rule:   BerriAI/litellm schema.prisma, spend_tracking_utils.py. A cache hit (its id ends in _cache_hit and a time) ran nowhere: neither
--         charge nor attempt. A failure is priced at 0; it is a charge only where it has tokens or an amount, as newer
--         versions write for a client that left (499, ClientDisconnected). Two calls of one id leave one row, so a
--         row that is missing is no proof. A failed try may lack the caller's own id that another row of its session has: it takes that one (src_lent). metadata is JSON, in a dump inside a cell. Cached tokens lie in the prompt
-- Look at: testdata/formats/litellm-spend-logs
-- Format: litellm-spend-logs
-- Syntax: csv, json
-- Role:   charges, attempts
-- Cached: inside
-- Signature: request_id, call_type, spend, startTime, endTime, model
-- Unlike: response_cost
-- Columns: request_id, api_key, spend, prompt_tokens, completion_tokens, startTime, endTime, model, custom_llm_provider, session_id,
--         status, cache_hit, metadata, request_duration_ms
CREATE OR REPLACE TEMP TABLE fmt_rows AS
WITH looked AS (
    SELECT *, json_texts(metadata, ['$.user_api_key_alias', '$.usage_object.prompt_tokens_details.cached_tokens', '$.additional_usage_values.cache_read_input_tokens',
        '$.usage_object.completion_tokens_details.reasoning_tokens', '$.spend_logs_metadata', '$.error_information.error_code', '$.error_information.error_class']) AS said
    FROM raw_records
),
told AS (
    SELECT * EXCLUDE (metadata), caller_id(said[5]) AS named FROM looked
)
SELECT source_line, record_no, regexp_replace(request_id, '_cache_hit.*$', '') AS receipt, utc_text(startTime) AS started, utc_text(endTime) AS ended,
    model, lower(custom_llm_provider) AS provider, spend, prompt_tokens, completion_tokens, request_duration_ms,
    coalesce(said[1], api_key) AS api_key, coalesce(said[2], said[3]) AS cached, said[4] AS reasoned,
    session_id, named, coalesce(named, session_id) AS caller, coalesce(as_flag(cache_hit), false) OR coalesce(contains(request_id, '_cache_hit'), false) AS cache_hit,
    lower(status) = 'failure' AS failed, said[6] AS error_code, said[7] AS error_class, coalesce(lower(status), CASE WHEN said[7] IS NULL THEN 'success' ELSE 'failure' END) AS status
FROM told;
INSERT INTO fmt_traces SELECT record_no, session_id, named FROM fmt_rows WHERE named IS NOT NULL OR failed;
DELETE FROM fmt_rows WHERE cache_hit;
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, provider, 'estimate' AS book, receipt AS charge_id, receipt AS vendor_request_id, caller AS request_id, started AS charged_at, model,
    prompt_tokens AS input_tokens, cached AS cached_input_tokens, completion_tokens AS output_tokens, reasoned AS reasoning_tokens, double_money(spend) AS amount, 'USD' AS currency, api_key
FROM fmt_rows
WHERE status <> 'failure' OR coalesce(as_money(spend) <> 0, spend IS NOT NULL) OR coalesce(as_count(completion_tokens) > 0, false);
INSERT INTO fmt_attempts BY NAME
SELECT source_line, record_no, caller AS request_id, 'gateway' AS layer, started AS started_at, ended AS ended_at, request_duration_ms AS elapsed_ms,
    CASE WHEN error_code = '499' THEN 'timeout' ELSE status END AS outcome, error_class AS reason,
    CASE WHEN regexp_full_match(error_code, '[0-9]{3}') THEN error_code WHEN status = 'success' THEN '200' END AS http_status, provider, model,
    receipt AS vendor_request_id, CASE WHEN status <> 'failure' THEN prompt_tokens END AS input_tokens, CASE WHEN status <> 'failure' THEN cached END AS cached_input_tokens,
    CASE WHEN status <> 'failure' THEN completion_tokens END AS output_tokens, api_key
FROM fmt_rows;
DROP TABLE fmt_rows;
