-- fmt_charges: AWS Bedrock's model invocation log, one object a call; its tokens become money by a price list.
--
-- Why:    the one file of a large cloud with a record and the tokens of every call.
-- Reads:  raw_records
-- Writes: fmt_charges
-- Grain:  record_no
-- Units:  tokens; timestamp is UTC. No money: the amounts are a price list's
-- Params: none
-- Rule:   third-party readers of real logs. requestId is the header x-amzn-requestid. modelId may be the ARN of a profile: what stands behind the last slash is the model.
--         The caller's own id is in requestMetadata. Prompts and answers are not read but for the usage in the answer, which tells cached tokens. errorCode is not confirmed
--         and not read: a call without tokens out stays without a price
-- Look at: testdata/formats/bedrock-invocations
-- Format: bedrock-invocations
-- Syntax: json
-- Role:   charges
-- Needs: prices
-- Signature: schemaType=ModelInvocationLog, timestamp, requestId, modelId
-- Columns: timestamp, requestId, modelId, requestMetadata, input = input.inputTokenCount, output = output.outputTokenCount,
--         cached = output.outputBodyJson.usage.cacheReadInputTokens or output.outputBodyJson.usage.cache_read_input_tokens
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, 'aws-bedrock' AS provider, requestId AS charge_id, requestId AS vendor_request_id, caller_id(requestMetadata) AS request_id,
    utc_text(timestamp) AS charged_at, regexp_replace(modelId, '^.*/', '') AS model, input AS input_tokens, cached AS cached_input_tokens, output AS output_tokens
FROM raw_records;
