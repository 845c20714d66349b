-- int_scope_pair_days: the days whose pairs of one attempt and one charge may be others now.
--
-- Why:    the offsets of a day rest on its pairs.
-- Reads:  int_candidate_pairs, int_scope_pairs, int_scope_rows
-- Writes: int_scope_pair_days
-- Grain:  day
-- Units:  UTC
-- Params: none
-- Rule:   the days of what was a pair, and of what is one now
-- Look at: testdata/queries/int_scope_pair_days/was_and_is
CREATE OR REPLACE TABLE int_scope_pair_days AS
SELECT day FROM int_candidate_pairs SEMI JOIN (SELECT row_id FROM int_scope_rows WHERE role = 'attempts') r ON r.row_id = attempt_row
UNION
SELECT day FROM int_scope_pairs;
