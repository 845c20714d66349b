-- rpt_verdict_rows: verdicts.parquet, the lines of verdicts.csv with types.
--
-- Why:    a data frame or a warehouse should not have to guess types from text.
-- Reads:  fct_verdicts, src_files
-- Writes: rpt_verdict_rows (a view)
-- Grain:  row_id, one row a line; the column sort_row orders the file and is not in it
-- Units:  charged_at TIMESTAMPTZ in UTC, amount and excess DECIMAL(38,12) in currency
-- Params: none
-- Rule:   design section 7, the columns of verdicts.csv; texts as they are, since no
--         spreadsheet takes them for formulas here
-- Look at: testdata/queries/rpt_verdict_rows/one_line
CREATE OR REPLACE VIEW rpt_verdict_rows AS
SELECT v.provider, v.book, v.charge_id, v.line_item, timezone('UTC', v.charged_at) AS charged_at, v.model, v.request_id,
    v.attempt, v.verdict, v.recovery, v.rerouted, v.amount, v.currency, CAST(v.excess AS DECIMAL(38,12)) AS excess, v.settled, v.match,
    CAST(v.confidence AS DECIMAL(4,3)) AS confidence, v.delivered_charge_id, v.reason, f.file AS source_file, v.source_line, v.row_id AS sort_row
FROM fct_verdicts v JOIN src_files f USING (file_no);
