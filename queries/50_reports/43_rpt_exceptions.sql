-- rpt_exceptions: the sheet "Exceptions": what was kept out of the headline, and why.
--
-- Why:    nothing is lost in silence: orphans, leads, unsettled charges, calls without a
--         charge, refunds that found nothing, rejected lines.
-- Reads:  fct_verdicts, fct_leads, fct_unbilled, fct_refunds, src_files, rpt_inputs, src_rejects
-- Writes: rpt_exceptions (a view)
-- Grain:  (kind, row)
-- Units:  currency; times UTC
-- Params: none
-- Rule:   design sections 3, 4 and 6
-- Look at: testdata/queries/rpt_exceptions/an_orphan_and_a_reject
CREATE OR REPLACE VIEW rpt_exceptions AS
SELECT CASE WHEN NOT v.settled THEN 'unsettled' WHEN v.match = 'lead' THEN 'lead' ELSE 'orphan' END AS kind,
    CASE WHEN NOT v.settled THEN v.verdict ELSE v.reason END AS reason, v.charged_at AS "at", v.provider, v.book, v.charge_id, v.request_id, v.model,
    v.amount, v.currency, f.file AS source_file, v.source_line
FROM fct_verdicts v JOIN src_files f USING (file_no)
WHERE v.verdict <> 'adjustment' AND (NOT v.settled OR v.verdict = 'orphan')
UNION ALL
SELECT 'lead', l.kind, v.charged_at, v.provider, v.book, v.charge_id, v.request_id, v.model, l.amount, l.currency, f.file, v.source_line
FROM fct_leads l JOIN fct_verdicts v ON v.row_id = l.row_id JOIN src_files f USING (file_no)
WHERE l.kind NOT IN ('lost_line', 'lead')
UNION ALL
SELECT 'unbilled', 'delivered, and no charge in a bill that covers it', delivered_from, provider, 'bill', NULL, request_id, model, NULL, NULL, NULL, NULL
FROM fct_unbilled
UNION ALL
SELECT 'unapplied_refund', CASE WHEN r.applied > 0 THEN 'more than the excess that it names' ELSE 'names no excess charge' END,
    v.charged_at, v.provider, v.book, v.charge_id, v.request_id, v.model, r.refunded - r.applied, r.currency, f.file, v.source_line
FROM fct_refunds r JOIN fct_verdicts v ON v.row_id = r.row_id JOIN src_files f USING (file_no)
WHERE r.refunded > r.applied
UNION ALL
SELECT 'reject', coalesce(r.reject_column || ': ', '') || r.reason, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, f.file, r.source_line
FROM src_rejects r JOIN rpt_inputs f USING (file_no);
