-- rpt_dear_attempts: the attempts of the dearest calls, for their time lines.
--
-- Why:    a bar for each attempt and a mark for each charge tell a call faster than a sentence.
-- Reads:  rpt_duplicated, int_call_lines, int_lines, int_line_parents
-- Writes: rpt_dear_attempts (a view)
-- Grain:  (place, row_id), of the first 25 calls of rpt_duplicated
-- Units:  times UTC; t1 is NULL where the end was never written
-- Params: none
-- Rule:   our choice: 25 are as many as anybody looks at
-- Look at: testdata/queries/rpt_dear_attempts/of_the_first_calls
CREATE OR REPLACE VIEW rpt_dear_attempts AS
SELECT d.place, l.row_id, l.attempt, l.layer, l.outcome, l.t0, l.t1, l.succeeded
FROM rpt_duplicated d
JOIN (SELECT request_key || ' ' || call_no AS unit, row_id FROM int_call_lines
      UNION ALL SELECT c.request_key || ' ' || c.call_no, p.row_id FROM int_call_lines c JOIN int_line_parents p ON p.parent_row = c.row_id) c ON c.unit = d.unit
JOIN int_lines l ON l.row_id = c.row_id
WHERE d.place <= 25;
