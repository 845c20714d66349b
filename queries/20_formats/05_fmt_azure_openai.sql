-- fmt_charges: Azure OpenAI's diagnostic logs (AzureDiagnostics), of which one category counts tokens; a price list gives the money.
--
-- Why:    the cost export names no request; these rows name each.
-- Reads:  raw_records
-- Writes: fmt_charges
-- Grain:  record_no
-- Units:  tokens; TimeGenerated is UTC, DurationMs milliseconds. No money: the amounts are a price list's
-- Params: none
-- Rule:   learn.microsoft.com microsoft-cognitiveservices-accounts-logs. RequestResponse and AzureOpenAIRequestUsage are two rows for one call: only the second
--         counts. properties_s is JSON in a text, in a storage account's files the object properties; tokens are a number, or a list of which the first counts. 401 and 429 are not charged.
--         Whether CorrelationId is a header's id is not confirmed: it names the charge
-- Look at: testdata/formats/azure-openai
-- Format: azure-openai
-- Syntax: csv, json
-- Role:   charges
-- Cached: inside
-- Needs: prices
-- Signature: TimeGenerated or time, Category~^(AzureOpenAIRequestUsage|RequestResponse)$, CorrelationId, properties_s or properties
-- Columns: happened = TimeGenerated or time, Category, CorrelationId, DurationMs, ResultSignature, properties = properties_s or properties
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, 'azure' AS provider, CorrelationId AS charge_id, utc_text(happened) AS charged_at,
    coalesce(json_text(properties, '$.modelName'), json_text(properties, '$.modelDeploymentName')) AS model,
    regexp_replace(coalesce(json_text(properties, '$.promptTokens'), json_text(properties, '$.inputTokens')), '^\[ *([0-9]+).*$', '\1') AS input_tokens,
    regexp_replace(json_text(properties, '$.cachedTokens'), '^\[ *([0-9]+).*$', '\1') AS cached_input_tokens,
    regexp_replace(coalesce(json_text(properties, '$.generatedTokens'), json_text(properties, '$.completionTokens'), json_text(properties, '$.outputTokens')), '^\[ *([0-9]+).*$', '\1') AS output_tokens, DurationMs AS generation_ms
FROM raw_records WHERE Category = 'AzureOpenAIRequestUsage' AND coalesce(ResultSignature NOT IN ('401', '429'), true);
