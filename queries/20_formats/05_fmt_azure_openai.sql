-- fmt_charges: Azure OpenAI's diagnostic logs (AzureDiagnostics), of which one category counts tokens; a price list gives the money.
--
-- Why:    the cost export names no request; these rows name each.
-- Reads:  raw_records
-- Writes: fmt_charges
-- Grain:  record_no
-- Units:  tokens; TimeGenerated is UTC, DurationMs milliseconds. No money: the amounts are a price list's
-- Params: none
-- Rule:   learn.microsoft.com microsoft-cognitiveservices-accounts-logs. RequestResponse and AzureOpenAIRequestUsage are two rows for one call: only the second
--         counts. properties_s is JSON in a text; tokens are a number, or a list of which the first counts. 401 and 429 are not charged.
--         Whether CorrelationId is a header's id is not confirmed: it names the charge
-- Look at: testdata/formats/azure-openai
-- Format: azure-openai
-- Syntax: csv, json
-- Role:   charges
-- Needs: prices
-- Signature: TimeGenerated, Category~^(AzureOpenAIRequestUsage|RequestResponse)$, CorrelationId, properties_s
-- Columns: TimeGenerated, Category, CorrelationId, DurationMs, ResultSignature, properties_s
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, 'azure' AS provider, CorrelationId AS charge_id, utc_text(TimeGenerated) AS charged_at,
    coalesce(json_text(properties_s, '$.modelName'), json_text(properties_s, '$.modelDeploymentName')) AS model,
    regexp_replace(json_text(properties_s, '$.promptTokens'), '^\[ *([0-9]+).*$', '\1') AS input_tokens,
    regexp_replace(json_text(properties_s, '$.generatedTokens'), '^\[ *([0-9]+).*$', '\1') AS output_tokens, DurationMs AS generation_ms
FROM raw_records WHERE Category = 'AzureOpenAIRequestUsage' AND coalesce(ResultSignature NOT IN ('401', '429'), true);
