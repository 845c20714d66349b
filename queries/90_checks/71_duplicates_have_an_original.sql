-- fail: a duplicated line repeats a line of its own file
SELECT v.row_id, v.charge_id
FROM fct_verdicts v
WHERE v.verdict = 'duplicate_line' AND NOT EXISTS (
    SELECT 1 FROM src_charges o
    WHERE o.file_no = v.file_no AND o.row_id <> v.row_id AND o.charge_id = v.charge_id
      AND o.charged_at = v.charged_at AND coalesce(o.amount, o.listed_amount) IS NOT DISTINCT FROM v.amount AND o.line_item IS NOT DISTINCT FROM v.line_item)
