-- fmt_charges: AWS Bedrock's model invocation log, one object a call; its tokens become money by a price list.
--
-- Why:    the one file of a large cloud with a record and the tokens of every call.
-- Reads:  raw_records
-- Writes: fmt_charges
-- Grain:  record_no
-- Units:  tokens; timestamp is UTC. No money: the amounts are a price list's
-- Params: none
-- Rule:   third-party readers of real logs. requestId is the header x-amzn-requestid. modelId may be the ARN of a profile: what stands behind the last slash is the model.
--         The caller's own id is in requestMetadata. Prompts and answers are not read but for the usage in the answer, which tells cached tokens: beside the
--         input where the total says so, or where the usage is Anthropic's own; else inside. errorCode is not confirmed: a row with one and no token at all is no charge; any
--         other call without tokens out stays without a price
-- Look at: testdata/formats/bedrock-invocations
-- Format: bedrock-invocations
-- Syntax: json
-- Role:   charges
-- Cached: inside
-- Needs: prices
-- Signature: schemaType=ModelInvocationLog, timestamp, requestId, modelId
-- Columns: timestamp, requestId, modelId, requestMetadata, input = input.inputTokenCount, output = output.outputTokenCount,
--         usage = output.outputBodyJson.usage, errorCode
INSERT INTO fmt_charges BY NAME
WITH counted AS (
    SELECT *, coalesce(as_count(json_text(usage, '$.cacheReadInputTokens')), as_count(json_text(usage, '$.cache_read_input_tokens'))) AS cached_n,
        coalesce(as_count(json_text(usage, '$.cacheWriteInputTokens')), as_count(json_text(usage, '$.cache_creation_input_tokens'))) AS written_n, as_count(input) AS input_n
    FROM raw_records WHERE errorCode IS NULL OR input IS NOT NULL OR output IS NOT NULL
),
summed AS (
    SELECT *, coalesce(cached_n, 0) + coalesce(written_n, 0) AS beside_n FROM counted
)
SELECT source_line, record_no, 'aws-bedrock' AS provider, requestId AS charge_id, requestId AS vendor_request_id, caller_tag(requestMetadata) AS request_id,
    utc_text(timestamp) AS charged_at, regexp_replace(modelId, '^.*/', '') AS model,
    CASE WHEN beside_n > 0 AND (as_count(json_text(usage, '$.totalTokens')) = input_n + as_count(output) + beside_n OR as_count(json_text(usage, '$.input_tokens')) = input_n)
         THEN CAST(input_n + beside_n AS VARCHAR) ELSE input END AS input_tokens,
    CAST(cached_n AS VARCHAR) AS cached_input_tokens, CAST(written_n AS VARCHAR) AS cache_write_tokens, output AS output_tokens
FROM summed;
