-- fmt_attempts: OpenTelemetry spans in OTLP JSON (the collector's file exporter), of calls to models.
--
-- Why:    every instrumentation ends here; and HTTP spans show what an SDK retries by itself.
-- Reads:  raw_records
-- Writes: fmt_attempts
-- Grain:  record_no
-- Units:  Unix nanoseconds, as text or as a number; attributes are a list of keys and typed values, whole numbers mostly text
-- Params: none
-- Rule:   open-telemetry/semantic-conventions-genai, semantic-conventions docs/http/http-spans.md. A GenAI span is a call of the SDK
--         (layer app, or sdk inside another one); an HTTP client span under it, or under a span inside it, is one send (layer sdk), numbered by
--         http.request.resend_count where a client counts, else by its start. Sends repeat the prompt of their call, and the last one that was answered has its receipt.
--         Without GenAI spans, HTTP spans to paths that call models are the attempts. gen_ai.response.id is the vendor's id. error.type is an exception, timeout or a status.
--         Input tokens have the cached ones inside. Spans of tools, agents and all else are ignored
-- Look at: testdata/formats/otlp-spans
-- Format: otlp-spans
-- Syntax: json
-- Role:   attempts
-- Cached: inside
-- Signature: resourceSpans.scopeSpans.spans.traceId, resourceSpans.scopeSpans.spans.startTimeUnixNano
-- Records: resourceSpans.scopeSpans.spans
-- Columns: traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano, attributes, status_code = status.code
INSERT INTO fmt_attempts BY NAME
WITH parsed AS (
    SELECT * EXCLUDE (attributes), attributes_of(attributes) AS list FROM raw_records
),
listed AS (
    SELECT * EXCLUDE (list), attribute_names(list) AS names, attribute_values(list) AS vals FROM parsed
),
named AS (
    SELECT * EXCLUDE (names, vals), coalesce(attribute(names, vals, 'gen_ai.request.model'), attribute(names, vals, 'gen_ai.response.model')) AS model,
        coalesce(attribute(names, vals, 'gen_ai.provider.name'), attribute(names, vals, 'gen_ai.system')) AS provider, attribute(names, vals, 'gen_ai.operation.name') AS operation,
        coalesce(attribute(names, vals, 'gen_ai.usage.input_tokens'), attribute(names, vals, 'gen_ai.usage.prompt_tokens')) AS input,
        coalesce(attribute(names, vals, 'gen_ai.usage.output_tokens'), attribute(names, vals, 'gen_ai.usage.completion_tokens')) AS output,
        attribute(names, vals, 'gen_ai.usage.cache_read.input_tokens') AS cached, attribute(names, vals, 'gen_ai.response.id') AS response_id,
        attribute(names, vals, 'gen_ai.request.stream') AS streamed, attribute(names, vals, 'error.type') AS error,
        coalesce(attribute(names, vals, 'http.response.status_code'), attribute(names, vals, 'http.status_code')) AS http,
        coalesce(attribute(names, vals, 'http.request.method'), attribute(names, vals, 'http.method')) IS NOT NULL AS is_http,
        attribute(names, vals, 'http.request.resend_count') AS resent,
        coalesce(attribute(names, vals, 'url.path'), attribute(names, vals, 'http.target'), attribute(names, vals, 'url.full'), attribute(names, vals, 'http.url')) AS path,
        coalesce(attribute(names, vals, 'http.response.header.x-request-id'), attribute(names, vals, 'http.response.header.request-id')) AS header_id
    FROM listed
),
kinds AS (
    SELECT *, (model IS NOT NULL OR response_id IS NOT NULL OR operation IS NOT NULL AND (provider IS NOT NULL OR input IS NOT NULL OR operation IN ('chat', 'text_completion', 'embeddings', 'generate_content')))
        AND coalesce(operation NOT IN ('execute_tool', 'invoke_agent', 'create_agent', 'invoke_workflow'), true) AS is_call FROM named
),
calls AS (
    SELECT traceId, spanId, any_value(model) AS model, any_value(provider) AS provider, any_value(input) AS input, any_value(cached) AS cached,
        any_value(output) AS output, any_value(response_id) AS response_id
    FROM kinds WHERE is_call GROUP BY traceId, spanId
),
-- A library's own span may stand between a call and its sends.
parents AS (
    SELECT traceId, spanId, any_value(parentSpanId) AS above FROM kinds WHERE NOT is_call GROUP BY traceId, spanId
),
placed AS (
    SELECT k.* REPLACE (CASE WHEN k.is_http AND NOT k.is_call AND c.spanId IS NOT NULL THEN c.spanId ELSE k.parentSpanId END AS parentSpanId)
    FROM kinds k LEFT JOIN parents m ON m.traceId = k.traceId AND m.spanId = k.parentSpanId LEFT JOIN calls c ON c.traceId = k.traceId AND c.spanId = m.above
),
sends AS (
    SELECT k.*, p.spanId IS NOT NULL AS inside, p.model AS call_model, p.provider AS call_provider, p.input AS call_input, p.cached AS call_cached, p.output AS call_output,
        p.response_id AS call_response,
        CASE WHEN k.resent IS NOT NULL THEN k.resent WHEN k.is_http AND p.spanId IS NULL THEN '0' WHEN k.is_http
             THEN CAST(row_number() OVER (PARTITION BY k.traceId, k.parentSpanId, k.is_http ORDER BY k.startTimeUnixNano, k.record_no) - 1 AS VARCHAR) END AS number,
        row_number() OVER (PARTITION BY k.traceId, k.parentSpanId, k.is_http AND k.http LIKE '2%' ORDER BY k.startTimeUnixNano DESC, k.record_no DESC) = 1
            AND k.http LIKE '2%' AS answered
    FROM placed k LEFT JOIN calls p ON p.traceId = k.traceId AND p.spanId = k.parentSpanId
),
taken AS (
    SELECT *, is_http AND NOT is_call AND inside AS is_send, is_http AND NOT is_call AND NOT inside AND calls_a_model(path) AND NOT EXISTS (FROM calls) AS is_bare FROM sends
)
SELECT source_line, record_no, traceId AS request_id, CASE WHEN is_send OR is_call AND inside THEN 'sdk' ELSE 'app' END AS layer,
    number AS attempt, CASE WHEN number IS NOT NULL THEN '0' END AS counts_from,
    nullif(startTimeUnixNano, '0') AS started_at, nullif(endTimeUnixNano, '0') AS ended_at,
    CASE WHEN coalesce(error, '') <> '' OR status_code IN ('2', 'STATUS_CODE_ERROR') OR TRY_CAST(http AS INTEGER) >= 400 THEN 'error' ELSE 'success' END AS status,
    CASE WHEN NOT regexp_full_match(error, '[0-9]{3}') THEN error END AS reason, coalesce(http, CASE WHEN regexp_full_match(error, '[0-9]{3}') THEN error END) AS http_status,
    coalesce(provider, call_provider) AS provider, coalesce(model, call_model) AS model,
    CASE WHEN is_call THEN response_id WHEN answered THEN coalesce(call_response, header_id) ELSE header_id END AS vendor_request_id,
    coalesce(input, call_input) AS input_tokens, coalesce(cached, CASE WHEN input IS NULL THEN call_cached END) AS cached_input_tokens,
    coalesce(output, CASE WHEN answered THEN call_output END) AS output_tokens, streamed
FROM taken WHERE is_call OR is_send OR is_bare;
