-- int_unnamed_pairs: answers and charges that meet without a request id, each alone with the other.
--
-- Why:    a bill that does not know the caller's id must calibrate its stamps too, and nine of
--         its calls in ten are plain: one answer, one charge, and nothing like them near.
-- Reads:  src_attempts, int_charge_lines, int_candidate_pairs, int_token_books, src_models
-- Writes: int_unnamed_pairs
-- Grain:  attempt_row; charge_row is unique as well
-- Units:  times UTC; short: no longer than half of its day's answers
-- Params: none
-- Rule:   design section 3, tiers 1 and 4: equal receipts, or equal model and tokens in and out
--         which no other answer and no other charge have within two hours; stamp and attempt at most an
--         hour apart. Only for charges whose request id the log does not know, of a book in
--         whose month fewer than one line in ten is paired by id. With layers the innermost line is the execution. By tokens
--         only if receipts do not contradict, where the book has any of the log's
-- Look at: testdata/queries/int_unnamed_pairs/by_tokens
CREATE OR REPLACE TABLE int_unnamed_pairs AS
WITH named AS (
    SELECT book_provider, book, date_trunc('month', charged_at) AS month, count(*) AS pairs FROM int_candidate_pairs GROUP BY ALL
),
-- A book of which enough is paired is told by its number of lines, before they are looked at.
unpaired_books AS (
    SELECT book_provider, book, month FROM (
        SELECT c.book_provider, c.book, date_trunc('month', c.charged_at) AS month, count(*) AS lines FROM int_charge_lines c
        SEMI JOIN int_token_books b ON b.book_provider = c.book_provider AND b.book = c.book
        WHERE c.kind = 'usage' AND coalesce(c.amount, 0) >= 0 GROUP BY ALL)
    LEFT JOIN named n USING (book_provider, book, month)
    WHERE coalesce(n.pairs, 0) * 10 < lines
),
strange AS (
    SELECT c.*, c.charge_id AS id FROM int_charge_lines c
    SEMI JOIN unpaired_books b ON b.book_provider = c.book_provider AND b.book = c.book AND b.month = date_trunc('month', c.charged_at)
    ANTI JOIN int_candidate_pairs p ON p.charge_row = c.row_id
    WHERE c.kind = 'usage' AND coalesce(c.amount, 0) >= 0
      AND (c.request_id IS NULL OR hash(c.request_id) NOT IN (SELECT hash(request_id) FROM src_attempts WHERE request_id IS NOT NULL AND EXISTS (FROM unpaired_books)))
),
unnamed_books AS (
    SELECT book_provider, book, month FROM (
        SELECT book_provider, book, date_trunc('month', charged_at) AS month, count(*) AS lines FROM strange GROUP BY ALL)
    LEFT JOIN named n USING (book_provider, book, month)
    WHERE coalesce(n.pairs, 0) * 10 < lines
),
-- Line items of one charge calibrate, but go the long way.
charges AS (
    SELECT min(row_id) AS row_id, book_provider, book, charged_at, min(id) AS charge_id, min(provider) AS provider, min(model_key) AS model_key,
        min(vendor_request_id) AS receipt, CAST(sum(input_tokens) AS BIGINT) AS input_tokens, CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
        count(*) > 1 AS itemised, max(generation_ms) AS generation_ms
    FROM strange SEMI JOIN unnamed_books u ON u.book_provider = strange.book_provider AND u.book = strange.book AND u.month = date_trunc('month', strange.charged_at)
    GROUP BY book_provider, book, charged_at, coalesce(id, CAST(row_id AS VARCHAR))
    HAVING count(*) = 1 OR count(DISTINCT line_item) = count(*) AND min(model_key) IS NOT DISTINCT FROM max(model_key)
),
repeated_ids AS (
    SELECT book_provider, book, charge_id FROM charges WHERE charge_id IS NOT NULL GROUP BY ALL HAVING count(*) > 1
),
attempts AS (
    SELECT a.row_id, a.request_id, a.attempt, coalesce(a.started_at, a.ended_at) AS t, a.started_at, a.ended_at, a.elapsed_ms, a.layer, a.provider,
        coalesce(m.canonical, model_key(a.model)) AS model_key, a.vendor_request_id AS receipt, a.input_tokens, a.output_tokens
    FROM src_attempts a ANTI JOIN (FROM int_candidate_pairs WHERE EXISTS (FROM charges)) p ON p.attempt_row = a.row_id
    LEFT JOIN src_models m ON m.alias = lower(a.model)
    WHERE a.kind = 'call' AND a.outcome = 'success' AND a.ended_at IS NOT NULL AND EXISTS (FROM charges)
),
-- Several lines of one id: retries, layers or copies; they calibrate at most.
several AS (
    SELECT hash(request_id) AS id FROM src_attempts WHERE request_id IS NOT NULL AND EXISTS (FROM charges) GROUP BY id HAVING count(*) > 1
),
innermost AS (
    SELECT max(CASE layer WHEN 'app' THEN 0 WHEN 'sdk' THEN 1 ELSE 2 END) AS depth FROM attempts
),
answers AS (
    SELECT a.*, s.id IS NOT NULL AS layered FROM attempts a LEFT JOIN several s ON s.id = hash(a.request_id)
    WHERE CASE layer WHEN 'app' THEN 0 WHEN 'sdk' THEN 1 ELSE 2 END = (SELECT depth FROM innermost)
),
by_receipt AS (
    SELECT a.row_id AS attempt_row, c.row_id AS charge_row FROM answers a JOIN charges c ON c.receipt = a.receipt
    UNION
    SELECT a.row_id, c.row_id FROM answers a JOIN charges c ON c.charge_id = a.receipt
),
receipts AS (
    SELECT attempt_row, charge_row FROM by_receipt
    QUALIFY count(*) OVER (PARTITION BY attempt_row) = 1 AND count(*) OVER (PARTITION BY charge_row) = 1
),
receipt_books AS (
    SELECT c.book_provider, c.book, date_trunc('month', c.charged_at) AS month FROM by_receipt b JOIN charges c ON c.row_id = b.charge_row GROUP BY ALL
),
lonely_answers AS (
    SELECT * FROM answers ANTI JOIN by_receipt b ON b.attempt_row = answers.row_id
    WHERE input_tokens IS NOT NULL AND output_tokens IS NOT NULL
    WINDOW alike AS (PARTITION BY model_key, input_tokens, output_tokens ORDER BY t, row_id)
    QUALIFY coalesce(t - lag(t) OVER alike > INTERVAL 2 HOUR, true) AND coalesce(lead(t) OVER alike - t > INTERVAL 2 HOUR, true)
),
lonely_charges AS (
    SELECT * FROM charges ANTI JOIN by_receipt b ON b.charge_row = charges.row_id
    WHERE input_tokens IS NOT NULL AND output_tokens IS NOT NULL
    WINDOW alike AS (PARTITION BY book_provider, book, model_key, input_tokens, output_tokens ORDER BY charged_at, row_id)
    QUALIFY coalesce(charged_at - lag(charged_at) OVER alike > INTERVAL 2 HOUR, true) AND coalesce(lead(charged_at) OVER alike - charged_at > INTERVAL 2 HOUR, true)
),
pairs AS (
    SELECT attempt_row, charge_row, 'receipt' AS match FROM receipts
    UNION ALL
    SELECT a.row_id, c.row_id, 'tokens'
    FROM lonely_answers a JOIN lonely_charges c USING (model_key, input_tokens, output_tokens)
    LEFT JOIN receipt_books r ON r.book_provider = c.book_provider AND r.book = c.book AND r.month = date_trunc('month', c.charged_at)
    WHERE agrees(a.provider, c.provider) AND c.charged_at BETWEEN a.t - INTERVAL 1 HOUR AND a.ended_at + INTERVAL 1 HOUR
      AND (r.book IS NULL OR a.receipt IS NULL OR c.receipt IS NULL)
),
-- The longer half of the answers may hold retries that nobody logged: their stamps would tell
-- of those, not of the clock.
halves AS (
    SELECT c.book_provider, c.book, CAST(c.charged_at AS DATE) AS day, quantile_disc(a.elapsed_ms, 0.5) AS usual_ms
    FROM pairs p JOIN answers a ON a.row_id = p.attempt_row JOIN charges c ON c.row_id = p.charge_row GROUP BY ALL
)
SELECT p.attempt_row, p.charge_row, c.book_provider, c.book, day_of(coalesce(a.started_at, a.ended_at)) AS day, c.itemised, a.layered, a.started_at, a.ended_at, c.charged_at,
    c.output_tokens AS billed_output, c.generation_ms, a.elapsed_ms, a.attempt, a.request_id, true AS unnamed, coalesce(a.elapsed_ms <= h.usual_ms, true) AS short,
    coalesce(a.input_tokens = c.input_tokens AND a.output_tokens = c.output_tokens, false) AS same_tokens, p.match
FROM pairs p JOIN answers a ON a.row_id = p.attempt_row JOIN charges c ON c.row_id = p.charge_row
JOIN halves h ON h.book_provider = c.book_provider AND h.book = c.book AND h.day = CAST(c.charged_at AS DATE)
LEFT JOIN repeated_ids i ON i.book_provider = c.book_provider AND i.book = c.book AND i.charge_id = c.charge_id
WHERE i.charge_id IS NULL AND agrees(a.provider, c.provider) AND agrees(a.model_key, c.model_key) AND agrees(a.input_tokens, c.input_tokens);
