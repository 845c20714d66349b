-- fmt_charges: LiteLLM's StandardLoggingPayload, as its callbacks write it, one object an attempt.
--
-- Why:    the same gateway through its callbacks (S3, GCS, webhook): other names, and times in seconds.
-- Reads:  raw_records
-- Writes: fmt_charges, fmt_attempts, fmt_traces
-- Grain:  record_no
-- Units:  response_cost is USD, an estimate; startTime and endTime are Unix seconds with a fraction, response_time is seconds
-- Params: none
-- Rule:   BerriAI/litellm-docs logging_spec.md, litellm/types/utils.py. trace_id groups retries and fallbacks: a failed try without the
--         caller's own id has that of the others (src_lent). Cache hits ran nowhere.
--         A failure has response_cost 0 and is a charge only where it has tokens out. response_cost is a number
-- Look at: testdata/formats/litellm-payloads
-- Format: litellm-payloads
-- Syntax: json
-- Role:   charges, attempts
-- Cached: inside
-- Signature: id, trace_id or call_type, response_cost, startTime~^[0-9]+([.][0-9]+)?$, status
-- Columns: id, trace_id, response_cost, prompt_tokens, completion_tokens, startTime, endTime, response_time, model, custom_llm_provider,
--         status, cache_hit, stream, error_str, error_code = error_information.error_code, error_class = error_information.error_class, metadata
CREATE OR REPLACE TEMP TABLE fmt_rows AS
WITH looked AS (
    SELECT *, json_texts(metadata, ['$.user_api_key_alias', '$.spend_logs_metadata', '$.usage_object.prompt_tokens_details.cached_tokens', '$.usage_object.cache_read_input_tokens',
        '$.usage_object.completion_tokens_details.reasoning_tokens']) AS said
    FROM raw_records
),
told AS (
    SELECT * EXCLUDE (metadata), caller_id(said[2]) AS named FROM looked
)
SELECT * EXCLUDE (said) REPLACE (coalesce(as_flag(cache_hit), false) AS cache_hit), said[1] AS api_key, coalesce(named, trace_id) AS caller,
    coalesce(said[3], said[4]) AS cached, said[5] AS reasoned, lower(custom_llm_provider) AS provider
FROM told;
INSERT INTO fmt_traces SELECT record_no, trace_id, named FROM fmt_rows WHERE named IS NOT NULL OR status = 'failure';
DELETE FROM fmt_rows WHERE cache_hit;
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, provider, 'estimate' AS book, id AS charge_id, id AS vendor_request_id, caller AS request_id, startTime AS charged_at, model,
    prompt_tokens AS input_tokens, cached AS cached_input_tokens, completion_tokens AS output_tokens, reasoned AS reasoning_tokens, double_money(response_cost) AS amount, 'USD' AS currency, api_key
FROM fmt_rows
WHERE status <> 'failure' OR coalesce(as_money(response_cost) <> 0, response_cost IS NOT NULL) OR coalesce(as_count(completion_tokens) > 0, false);
INSERT INTO fmt_attempts BY NAME
SELECT source_line, record_no, caller AS request_id, 'gateway' AS layer, startTime AS started_at, endTime AS ended_at, response_time AS elapsed_s,
    CASE WHEN error_code = '499' THEN 'timeout' ELSE status END AS outcome, coalesce(error_class, CASE WHEN status = 'failure' THEN error_str END) AS reason,
    CASE WHEN regexp_full_match(error_code, '[0-9]{3}') THEN error_code WHEN status = 'success' THEN '200' END AS http_status, provider, model,
    id AS vendor_request_id, CASE WHEN status <> 'failure' THEN prompt_tokens END AS input_tokens, CASE WHEN status <> 'failure' THEN cached END AS cached_input_tokens,
    CASE WHEN status <> 'failure' THEN completion_tokens END AS output_tokens, stream AS streamed, api_key
FROM fmt_rows;
DROP TABLE fmt_rows;
