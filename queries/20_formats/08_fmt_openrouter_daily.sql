-- fmt_bills: OpenRouter's activity (API), sums for each day, model and endpoint.
--
-- Why:    the totals of a gateway, with its count of requests.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no * 16 and on: the money, then each kind of token, then the requests
-- Units:  usage is USD; days of UTC
-- Params: none
-- Rule:   openrouter.ai docs, activityitem. byok_usage_inference is paid to the provider, not here
-- Look at: testdata/formats/openrouter-daily
-- Format: openrouter-daily
-- Syntax: json
-- Role:   bills
-- Rows: several
-- Signature: date, model_permaslug, usage, requests, prompt_tokens, completion_tokens
-- Columns: date, model_permaslug, usage, requests, prompt_tokens, completion_tokens
INSERT INTO fmt_bills BY NAME
WITH kinds AS (SELECT *, unnest([0, 1, 2, 3]) AS k FROM raw_records)
SELECT source_line, record_no * 16 + k AS record_no, 'openrouter' AS provider, model_permaslug AS model, utc_text(left(date, 10)) AS period_start,
    strftime(TRY_CAST(left(date, 10) AS DATE) + INTERVAL 1 DAY, '%Y-%m-%dT00:00:00Z') AS period_end, ([NULL, 'input', 'output', 'requests'])[k + 1] AS token_type,
    CASE k WHEN 1 THEN prompt_tokens WHEN 2 THEN completion_tokens END AS quantity, CASE k WHEN 3 THEN requests END AS requests,
    CASE k WHEN 0 THEN double_money(usage) END AS amount, CASE k WHEN 0 THEN 'USD' END AS currency
FROM kinds;
