-- pub_findings: keeps the lines of one report that should not have been paid, or are in doubt.
--
-- Why:    a claim is argued about for months; its lines must outlive the raw rows.
-- Reads:  fct_verdicts, src_files
-- Writes: pub_findings
-- Grain:  (report_no, line_no)
-- Units:  as fct_verdicts
-- Params: report_no
-- Rule:   every line with a verdict other than delivered and adjustment, in the order of verdicts.csv
-- Look at: testdata/queries/pub_findings_kept/one_of_two
INSERT INTO pub_findings
SELECT setting('report_no'), row_number() OVER (ORDER BY v.charged_at, v.provider, v.charge_id, v.line_item, f.file, v.source_line, v.row_id),
    v.provider, v.book, v.charge_id, v.line_item, v.charged_at, v.model, v.request_id, v.attempt, v.verdict, v.recovery, v.rerouted,
    v.amount, v.currency, v.excess, v.settled, v.match, v.confidence, v.delivered_charge_id, v.reason, f.file, v.source_line
FROM fct_verdicts v JOIN src_files f USING (file_no)
WHERE v.verdict NOT IN ('delivered', 'adjustment');
