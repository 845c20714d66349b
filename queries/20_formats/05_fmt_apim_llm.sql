-- fmt_charges: Azure API Management's log of calls to models (ApiManagementGatewayLlmLog); a price list gives the money.
--
-- Why:    a gateway that many put before Azure OpenAI, with the tokens of every request.
-- Reads:  raw_records
-- Writes: fmt_charges
-- Grain:  record_no
-- Units:  tokens; TimeGenerated is UTC. No money: the amounts are a price list's
-- Params: none
-- Rule:   docs.azure.cn azure-monitor reference. Long messages are split over several rows of one RequestId: the first that counts tokens is the request, the others are ignored
-- Look at: testdata/formats/apim-llm
-- Format: apim-llm
-- Syntax: csv, json
-- Role:   charges
-- Needs: prices
-- Signature: TimeGenerated, CorrelationId, RequestId, PromptTokens, CompletionTokens, SequenceNumber or DeploymentName or IsStreamCompletion
-- Columns: TimeGenerated, CorrelationId, RequestId, DeploymentName, ModelName, PromptTokens, CompletionTokens, SequenceNumber
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, 'azure' AS provider, RequestId AS charge_id, CorrelationId AS request_id, utc_text(TimeGenerated) AS charged_at,
    coalesce(ModelName, DeploymentName) AS model, PromptTokens AS input_tokens, CompletionTokens AS output_tokens
FROM raw_records
QUALIFY row_number() OVER (PARTITION BY coalesce(RequestId, CAST(record_no AS VARCHAR)) ORDER BY PromptTokens IS NULL, as_count(SequenceNumber), record_no) = 1;
