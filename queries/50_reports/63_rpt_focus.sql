-- rpt_focus: focus.csv, the bill in the columns of FOCUS 1.2, with what was found in x_ columns.
--
-- Why:    a FinOps tool that reads FOCUS can show retry tax beside all other cost.
-- Reads:  fct_verdicts, src_files
-- Writes: rpt_focus (a view)
-- Grain:  row_id, one row a line of the book that is paid, since whoever reads FOCUS adds up all rows; the
--         columns from sort_at on order the file and are not in it
-- Units:  costs as decimal text in BillingCurrency, times UTC; a charge period is the second of the stamp
-- Params: paid_book
-- Rule:   FOCUS 1.2 (focus.finops.org), all columns that it calls mandatory; the bill tells one cost, so billed, effective,
--         contracted and list cost are the same. The provider stands for the billing account, the API key for the sub account
-- Look at: testdata/queries/rpt_focus/a_charge_and_a_refund
CREATE OR REPLACE VIEW rpt_focus AS
SELECT nullif(money_text(v.amount), '') AS "BilledCost", coalesce(cell_text(v.provider), 'unknown') AS "BillingAccountId", CAST(NULL AS VARCHAR) AS "BillingAccountName",
    v.currency AS "BillingCurrency", time_text(CAST(date_trunc('month', v.charged_at) + INTERVAL 1 MONTH AS TIMESTAMP)) AS "BillingPeriodEnd",
    time_text(CAST(date_trunc('month', v.charged_at) AS TIMESTAMP)) AS "BillingPeriodStart",
    CASE v.kind WHEN 'usage' THEN 'Usage' WHEN 'tax' THEN 'Tax' WHEN 'credit' THEN 'Credit' ELSE 'Adjustment' END AS "ChargeCategory", CAST(NULL AS VARCHAR) AS "ChargeClass",
    CASE v.kind WHEN 'usage' THEN 'LLM call' ELSE v.kind END || coalesce(' · ' || v.model, '') AS "ChargeDescription",
    CASE v.kind WHEN 'usage' THEN 'Usage-Based' ELSE 'One-Time' END AS "ChargeFrequency",
    time_text(CAST(date_trunc('second', v.charged_at) + INTERVAL 1 SECOND AS TIMESTAMP)) AS "ChargePeriodEnd", time_text(CAST(date_trunc('second', v.charged_at) AS TIMESTAMP)) AS "ChargePeriodStart",
    CASE WHEN v.kind = 'usage' THEN CAST(v.input_tokens + v.output_tokens AS VARCHAR) END AS "ConsumedQuantity",
    CASE WHEN v.kind = 'usage' AND v.input_tokens + v.output_tokens IS NOT NULL THEN 'Tokens' END AS "ConsumedUnit",
    nullif(money_text(v.amount), '') AS "ContractedCost", nullif(money_text(v.amount), '') AS "EffectiveCost", coalesce(cell_text(v.provider), 'unknown') AS "InvoiceIssuerName",
    nullif(money_text(v.amount), '') AS "ListCost", CASE WHEN v.kind = 'usage' THEN CAST(v.input_tokens + v.output_tokens AS VARCHAR) END AS "PricingQuantity",
    CASE WHEN v.kind = 'usage' AND v.input_tokens + v.output_tokens IS NOT NULL THEN 'Tokens' END AS "PricingUnit",
    coalesce(cell_text(v.provider), 'unknown') AS "ProviderName", coalesce(cell_text(v.provider), 'unknown') AS "PublisherName",
    'AI and Machine Learning' AS "ServiceCategory", 'LLM API' AS "ServiceName", 'Generative AI' AS "ServiceSubcategory",
    cell_text(v.model) AS "SkuId", cell_text(v.api_key) AS "SubAccountId", cell_text(v.api_key) AS "SubAccountName",
    cell_text(v.charge_id) AS "x_ChargeId", cell_text(v.line_item) AS "x_LineItem", cell_text(v.request_id) AS "x_RequestId", v.verdict AS "x_Verdict", v.recovery AS "x_Recovery",
    CASE WHEN v.excess = 0 THEN '0' ELSE nullif(money_text(v.excess), '') END AS "x_Excess", CAST(v.settled AS VARCHAR) AS "x_Settled", v.reason AS "x_Reason", v.match AS "x_Match",
    CASE WHEN v.confidence = 1 THEN '1' ELSE nullif(money_text(v.confidence), '') END AS "x_Confidence", cell_text(v.delivered_charge_id) AS "x_DeliveredChargeId",
    CAST(v.input_tokens AS VARCHAR) AS "x_InputTokens", CAST(v.cached_input_tokens AS VARCHAR) AS "x_CachedInputTokens", CAST(v.output_tokens AS VARCHAR) AS "x_OutputTokens",
    cell_text(f.file) AS "x_SourceFile", CAST(v.source_line AS VARCHAR) AS "x_SourceLine",
    v.charged_at AS sort_at, v.provider AS sort_provider, v.charge_id AS sort_charge, v.line_item AS sort_item, f.file AS sort_file, v.source_line AS sort_line
FROM fct_verdicts v JOIN src_files f USING (file_no)
WHERE v.book = getvariable('paid_book');
