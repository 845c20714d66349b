-- int_rival_pairs: which strange charges can fill which open slots, and how well each fits.
--
-- Why:    a charge has rivals for its cause; all of them must be weighed.
-- Reads:  int_strange_charges, int_answer_matches, int_open_slots
-- Writes: int_rival_pairs
-- Grain:  (charge_no, slot_no)
-- Units:  density: how likely the slot's charge is stamped there, per second
-- Params: none
-- Rule:   design section 3, tier 4: same model, key where both have one, input tokens where both are known (else by model
--         and stamp: the second pass), and window. A charge looks at the 24 slots of its kind that opened last: more of
--         them open at once are indistinguishable, and crowded says so
-- Empty:  NOT EXISTS (FROM int_strange_charges)
-- Look at: testdata/queries/int_rival_pairs/two_windows
CREATE OR REPLACE TABLE int_rival_pairs AS
WITH charges AS MATERIALIZED (
    SELECT c.* FROM int_strange_charges c ANTI JOIN int_answer_matches a ON a.charge_no = c.charge_no
),
gaps AS (
    SELECT bool_or(model_key IS NULL) AS model, bool_or(input_tokens IS NULL) AS input FROM charges
),
-- What a charge and a slot must share; '?' is unknown to the log, '*' unknown to the bill.
slot_keys AS (
    SELECT s.*, hash(book_provider, book, m.model, i.input, brief) AS shared
    FROM int_open_slots s, gaps g, unnest([coalesce(model_key, '?'), CASE WHEN g.model THEN '*' END]) m(model),
        unnest([coalesce(CAST(input_tokens AS VARCHAR), '?'), CASE WHEN g.input THEN '*' END]) i(input)
    WHERE m.model IS NOT NULL AND i.input IS NOT NULL
),
slots AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY shared ORDER BY opens, slot_no) AS place FROM slot_keys
),
charge_keys AS (
    SELECT c.*, hash(book_provider, book, m.model, i.input, k.brief) AS shared
    FROM charges c, unnest(CASE WHEN model_key IS NULL THEN ['*'] ELSE [model_key, '?'] END) m(model),
        unnest(CASE WHEN input_tokens IS NULL THEN ['*'] ELSE [CAST(input_tokens AS VARCHAR), '?'] END) i(input),
        unnest(CASE WHEN broken THEN [false, true] ELSE [false] END) k(brief)
),
-- The last slot to have opened by then. Slots open earlier by the width of a stamp.
resolutions AS (
    SELECT book_provider, book, max(resolution_ms) AS resolution_ms FROM int_open_slots GROUP BY book_provider, book
),
openings AS (
    SELECT shared, opens, max(place) AS place FROM slots GROUP BY shared, opens
),
placed AS (
    SELECT c.*, plus_ms(c.charged_at, r.resolution_ms) AS latest, s.place
    FROM charge_keys c JOIN resolutions r USING (book_provider, book)
    ASOF JOIN openings s ON s.shared = c.shared AND plus_ms(c.charged_at, r.resolution_ms) >= s.opens
),
near AS (
    SELECT *, unnest(generate_series(greatest(place - 23, 1), place)) AS beside FROM placed
),
pairs AS (
    SELECT n.charge_no, n.ord AS charge_ord, n.charged_at, n.day, n.hour, n.ids, n.amount, n.beside = n.place - 23 AS crowded, n.model_key AS billed_model, n.api_key AS billed_key,
        n.input_tokens AS billed_input, s.*,
        ms_from_stamp(s.expected, n.charged_at, s.resolution_ms) AS off,
        CASE WHEN s.end_at BETWEEN n.charged_at AND plus_ms(n.charged_at, s.resolution_ms) THEN 0
             WHEN s.end_at < n.charged_at THEN ms_between(s.end_at, n.charged_at)
             ELSE -ms_between(plus_ms(n.charged_at, s.resolution_ms), s.end_at) END AS past,
        ms_between(s.opens, s.closes) + s.resolution_ms + 1 AS wide,
        s.resolution_ms + 1.52 * s.noise_ms AS core_wide,
        coalesce(n.idempotency_key = s.idempotency_key, false) AS same_key,
        coalesce(n.output_tokens <> s.output_tokens, false) AS other_answer
    FROM near n JOIN slots s ON s.shared = n.shared AND s.place = n.beside
    WHERE n.charged_at <= s.closes AND agrees(n.api_key, s.api_key) AND agrees(n.idempotency_key, s.idempotency_key)
      AND NOT (n.foreign_receipt AND s.receipt IS NOT NULL AND s.kind IN ('answer', 'own'))
      AND (s.kind <> 'refused' OR n.output_tokens = 0 OR (n.output_tokens IS NULL AND n.itemised))
      AND (s.kind <> 'own' OR s.orders)
),
measured AS (
    SELECT *, exp(-0.5 * (off * 1.65 / noise_ms) ** 2) / core_wide AS core, 1 / CAST(wide AS DOUBLE) AS flat,
        exp(-0.5 * (past * 1.65 / noise_ms) ** 2) / core_wide AS at_end,
        CASE WHEN past > 0 THEN exp(-past / 40000.0) / 40000 ELSE 0 END AS after_end
    FROM pairs
)
SELECT charge_no, charge_ord, charged_at, day, hour, ids, amount, crowded, billed_model, billed_key, billed_input, slot_no, exec_id, request_key, call_no, nth, kind, gives,
    book_provider, book, model_key, input_tokens, hint, opens, closes, prior, off, 1000 * CASE
        WHEN NOT orders OR NOT start_known AND stamp = 'start' THEN flat
        WHEN kind = 'answer' THEN CASE WHEN other_answer THEN 0.01 ELSE 1 END * (0.9 * core + 0.1 * flat)
        WHEN kind = 'hidden' AND stamp = 'start' THEN CASE WHEN succeeded AND own_at IS NOT NULL THEN 0.5 * core + 0.5 * flat ELSE flat END
        WHEN kind = 'hidden' THEN 0.5 * flat + 0.5 * after_end
        WHEN kind = 'own' AND stamp = 'end' THEN 0.2 * at_end + 0.2 * flat + 0.6 * after_end
        WHEN kind = 'lost' THEN flat
        ELSE 0.97 * core + 0.03 * flat END * CASE WHEN same_key THEN 10000 ELSE 1 END AS density
FROM measured;
