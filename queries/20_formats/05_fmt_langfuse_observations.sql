-- fmt_charges: Langfuse's observations (CSV, JSON or JSON lines of a batch export; snake case of a blob export), one row a call or a span.
--
-- Why:    what many applications record of their calls, with a reckoned cost.
-- Reads:  raw_records
-- Writes: fmt_charges, fmt_attempts
-- Grain:  record_no
-- Units:  totalCost is USD, from Langfuse's price table: an estimate. latency is seconds. Times are UTC
-- Params: none
-- Rule:   langfuse/langfuse observation-stream.ts, observations_converters.ts. Only GENERATION and EMBEDDING are calls; spans would count them twice.
--         Details are JSON in a cell. Cached and reasoning tokens stand beside input and output where the total says so, else inside. The application may put its request id, the number
--         of the attempt and the vendor's id into metadata (request_id, attempt, response_id); else the trace names the request
-- Look at: testdata/formats/langfuse-observations
-- Format: langfuse-observations
-- Syntax: csv, json
-- Role:   charges, attempts
-- Cached: inside
-- Signature: id, traceId or trace_id, type~^(GENERATION|SPAN|EVENT|EMBEDDING|AGENT|TOOL|CHAIN|RETRIEVER)$, startTime or start_time, usageDetails or usage_details, level
-- Columns: id, trace = traceId or trace_id, type, started = startTime or start_time, ended = endTime or end_time, level, message = statusMessage or status_message,
--         model = model or provided_model_name, usage = usageDetails or usage_details, cost = totalCost or total_cost, latency, metadata
CREATE OR REPLACE TEMP TABLE fmt_rows AS
WITH looked AS (
    SELECT *, json_texts(usage, ['$.input', '$.output', '$.total', '$.input_cached_tokens', '$.cache_read_input_tokens', '$.output_reasoning_tokens']) AS used,
        json_texts(metadata, ['$.response_id', '$.vendor_request_id', '$.generation_id', '$.attempt']) AS told
    FROM raw_records WHERE type IN ('GENERATION', 'EMBEDDING')
),
counted AS (
    SELECT * EXCLUDE (usage, metadata, used, told), as_count(used[1]) AS input_n, as_count(used[2]) AS output_n, as_count(used[3]) AS total_n,
        coalesce(as_count(used[4]), as_count(used[5])) AS cached_n, as_count(used[6]) AS reasoned_n,
        coalesce(caller_id(metadata), trace) AS caller, coalesce(told[1], told[2], told[3]) AS receipt, told[4] AS attempt
    FROM looked
)
SELECT *, CASE WHEN total_n > input_n + output_n THEN true ELSE false END AS beside,
    CAST(CASE WHEN total_n = input_n + output_n + cached_n OR total_n = input_n + output_n + cached_n + reasoned_n THEN input_n + cached_n ELSE input_n END AS VARCHAR) AS input,
    CAST(CASE WHEN total_n = input_n + output_n + reasoned_n OR total_n = input_n + output_n + cached_n + reasoned_n THEN output_n + reasoned_n ELSE output_n END AS VARCHAR) AS output
FROM counted;
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, 'estimate' AS book, id AS charge_id, caller AS request_id, attempt, receipt AS vendor_request_id,
    utc_text(started) AS charged_at, model, input AS input_tokens, CAST(cached_n AS VARCHAR) AS cached_input_tokens, output AS output_tokens,
    CAST(reasoned_n AS VARCHAR) AS reasoning_tokens, double_money(cost) AS amount, 'USD' AS currency
FROM fmt_rows WHERE level IS DISTINCT FROM 'ERROR' OR coalesce(as_money(cost) <> 0, cost IS NOT NULL);
INSERT INTO fmt_attempts BY NAME
SELECT source_line, record_no, caller AS request_id, attempt, utc_text(started) AS started_at, utc_text(ended) AS ended_at, latency AS elapsed_s,
    CASE WHEN level = 'ERROR' THEN 'error' WHEN ended IS NULL THEN 'unknown' ELSE 'success' END AS status, CASE WHEN level = 'ERROR' THEN message END AS reason, model,
    receipt AS vendor_request_id, input AS input_tokens, CAST(cached_n AS VARCHAR) AS cached_input_tokens, output AS output_tokens
FROM fmt_rows;
DROP TABLE fmt_rows;
