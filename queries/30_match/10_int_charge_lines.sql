-- int_charge_lines: the lines of the bill that stand, as the matching sees them.
--
-- Why:    names are folded once, what a newer export replaced is left out, and where the bill
--         says no amount a price list may say one.
-- Reads:  src_charges, src_models
-- Writes: int_charge_lines (a view)
-- Grain:  row_id
-- Units:  as src_charges
-- Params: none
-- Rule:   design sections 2 and 6
-- Look at: testdata/queries/int_charge_lines/superseded_line_is_left_out
CREATE OR REPLACE VIEW int_charge_lines AS
SELECT c.* REPLACE (coalesce(c.amount, c.listed_amount) AS amount,
        CASE WHEN c.amount IS NULL THEN coalesce(c.listed_currency, c.currency) ELSE c.currency END AS currency),
    c.amount IS NULL AND c.listed_amount IS NOT NULL AS listed, coalesce(c.provider, '') AS book_provider, coalesce(m.canonical, model_key(c.model)) AS model_key
FROM src_charges c
LEFT JOIN src_models m ON m.alias = lower(c.model)
WHERE c.superseded_by IS NULL;
