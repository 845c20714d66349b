-- int_success_matches: tier 3a, each attempt that succeeded takes its charge of the same request.
--
-- Why:    what was delivered must be known before anything is called paid twice.
-- Reads:  int_windows, int_charges, int_receipt_matches, int_number_matches,
--         int_known_receipts
-- Writes: int_success_matches
-- Grain:  charge_no, and (exec_id, book_provider, book)
-- Units:  ms
-- Params: none
-- Rule:   design section 3, step a: the charge with its model and its tokens, whatever its
--         time; of several, the latest in its window that lies not nearer to another attempt's
--         stamp (of a success with other tokens: never); stamps at the end: the nearest. If none has
--         its tokens, or the log has no tokens: same model, same input if known, in its window,
--         the latest (the nearest, if the attempt had no room for a timeout and the input is
--         unknown); what the bill says ran to its end goes before what it does not
-- Empty:  NOT EXISTS (SELECT 1 FROM int_charges c ANTI JOIN (SELECT charge_no FROM int_receipt_matches UNION ALL SELECT charge_no
--         FROM int_number_matches) t ON t.charge_no = c.charge_no WHERE c.executable AND c.request_id IS NOT NULL)
-- Look at: testdata/queries/int_success_matches/four_charges_of_the_same_tokens
CREATE OR REPLACE TABLE int_success_matches AS
WITH RECURSIVE free_charges AS (
    SELECT c.* FROM int_charges c
    ANTI JOIN int_receipt_matches r ON r.charge_no = c.charge_no
    ANTI JOIN int_number_matches n ON n.charge_no = c.charge_no
    WHERE c.executable AND c.request_id IS NOT NULL
),
successes AS (
    SELECT w.* FROM int_windows w
    ANTI JOIN int_receipt_matches r ON r.exec_id = w.exec_id AND r.book_provider = w.book_provider AND r.book = w.book
    ANTI JOIN int_number_matches n ON n.exec_id = w.exec_id AND n.book_provider = w.book_provider AND n.book = w.book
    WHERE w.succeeded AND NOT w.cached AND w.request_id IS NOT NULL
),
pairs AS (
    SELECT s.exec_id, s.ord, c.ord AS charge_ord, s.top_row, c.model_key, c.output_tokens, s.expected, c.cancelled, finished(c.finish_reason) AS finished, s.request_id, s.book_provider, s.book, s.stamp, s.t0, s.t1, c.charge_no, c.charged_at,
        coalesce(s.input_tokens = c.input_tokens AND s.output_tokens = c.output_tokens, false) AS same_tokens,
        -- too short to hide a timeout, and nothing says that a charge repeats its prompt
        coalesce(s.elapsed_ms < s.floor_ms, false) AND (s.input_tokens IS NULL OR c.input_tokens IS NULL) AS short,
        plus_ms(c.charged_at, s.resolution_ms) >= s.opens AND c.charged_at <= s.closes AS in_window,
        ms_from_stamp(s.expected, c.charged_at, s.resolution_ms) AS distance
    FROM successes s
    JOIN free_charges c ON c.request_id = s.request_id AND c.book_provider = s.book_provider AND c.book = s.book
    LEFT JOIN int_known_receipts r ON r.exec_id = s.exec_id AND r.book_provider = s.book_provider AND r.book = s.book
    WHERE agrees(s.model_key, c.model_key) AND agrees(s.input_tokens, c.input_tokens) AND agrees(s.idempotency_key, c.idempotency_key)
      AND agrees(r.receipt, c.receipt)
      -- an answer cannot have taken longer to make than to get
      AND NOT coalesce(c.generation_ms > s.elapsed_ms + greatest(1000, s.noise_ms), false)
),
-- How near the charge lies to any other attempt of the request that can have run.
neighbours AS (
    SELECT p.charge_no, p.exec_id, min(ms_from_stamp(w.expected, p.charged_at, w.resolution_ms)) AS nearest
    FROM pairs p
    JOIN int_windows w ON w.request_id = p.request_id AND w.book_provider = p.book_provider AND w.book = p.book
        AND w.exec_id <> p.exec_id AND w.top_row <> p.top_row AND agrees(w.model_key, p.model_key)
    WHERE w.ran AND NOT w.lost AND NOT w.cached
      -- an answer of other tokens cannot claim a charge that has this one's
      AND NOT (p.same_tokens AND w.succeeded AND coalesce(w.output_tokens <> p.output_tokens, false))
    GROUP BY p.charge_no, p.exec_id
),
-- A charge that has some success's tokens is not offered to one of other tokens.
offered AS (
    SELECT p.*, bool_or(same_tokens) OVER one_charge AS claimed,
        coalesce(distance > n.nearest, false) AS nearer_elsewhere
    FROM pairs p LEFT JOIN neighbours n ON n.charge_no = p.charge_no AND n.exec_id = p.exec_id
    WINDOW one_charge AS (PARTITION BY p.charge_no)
),
wishes AS (
    SELECT exec_id, request_id, book_provider, book, min(expected) AS expected, min(ord) AS ord,
        list(charge_no ORDER BY same_tokens DESC,
            CASE WHEN in_window AND NOT nearer_elsewhere THEN 0 WHEN in_window THEN 1 ELSE 2 END,
            cancelled, finished DESC,
            CASE WHEN stamp = 'end' OR NOT in_window OR (short AND NOT same_tokens) THEN distance ELSE -epoch_us(charged_at) END,
            charge_ord) AS wanted
    FROM offered WHERE same_tokens OR (in_window AND NOT claimed)
    GROUP BY exec_id, request_id, book_provider, book
),
queued AS (
    SELECT *, row_number() OVER (PARTITION BY request_id, book_provider, book ORDER BY expected, ord) AS place FROM wishes
),
-- Where all first wishes differ, all are granted.
contested AS (
    SELECT request_id, book_provider, book FROM queued
    GROUP BY request_id, book_provider, book, wanted[1] HAVING count(*) > 1
),
-- Else the earlier chooses first.
walk AS (
    SELECT q.request_id, q.book_provider, q.book, q.exec_id, q.place, q.wanted[1] AS charge_no, [q.wanted[1]] AS taken
    FROM queued q SEMI JOIN contested c ON c.request_id = q.request_id AND c.book_provider = q.book_provider AND c.book = q.book
    WHERE q.place = 1
    UNION ALL
    SELECT request_id, book_provider, book, exec_id, place, choice, CASE WHEN choice IS NULL THEN taken ELSE list_append(taken, choice) END
    FROM (
        SELECT q.*, w.taken, list_filter(q.wanted, lambda x: NOT list_contains(w.taken, x))[1] AS choice
        FROM walk w JOIN queued q ON q.request_id = w.request_id AND q.book_provider = w.book_provider AND q.book = w.book
            AND q.place = w.place + 1
    )
)
SELECT q.wanted[1] AS charge_no, q.exec_id, q.book_provider, q.book
FROM queued q ANTI JOIN contested c ON c.request_id = q.request_id AND c.book_provider = q.book_provider AND c.book = q.book
UNION ALL
SELECT charge_no, exec_id, book_provider, book FROM walk WHERE charge_no IS NOT NULL;
