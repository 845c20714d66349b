-- rpt_lines: every line of the bill with its part of the ledger and its day.
--
-- Why:    the sheets by day, by model and by key must tie to the ledger of the Summary, line by line.
-- Reads:  fct_verdicts
-- Writes: rpt_lines (a view)
-- Grain:  row_id
-- Units:  amounts in currency; day is of the report's zone
-- Params: report_zone
-- Rule:   design section 4, the ledger identity, as in rpt_totals
-- Look at: testdata/queries/rpt_lines/one_of_each_part
CREATE OR REPLACE VIEW rpt_lines AS
SELECT row_id, charge_no, alone, coalesce(provider, '') AS provider, book, coalesce(model, '') AS model, coalesce(api_key, '') AS api_key, currency, verdict,
    CASE WHEN verdict = 'adjustment' THEN 'adjustments' WHEN NOT settled THEN 'unsettled' WHEN is_excess THEN 'excess' ELSE verdict END AS part,
    CASE WHEN getvariable('report_zone') = 'UTC' THEN CAST(charged_at AS DATE)
         ELSE CAST(timezone(getvariable('report_zone'), timezone('UTC', charged_at)) AS DATE) END AS day,
    amount, input_tokens, cached_input_tokens, output_tokens
FROM fct_verdicts;
