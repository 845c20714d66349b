-- rpt_verdicts: verdicts.csv, every line of the bill with its verdict.
--
-- Why:    whoever argues about a line must find it.
-- Reads:  fct_verdicts, src_files
-- Writes: rpt_verdicts (a view)
-- Grain:  row_id, one row a line; the columns from sort_at on order the file and are not in it
-- Units:  amounts as decimal text in currency, times RFC 3339 in UTC
-- Params: none
-- Rule:   design section 7
-- Look at: testdata/queries/rpt_verdicts/one_line
CREATE OR REPLACE VIEW rpt_verdicts AS
SELECT cell_text(v.provider) AS provider, v.book, cell_text(v.charge_id) AS charge_id, cell_text(v.line_item) AS line_item,
    time_text(v.charged_at) AS charged_at, cell_text(v.model) AS model, cell_text(v.request_id) AS request_id,
    CAST(v.attempt AS VARCHAR) AS attempt, v.verdict, v.recovery, CAST(v.rerouted AS VARCHAR) AS rerouted,
    CASE WHEN v.amount IS NOT NULL THEN money_text(v.amount) END AS amount, v.currency,
    CASE WHEN v.excess = 0 THEN '0' WHEN v.excess IS NOT NULL THEN money_text(v.excess) END AS excess, CAST(v.settled AS VARCHAR) AS settled,
    v.match, CASE WHEN v.confidence = 1 THEN '1' WHEN v.confidence IS NOT NULL THEN money_text(v.confidence) END AS confidence, cell_text(v.delivered_charge_id) AS delivered_charge_id,
    v.reason, cell_text(f.file) AS source_file, v.source_line,
    v.charged_at AS sort_at, v.provider AS sort_provider, v.charge_id AS sort_charge, v.line_item AS sort_item, v.row_id AS sort_row
FROM fct_verdicts v JOIN src_files f USING (file_no);
