-- rpt_rated_lines: the lines of the bill whose amount is not what the price list says.
--
-- Why:    a claim names lines.
-- Reads:  int_rated_charges, src_files
-- Writes: rpt_rated_lines
-- Grain:  row_id
-- Units:  amounts in currency; charged_at UTC
-- Params: none
-- Rule:   what has no price is counted in rpt_rated_models, and is no line here; a quantity that differs from the log's is
-- Look at: testdata/queries/rpt_rated_lines/dearest_first
CREATE OR REPLACE TABLE rpt_rated_lines AS
SELECT c.row_id, f.file, c.source_line, c.provider, c.model_key, c.currency, c.charge_id, c.charged_at, c.input, c.cached, c.output, c.reasoned, c.logged_input, c.logged_output,
    c.amount, c.expected, CAST(c.amount - c.expected AS DECIMAL(38,12)) AS difference, c.state
FROM int_rated_charges c JOIN src_files f USING (file_no)
WHERE c.state NOT IN ('right', 'no_tokens', 'parts_beyond_whole', 'unpriced_model', 'unpriced_tier_or_day', 'unpriced_tokens', 'lists_disagree');
