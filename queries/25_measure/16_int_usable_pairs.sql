-- int_usable_pairs: all pairs of one answer and one charge, with a request id or without.
--
-- Why:    both calibrate, and both settle what is plain.
-- Reads:  int_candidate_pairs, int_unnamed_pairs
-- Writes: int_usable_pairs (a view)
-- Grain:  attempt_row; charge_row is unique as well
-- Units:  times UTC; request_id, generation_ms and elapsed_ms only of pairs without a shared request id
-- Params: none
-- Rule:   design section 3, calibration
-- Look at: testdata/queries/int_usable_pairs/one_of_each
CREATE OR REPLACE VIEW int_usable_pairs AS
SELECT attempt_row, charge_row, book_provider, book, day, itemised, layered, started_at, ended_at, charged_at, billed_output,
    CAST(NULL AS BIGINT) AS generation_ms, CAST(NULL AS BIGINT) AS elapsed_ms, attempt, CAST(NULL AS VARCHAR) AS request_id, false AS unnamed, true AS short, same_tokens, match
FROM int_candidate_pairs
UNION ALL
SELECT attempt_row, charge_row, book_provider, book, day, itemised, layered, started_at, ended_at, charged_at, billed_output,
    generation_ms, elapsed_ms, attempt, request_id, unnamed, short, same_tokens, match
FROM int_unnamed_pairs;
