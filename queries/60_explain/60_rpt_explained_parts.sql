-- rpt_explained_parts: the bill's lines of the calls that are told, with the verdicts that the audit gave them.
--
-- Why:    an auditor looks at lines; a charge may stand on several.
-- Reads:  rpt_explained_calls, int_charge_lines, int_charge_roles, fct_verdicts, fct_refunds, fct_leads, src_files
-- Writes: rpt_explained_parts
-- Grain:  row_id
-- Units:  amounts in currency; verdict is NULL where the audit left the line out of its period or scope
-- Params: none
-- Rule:   design section 4
-- Look at: testdata/queries/rpt_explained_parts/refund_and_copy
CREATE OR REPLACE TABLE rpt_explained_parts AS
WITH told AS (
    SELECT place, request_key, call_no, unnest(charge_rows) AS row_id FROM rpt_explained_calls WHERE told
),
leads AS (
    SELECT row_id, string_agg(DISTINCT kind, ',' ORDER BY kind) AS leads FROM fct_leads GROUP BY row_id
)
SELECT t.*, coalesce(r.charge_no, t.row_id) AS charge_no, coalesce(r.role, 'item') AS role, r.copy_of,
    v.verdict, v.reason, v.recovery, v.match, v.confidence, v.settled, v.rerouted, v.is_excess, v.excess, v.attempt, v.exec_id,
    v.delivered_charge_id, v.matched, c.provider, c.book_provider, c.book, c.charge_id, c.line_item, c.request_id, c.vendor_request_id,
    c.charged_at, c.model, c.model_key, c.input_tokens, c.cached_input_tokens, c.output_tokens, c.amount, c.currency, c.kind, c.finish_reason,
    c.cancelled, c.idempotency_key, c.api_key, f.file, c.source_line, x.refunded, x.applied, d.leads
FROM told t
JOIN int_charge_lines c ON c.row_id = t.row_id
JOIN src_files f ON f.file_no = c.file_no
LEFT JOIN int_charge_roles r ON r.row_id = t.row_id
LEFT JOIN fct_verdicts v ON v.row_id = t.row_id
LEFT JOIN fct_refunds x ON x.row_id = t.row_id
LEFT JOIN leads d ON d.row_id = t.row_id;
