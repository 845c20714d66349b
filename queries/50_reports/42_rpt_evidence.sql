-- rpt_evidence: the sheet "Evidence": every line of a call that was paid for twice, with what proves it.
--
-- Why:    a vendor or a colleague is shown these lines.
-- Reads:  fct_verdicts, rpt_duplicated, int_charge_lines, int_executions, src_files
-- Writes: rpt_evidence (a view)
-- Grain:  row_id; all settled lines of the calls of rpt_duplicated, the delivered one too, and the excess of
--         unknown or no amount; place is the call's in rpt_duplicated
-- Units:  currency; times UTC
-- Params: none
-- Rule:   our choice: the attempt's own times stand beside the charge's
-- Look at: testdata/queries/rpt_evidence/the_delivered_charge_stands_beside_the_excess
CREATE OR REPLACE VIEW rpt_evidence AS
SELECT d.place, v.row_id, v.charged_at, v.provider, v.book, v.charge_id, v.line_item, v.request_id, v.attempt, v.model, v.verdict, v.recovery, v.rerouted,
    v.input_tokens, v.cached_input_tokens AS cached_tokens, v.output_tokens, c.finish_reason, v.amount, v.currency, v.excess, v.match, v.confidence,
    v.delivered_charge_id, coalesce(c.idempotency_key, e.idempotency_key) AS idempotency_key, coalesce(c.vendor_request_id, e.receipt) AS vendor_request_id,
    v.reason, e.t0 AS attempt_started, CASE WHEN e.ended THEN e.t1 END AS attempt_ended, e.outcome AS attempt_outcome, e.stage, f.file AS source_file, v.source_line
FROM fct_verdicts v
JOIN int_charge_lines c ON c.row_id = v.row_id
JOIN src_files f ON f.file_no = v.file_no
LEFT JOIN int_executions e ON e.exec_id = v.exec_id
LEFT JOIN rpt_duplicated d ON d.unit = coalesce(v.call_key, 'line ' || v.row_id) AND d.book = v.book AND d.currency = v.currency
WHERE v.settled AND NOT v.simple AND (v.is_excess OR d.place IS NOT NULL);
