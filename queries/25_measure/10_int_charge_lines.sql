-- int_charge_lines: the lines of the bill that stand, as the matching sees them.
--
-- Why:    names are folded once, and what a newer export replaced is left out.
-- Reads:  src_charges, src_models
-- Writes: int_charge_lines (a view)
-- Grain:  row_id
-- Units:  as src_charges
-- Params: none
-- Rule:   design sections 2 and 6
-- Look at: testdata/queries/int_charge_lines/superseded_line_is_left_out
CREATE OR REPLACE VIEW int_charge_lines AS
SELECT c.*, coalesce(c.provider, '') AS book_provider, coalesce(m.canonical, model_key(c.model)) AS model_key
FROM src_charges c
LEFT JOIN src_models m ON m.alias = lower(c.model)
WHERE c.superseded_by IS NULL;
