-- int_simple_pairs: the pairs that need no further thought.
--
-- Why:    one delivered attempt, one charge, same tokens or in its window: every rule of
--         section 3 gives the same answer, so the long way is spared.
-- Reads:  int_usable_pairs, int_calibrations, int_timeouts, int_charge_lines
-- Writes: int_simple_pairs
-- Grain:  attempt_row; charge_row is unique as well
-- Units:  t0 UTC, when the attempt began, day its day; attempt as the log counts; request_id only where the bill does not name it
-- Params: careful: 1 sends every pair the long way, which a test compares with the short one
-- Rule:   design section 3, step a; without a request id only what lies in its window and can
--         have hidden no retry (step c), since another charge of such a call bears no id either
-- Look at: testdata/queries/int_simple_pairs/in_the_window
CREATE OR REPLACE TABLE int_simple_pairs AS
-- Answers without a shared id with a charge of their prompt before their own that the bill says failed.
WITH failures AS (
    SELECT book_provider, book, model_key, input_tokens, charged_at FROM int_charge_lines
    WHERE broke_off(lower(finish_reason)) AND kind = 'usage'
),
troubled AS (
    SELECT DISTINCT p.attempt_row FROM int_usable_pairs p JOIN int_calibrations k USING (book_provider, book, day)
    JOIN int_charge_lines c ON c.row_id = p.charge_row
    JOIN failures f ON f.book_provider = p.book_provider AND f.book = p.book AND f.model_key = c.model_key AND f.input_tokens = c.input_tokens
    WHERE p.unnamed AND (k.stamp = 'end' OR k.resolution_ms > 0)
      AND plus_ms(f.charged_at, k.resolution_ms) >= plus_ms(p.started_at, k.offset_ms - k.skew_ms) AND f.charged_at <= p.charged_at
)
SELECT p.attempt_row, p.charge_row, p.match, p.attempt, p.request_id, coalesce(p.started_at, p.ended_at) AS t0, p.day
FROM int_usable_pairs p JOIN int_calibrations k USING (book_provider, book, day)
LEFT JOIN int_timeouts t ON t.provider = '' AND t.day = p.day
LEFT JOIN int_timeouts d ON d.provider = '' AND d.day IS NULL
ANTI JOIN troubled f ON f.attempt_row = p.attempt_row
WHERE coalesce(getvariable('careful'), '0') <> '1' AND NOT p.itemised AND NOT p.layered
  AND ((p.same_tokens AND NOT p.unnamed) OR (p.match <> 'request' AND NOT p.unnamed) OR (
        plus_ms(p.charged_at, k.resolution_ms) >= plus_ms(coalesce(p.started_at, plus_ms(p.ended_at, -k.tail_ms)), k.offset_ms - k.skew_ms)
    AND p.charged_at <= plus_ms(p.ended_at, k.offset_ms + k.skew_ms)))
  -- no room for another execution before the one that answered
  AND (NOT p.unnamed OR k.measurable AND k.orders AND p.started_at IS NOT NULL AND CASE
          WHEN p.generation_ms IS NOT NULL THEN p.elapsed_ms <= p.generation_ms + greatest(500, k.noise_ms)
          WHEN k.stamp = 'start' AND k.resolution_ms <= 1000 THEN p.charged_at <= plus_ms(p.started_at, k.offset_ms + greatest(400, k.noise_ms))
          ELSE p.elapsed_ms < coalesce(t.floor_ms, d.floor_ms) OR coalesce(2 * p.elapsed_ms <= k.pace_ms * (p.billed_output + 30), false) END);
