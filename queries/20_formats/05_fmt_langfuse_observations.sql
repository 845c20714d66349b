-- fmt_charges: Langfuse's observations (CSV, JSON or JSON lines of a batch export; snake case of a blob export), one row a call or a span.
--
-- Why:    what many applications record of their calls, with a reckoned cost.
-- Reads:  raw_records
-- Writes: fmt_charges, fmt_attempts, fmt_traces
-- Grain:  record_no
-- Units:  totalCost is USD, from Langfuse's price table: an estimate; where it is empty, the total of costDetails. latency is seconds. Times are UTC
-- Params: none
-- Rule:   langfuse/langfuse observation-stream.ts, observations_converters.ts. An observation lies around a call of the SDK, inside the application's own attempt (layer sdk). Only GENERATION and EMBEDDING are calls; spans would count them twice.
--         Details are JSON in a cell. Cached and reasoning tokens stand beside input and output where the total says so, else inside. The application may put its request id, the number
--         of the attempt and the vendor's id into metadata (request_id, attempt, response_id); else the trace names the request. A failed try
--         may lack what another observation of its trace has: it takes the request id of that one (src_lent)
-- Look at: testdata/formats/langfuse-observations
-- Format: langfuse-observations
-- Syntax: csv, json
-- Role:   charges, attempts
-- Cached: inside
-- Signature: id, traceId or trace_id, type~^(GENERATION|SPAN|EVENT|EMBEDDING|AGENT|TOOL|CHAIN|RETRIEVER)$, startTime or start_time, level or statusMessage or status_message or parentObservationId or parent_observation_id
-- Columns: id, trace = traceId or trace_id, type, started = startTime or start_time, ended = endTime or end_time, level, message = statusMessage or status_message,
--         model = model or provided_model_name, usage = usageDetails or usage_details or usage, cost = totalCost or total_cost or calculatedTotalCost,
--         costs = costDetails or cost_details, input_usage = inputUsage or input_usage or promptTokens, output_usage = outputUsage or output_usage or completionTokens,
--         total_usage = totalUsage or total_usage or totalTokens, latency, metadata
CREATE OR REPLACE TEMP TABLE fmt_rows AS
WITH told AS MATERIALIZED (
    SELECT *, caller_id(metadata) AS named,
        json_texts(usage, ['$.input', '$.output', '$.total', '$.input_cached_tokens', '$.cache_read_input_tokens', '$.output_reasoning_tokens']) AS used,
        json_texts(metadata, ['$.response_id', '$.vendor_request_id', '$.generation_id', '$.attempt']) AS said
    FROM raw_records WHERE type IN ('GENERATION', 'EMBEDDING')
),
counted AS (
    SELECT * EXCLUDE (usage, metadata, used, said) REPLACE (coalesce(cost, json_text(costs, '$.total')) AS cost), coalesce(as_count(used[1]), as_count(input_usage)) AS input_n,
        coalesce(as_count(used[2]), as_count(output_usage)) AS output_n, coalesce(as_count(used[3]), as_count(total_usage)) AS total_n,
        coalesce(as_count(used[4]), as_count(used[5])) AS cached_n, as_count(used[6]) AS reasoned_n,
        coalesce(named, trace) AS caller, coalesce(said[1], said[2], said[3]) AS receipt, said[4] AS attempt
    FROM told
)
SELECT *, CAST(CASE WHEN total_n = input_n + output_n + cached_n OR total_n = input_n + output_n + cached_n + reasoned_n THEN input_n + cached_n ELSE input_n END AS VARCHAR) AS input,
    CAST(CASE WHEN total_n = input_n + output_n + reasoned_n OR total_n = input_n + output_n + cached_n + reasoned_n THEN output_n + reasoned_n ELSE output_n END AS VARCHAR) AS output
FROM counted;
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, 'estimate' AS book, id AS charge_id, caller AS request_id, attempt, receipt AS vendor_request_id,
    utc_text(started) AS charged_at, model, input AS input_tokens, CAST(cached_n AS VARCHAR) AS cached_input_tokens, output AS output_tokens,
    CAST(reasoned_n AS VARCHAR) AS reasoning_tokens, double_money(cost) AS amount, 'USD' AS currency
FROM fmt_rows WHERE level IS DISTINCT FROM 'ERROR' OR coalesce(as_money(cost) <> 0, cost IS NOT NULL);
INSERT INTO fmt_attempts BY NAME
SELECT source_line, record_no, caller AS request_id, 'sdk' AS layer, attempt, utc_text(started) AS started_at, utc_text(ended) AS ended_at, latency AS elapsed_s,
    CASE WHEN level = 'ERROR' THEN 'error' WHEN ended IS NULL THEN 'unknown' ELSE 'success' END AS status, CASE WHEN level = 'ERROR' THEN message END AS reason, model,
    receipt AS vendor_request_id, CASE WHEN level IS DISTINCT FROM 'ERROR' OR input <> '0' THEN input END AS input_tokens, CAST(cached_n AS VARCHAR) AS cached_input_tokens,
    CASE WHEN level IS DISTINCT FROM 'ERROR' OR output <> '0' THEN output END AS output_tokens
FROM fmt_rows;
INSERT INTO fmt_traces SELECT record_no, trace, named FROM fmt_rows WHERE named IS NOT NULL OR level = 'ERROR';
DROP TABLE fmt_rows;
