-- int_answer_matches: tier 4, an answer takes the charge with its model and its tokens in and out.
--
-- Why:    what was delivered must be known before anything is called paid twice.
-- Reads:  int_windows, int_strange_charges, int_receipt_matches, int_number_matches,
--         int_success_matches
-- Writes: int_answer_matches
-- Grain:  charge_no, and (exec_id, book_provider, book)
-- Units:  ms; confidence from 0 to 1
-- Params: none
-- Rule:   design section 3, tier 4: by model, tokens in and out, and time; one to one, best first: of all pairs in
--         a window the nearest to the expected stamp that are each other's nearest, until none is left.
--         Of those that are alike, each looks at the three before and the three after it in
--         time; where charges outnumber answers, the surplus is a rival
-- Empty:  NOT EXISTS (FROM int_strange_charges)
-- Look at: testdata/queries/int_answer_matches/two_alike
CREATE OR REPLACE TABLE int_answer_matches AS
WITH RECURSIVE charges AS MATERIALIZED (
    SELECT *, hash(book_provider, book, model_key, input_tokens, output_tokens) AS alike FROM int_strange_charges
    WHERE input_tokens IS NOT NULL AND output_tokens IS NOT NULL
),
taken AS (
    SELECT exec_id, book_provider, book FROM int_receipt_matches
    UNION ALL SELECT exec_id, book_provider, book FROM int_number_matches
    UNION ALL SELECT exec_id, book_provider, book FROM int_success_matches
),
answers AS MATERIALIZED (
    SELECT w.*, hash(w.book_provider, w.book, w.model_key, w.input_tokens, w.output_tokens) AS alike,
        row_number() OVER (PARTITION BY w.book_provider, w.book, w.model_key, w.input_tokens, w.output_tokens ORDER BY w.expected, w.ord) AS place
    FROM int_windows w
    ANTI JOIN taken t ON t.exec_id = w.exec_id AND t.book_provider = w.book_provider AND t.book = w.book
    WHERE w.succeeded AND NOT w.cached AND w.input_tokens IS NOT NULL AND w.output_tokens IS NOT NULL AND EXISTS (FROM charges)
),
counted AS (
    SELECT alike, count(*) AS answers FROM answers GROUP BY alike
),
begun AS (
    SELECT alike, expected, max(place) AS place FROM answers GROUP BY alike, expected
),
-- Where in the row of its answers each charge stands.
placed AS (
    SELECT c.charge_no, c.ord AS charge_ord, c.charged_at, c.day, c.generation_ms, c.idempotency_key AS billed_key, c.foreign_receipt, c.ids, c.alike,
        coalesce(a.place, 0) AS place, n.answers
    FROM charges c JOIN counted n ON n.alike = c.alike
    ASOF LEFT JOIN begun a ON a.alike = c.alike AND c.charged_at >= a.expected
),
near AS (
    SELECT *, unnest(generate_series(greatest(place - 2, 1), least(place + 3, answers))) AS beside FROM placed
),
pairs AS MATERIALIZED (
    SELECT n.charge_no, n.charge_ord, n.day, n.ids, n.alike, a.exec_id, a.ord, a.book_provider, a.book, a.noise_ms, a.resolution_ms, a.skew_ms,
        ms_from_stamp(a.expected, n.charged_at, a.resolution_ms) AS distance
    FROM near n JOIN answers a ON a.alike = n.alike AND a.place = n.beside
    WHERE plus_ms(n.charged_at, a.resolution_ms) >= a.opens AND n.charged_at <= a.closes
      AND agrees(a.idempotency_key, n.billed_key) AND NOT (n.foreign_receipt AND a.receipt IS NOT NULL)
      AND NOT coalesce(n.generation_ms > a.elapsed_ms + greatest(1000, a.noise_ms), false)
),
-- How many charges of a day are alike, and how many answers could have them.
surplus AS (
    SELECT alike, day, greatest(count(DISTINCT charge_no) - count(DISTINCT exec_id), 0) AS charges FROM pairs GROUP BY alike, day
),
rounds AS MATERIALIZED (
    SELECT charge_no, charge_ord, exec_id, ord, book_provider, book, distance, false AS won, 0 AS round FROM pairs
    UNION ALL
    SELECT charge_no, charge_ord, exec_id, ord, book_provider, book, distance, mine AND yours, round + 1
    FROM (
        SELECT *, bool_or(mine AND yours) OVER (PARTITION BY charge_no) AND NOT (mine AND yours) AS charge_gone,
            bool_or(mine AND yours) OVER (PARTITION BY exec_id, book_provider, book) AND NOT (mine AND yours) AS exec_gone
        FROM (
            SELECT *, row_number() OVER (PARTITION BY charge_no ORDER BY distance, ord) = 1 AS mine,
                row_number() OVER (PARTITION BY exec_id, book_provider, book ORDER BY distance, charge_ord) = 1 AS yours
            FROM rounds WHERE NOT won AND round < 60
        )
    )
    WHERE NOT charge_gone AND NOT exec_gone
),
odds AS (
    SELECT p.*, 0.98 * (exp(-0.5 * (p.distance * 1.65 / p.noise_ms) ** 2) / (p.resolution_ms + 1.52 * p.noise_ms) + 0.05 / (p.resolution_ms + 60000))
        * (1.0001 - p.ids) / ((s.charges + 0.01) / 86400000) AS odds
    FROM rounds w JOIN pairs p ON p.charge_no = w.charge_no AND p.exec_id = w.exec_id AND p.book_provider = w.book_provider AND p.book = w.book
    JOIN surplus s ON s.alike = p.alike AND s.day = p.day
    WHERE w.won
)
SELECT charge_no, exec_id, book_provider, book, least(odds / (1 + odds), 0.999) AS confidence FROM odds;
