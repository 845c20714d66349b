-- int_call_inputs: how many input tokens a call's prompt has, by model.
--
-- Why:    a retry repeats its prompt; a timed-out attempt logs no tokens, its siblings do.
-- Reads:  int_lines, int_line_parents, int_call_lines
-- Writes: int_call_inputs
-- Grain:  (request_key, call_no, model_key); model_key is empty where the log names none
-- Units:  tokens
-- Params: none
-- Rule:   design section 3, step b and tier 4
-- Look at: testdata/queries/int_call_inputs/known_from_the_one_that_succeeded
CREATE OR REPLACE TABLE int_call_inputs AS
SELECT cl.request_key, cl.call_no, coalesce(l.model_key, '') AS model_key, max(l.input_tokens) AS input_tokens
FROM int_lines l
LEFT JOIN int_line_parents p1 ON p1.row_id = l.row_id
LEFT JOIN int_line_parents p2 ON p2.row_id = p1.parent_row
JOIN int_call_lines cl ON cl.row_id = coalesce(p2.parent_row, p1.parent_row, l.row_id)
WHERE l.input_tokens IS NOT NULL
GROUP BY cl.request_key, cl.call_no, coalesce(l.model_key, '');
