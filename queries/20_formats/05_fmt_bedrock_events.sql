-- fmt_charges: AWS Bedrock's model invocation log as CloudWatch gives it, each record a text in an event's message.
--
-- Why:    many read the log in CloudWatch, and never turn on the copy in S3.
-- Reads:  raw_records
-- Writes: fmt_charges
-- Grain:  record_no
-- Units:  as bedrock-invocations
-- Params: none
-- Rule:   as bedrock-invocations. The record's own timestamp counts, not the event's. Events of other logs are ignored
-- Look at: testdata/formats/bedrock-events
-- Format: bedrock-events
-- Syntax: csv, json
-- Role:   charges
-- Cached: inside
-- Needs: prices
-- Signature: message~"schemaType" *: *"ModelInvocationLog"
-- Columns: message
INSERT INTO fmt_charges BY NAME
WITH read AS (
    SELECT source_line, record_no, json_text(message, '$.requestId') AS id, json_text(message, '$.requestMetadata') AS tags, json_text(message, '$.timestamp') AS happened,
        regexp_replace(json_text(message, '$.modelId'), '^.*/', '') AS model, json_text(message, '$.input.inputTokenCount') AS input, json_text(message, '$.output.outputTokenCount') AS output,
        json_text(message, '$.output.outputBodyJson.usage') AS usage, json_text(message, '$.errorCode') AS error
    FROM raw_records WHERE json_text(message, '$.schemaType') = 'ModelInvocationLog'
),
counted AS (
    SELECT *, coalesce(as_count(json_text(usage, '$.cacheReadInputTokens')), as_count(json_text(usage, '$.cache_read_input_tokens'))) AS cached_n,
        coalesce(as_count(json_text(usage, '$.cacheWriteInputTokens')), as_count(json_text(usage, '$.cache_creation_input_tokens'))) AS written_n, as_count(input) AS input_n
    FROM read WHERE error IS NULL OR input IS NOT NULL OR output IS NOT NULL
),
summed AS (
    SELECT *, coalesce(cached_n, 0) + coalesce(written_n, 0) AS beside_n FROM counted
)
SELECT source_line, record_no, 'aws-bedrock' AS provider, id AS charge_id, id AS vendor_request_id, caller_tag(tags) AS request_id, utc_text(happened) AS charged_at, model,
    CASE WHEN beside_n > 0 AND (as_count(json_text(usage, '$.totalTokens')) = input_n + as_count(output) + beside_n OR as_count(json_text(usage, '$.input_tokens')) = input_n)
         THEN CAST(input_n + beside_n AS VARCHAR) ELSE input END AS input_tokens,
    CAST(cached_n AS VARCHAR) AS cached_input_tokens, CAST(written_n AS VARCHAR) AS cache_write_tokens, output AS output_tokens
FROM summed;
