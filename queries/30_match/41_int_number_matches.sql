-- int_number_matches: tier 2, request id and attempt number stand on both sides.
--
-- Why:    a bill that echoes the number says itself which try it is about.
-- Reads:  int_windows, int_charges, int_receipt_matches
-- Writes: int_number_matches
-- Grain:  charge_no, and (exec_id, book_provider, book)
-- Units:  numbers count from 1
-- Params: none
-- Rule:   design section 3, tier 2: only if the pair is unique on both sides. A retry repeats
--         its prompt, so model and input must not contradict; where the stamps were measured
--         the charge must lie in the attempt's window or have its tokens, since a gateway
--         that counts its own tries gives the application's numbers another meaning
-- Empty:  NOT EXISTS (FROM int_charges WHERE n IS NOT NULL)
-- Look at: testdata/queries/int_number_matches/numbers_from_zero_and_one
CREATE OR REPLACE TABLE int_number_matches AS
WITH logged AS (
    SELECT *, count(*) OVER (PARTITION BY request_id, n, book_provider, book) AS alike
    FROM int_windows WHERE request_id IS NOT NULL AND n IS NOT NULL
),
billed AS (
    SELECT *, count(*) OVER (PARTITION BY request_id, n, book_provider, book) AS alike
    FROM int_charges WHERE request_id IS NOT NULL AND n IS NOT NULL AND executable
)
SELECT c.charge_no, w.exec_id, w.book_provider, w.book
FROM logged w
JOIN billed c ON c.request_id = w.request_id AND c.n = w.n AND c.book_provider = w.book_provider AND c.book = w.book
ANTI JOIN int_receipt_matches rc ON rc.charge_no = c.charge_no
ANTI JOIN int_receipt_matches ra ON ra.exec_id = w.exec_id AND ra.book_provider = w.book_provider AND ra.book = w.book
WHERE w.alike = 1 AND c.alike = 1 AND NOT w.cached
  AND agrees(w.idempotency_key, c.idempotency_key) AND agrees(w.model_key, c.model_key) AND agrees(w.input_tokens, nullif(c.input_tokens, 0))
  AND (NOT w.measurable OR coalesce(w.input_tokens = c.input_tokens AND w.output_tokens = c.output_tokens, false)
       OR (plus_ms(c.charged_at, w.resolution_ms) >= w.opens AND c.charged_at <= w.closes));
