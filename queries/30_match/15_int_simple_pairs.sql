-- int_simple_pairs: the pairs that need no further thought.
--
-- Why:    one delivered attempt, one charge, same tokens or in its window: every rule of
--         section 3 gives the same answer, so the long way is spared.
-- Reads:  int_candidate_pairs, int_calibrations
-- Writes: int_simple_pairs
-- Grain:  attempt_row; charge_row is unique as well
-- Units:  t0 UTC, when the attempt began, day its day; attempt as the log counts
-- Params: careful: 1 sends every pair the long way, which a test compares with the short one
-- Rule:   design section 3, step a
-- Look at: testdata/queries/int_simple_pairs/in_the_window
CREATE OR REPLACE TABLE int_simple_pairs AS
SELECT p.attempt_row, p.charge_row, p.match, p.attempt, coalesce(p.started_at, p.ended_at) AS t0, p.day
FROM int_candidate_pairs p JOIN int_calibrations k USING (book_provider, book, day)
WHERE coalesce(getvariable('careful'), '0') <> '1' AND NOT p.itemised AND NOT p.layered
  AND (p.same_tokens OR p.match <> 'request' OR (
        plus_ms(p.charged_at, k.resolution_ms) >= plus_ms(coalesce(p.started_at, plus_ms(p.ended_at, -k.tail_ms)), k.offset_ms - k.skew_ms)
    AND p.charged_at <= plus_ms(p.ended_at, k.offset_ms + k.skew_ms)));
