-- rpt_rejects: rejects.csv, every line that could not be read.
--
-- Why:    read = loaded + known + ignored + rejected, with a file of the rejected.
-- Reads:  src_rejects, rpt_inputs
-- Writes: rpt_rejects (a view)
-- Grain:  (source_file, source_line)
-- Units:  raw is cut and redacted
-- Params: none
-- Rule:   design sections 6 and 7
-- Look at: testdata/queries/rpt_rejects/formula_is_defused
CREATE OR REPLACE VIEW rpt_rejects AS
SELECT cell_text(f.file) AS source_file, r.source_line, r.reject_column AS "column", r.reason, cell_text(r.raw) AS raw
FROM src_rejects r JOIN rpt_inputs f USING (file_no);
