-- int_strange_charges: the charges that no shared id can explain: tier 4 looks for their call.
--
-- Why:    most vendors never see the caller's id. A charge under an id that the log knows is not
--         strange: the tiers before have said what there is to say of it.
-- Reads:  int_charges, src_attempts, int_receipt_matches, int_number_matches,
--         int_success_matches, int_window_matches, int_hidden_matches,
--         int_simple_pairs, int_usable_pairs, int_token_books, src_charges
-- Writes: int_strange_charges
-- Grain:  charge_no
-- Units:  stamps by the bill's clock, UTC; day and hour are of the stamp. ids: the share of
--         the month's charges of the book whose request id the log knows. broken: the bill says that it failed; foreign_receipt: it bears a receipt, in a month of a book that shares some with the log
-- Params: none
-- Rule:   design section 3, tier 4
-- Empty:  NOT EXISTS (SELECT 1 FROM int_token_books) OR NOT EXISTS (SELECT 1 FROM int_charges c ANTI JOIN (SELECT charge_no
--         FROM int_receipt_matches UNION ALL SELECT charge_no FROM int_number_matches UNION ALL SELECT charge_no FROM
--         int_success_matches UNION ALL SELECT charge_no FROM int_window_matches UNION ALL SELECT charge_no FROM
--         int_hidden_matches) t ON t.charge_no = c.charge_no WHERE c.executable)
-- Look at: testdata/queries/int_strange_charges/known_and_unknown_ids
CREATE OR REPLACE TABLE int_strange_charges AS
WITH taken AS (
    SELECT charge_no FROM int_receipt_matches
    UNION ALL SELECT charge_no FROM int_number_matches
    UNION ALL SELECT charge_no FROM int_success_matches
    UNION ALL SELECT charge_no FROM int_window_matches
    UNION ALL SELECT charge_no FROM int_hidden_matches
),
left_over AS (
    SELECT c.charge_no, c.request_id FROM int_charges c SEMI JOIN int_token_books b ON b.book_provider = c.book_provider AND b.book = c.book
    ANTI JOIN taken t ON t.charge_no = c.charge_no
    WHERE c.executable AND coalesce(c.amount, 0) >= 0
),
known_ids AS (
    SELECT DISTINCT request_id FROM int_charges
    WHERE request_id IS NOT NULL AND hash(request_id) IN (SELECT hash(request_id) FROM src_attempts WHERE request_id IS NOT NULL)
),
strange AS (
    SELECT c.* FROM int_charges c SEMI JOIN (FROM left_over ANTI JOIN known_ids USING (request_id)) l ON l.charge_no = c.charge_no
),
books AS (
    SELECT DISTINCT book_provider, book, date_trunc('month', charged_at) AS month FROM strange
),
-- Of a bill whose charges mostly bear known ids, one without is seldom the log's.
named AS (
    SELECT c.book_provider, c.book, date_trunc('month', c.charged_at) AS month, count(*) FILTER (WHERE k.request_id IS NOT NULL) AS named, count(*) AS charges
    FROM int_charges c LEFT JOIN known_ids k ON k.request_id = c.request_id
    WHERE EXISTS (FROM strange) GROUP BY ALL
),
plain AS (
    SELECT coalesce(c.provider, '') AS book_provider, c.book, date_trunc('month', c.charged_at) AS month,
        count(*) FILTER (WHERE c.request_id IS NOT NULL AND NOT p.unnamed) AS named, count(*) AS charges
    FROM int_simple_pairs s JOIN src_charges c ON c.row_id = s.charge_row JOIN int_usable_pairs p ON p.charge_row = s.charge_row
    WHERE EXISTS (FROM strange) GROUP BY ALL
),
receipts AS (
    SELECT m.book_provider, m.book, date_trunc('month', c.charged_at) AS month
    FROM int_receipt_matches m JOIN int_charges c USING (charge_no) WHERE EXISTS (FROM strange)
    UNION
    SELECT p.book_provider, p.book, date_trunc('month', p.charged_at) FROM int_usable_pairs p WHERE p.match = 'receipt' AND EXISTS (FROM strange)
)
SELECT s.charge_no, s.ord, s.book_provider, s.book, s.model_key, s.api_key, s.input_tokens, s.output_tokens, s.charged_at,
    CAST(s.charged_at AS DATE) AS day, CAST(hour(s.charged_at) AS INTEGER) AS hour, s.idempotency_key, s.generation_ms, s.amount, s.itemised, broke_off(s.finish_reason) AS broken,
    s.receipt IS NOT NULL AND r.book IS NOT NULL AS foreign_receipt,
    (coalesce(n.named, 0) + coalesce(p.named, 0)) / CAST(coalesce(n.charges, 0) + coalesce(p.charges, 0) AS DOUBLE) AS ids
FROM strange s
JOIN books b ON b.book_provider = s.book_provider AND b.book = s.book AND b.month = date_trunc('month', s.charged_at)
LEFT JOIN named n ON n.book_provider = b.book_provider AND n.book = b.book AND n.month = b.month
LEFT JOIN plain p ON p.book_provider = b.book_provider AND p.book = b.book AND p.month = b.month
LEFT JOIN receipts r ON r.book_provider = b.book_provider AND r.book = b.book AND r.month = b.month;
