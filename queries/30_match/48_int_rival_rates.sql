-- int_rival_rates: how often unlogged traffic makes charges like each strange one.
--
-- Why:    unlogged traffic is a rival of every match by tokens and time.
-- Reads:  int_rival_pairs, int_strange_charges, int_answer_matches, int_charge_lines
-- Writes: int_rival_rates
-- Grain:  charge_no
-- Units:  rate: such charges per second of the stamp's hour, of its book, model and key; size_share: the share of them with its
--         input tokens
-- Params: none
-- Rule:   design section 3, confidence. The background of a UTC day is what no slot explains of the
--         book's strange charges of that model and key, and half a charge and one in 200 of all more. It is spread over the hours as all of the day's charges are, and over
--         prompts as the unexplained ones and, for want of those, all are
-- Empty:  NOT EXISTS (FROM int_strange_charges)
-- Look at: testdata/queries/int_rival_rates/background_of_the_same_size
CREATE OR REPLACE TABLE int_rival_rates AS
WITH days AS MATERIALIZED (
    SELECT DISTINCT book_provider, book, day FROM int_rival_pairs
),
-- All charges of such days: by hour, and by prompt.
billed AS MATERIALIZED (
    SELECT c.book_provider, c.book, d.day, coalesce(c.model_key, '') AS model, CAST(hour(c.charged_at) AS INTEGER) AS hour, c.input_tokens, count(*) AS charges,
        min(c.charged_at) AS first_at, max(c.charged_at) AS last_at
    FROM int_charge_lines c JOIN days d ON d.book_provider = c.book_provider AND d.book = c.book AND d.day = CAST(c.charged_at AS DATE)
    WHERE c.kind = 'usage' AND (c.input_tokens IS NOT NULL OR c.line_item IS NULL)
    GROUP BY ALL
),
hours AS MATERIALIZED (
    SELECT book_provider, book, day, hour, (sum(charges) + 0.1) / (sum(sum(charges)) OVER (PARTITION BY book_provider, book, day) + 2.4)
        -- an hour of which the bill shows a part only is shorter
        / greatest(least(ms_between(min(first_at), max(last_at)) / 1000 * (sum(charges) + 1) / sum(charges), 3600), 60) AS share
    FROM billed GROUP BY book_provider, book, day, hour
),
totals AS MATERIALIZED (
    SELECT book_provider, book, day, model, sum(charges) AS charges FROM billed GROUP BY ALL
),
-- Half of the weight lies on the prompts that are there, half on all of about their size.
sizes AS MATERIALIZED (
    SELECT book_provider, book, day, model, input_tokens, sum(charges) AS charges,
        floor(ln(input_tokens + 1) * 5) AS magnitude
    FROM billed WHERE input_tokens IS NOT NULL GROUP BY ALL
),
magnitudes AS (
    SELECT book_provider, book, day, model, magnitude, sum(charges) AS charges, max(input_tokens) * 0.2 + 1 AS width FROM sizes GROUP BY ALL
),
usual AS MATERIALIZED (
    SELECT s.book_provider, s.book, s.day, s.model, s.input_tokens,
        0.5 * s.charges / t.charges + 0.5 * m.charges / m.width / t.charges AS share
    FROM sizes s JOIN magnitudes m USING (book_provider, book, day, model, magnitude) JOIN totals t USING (book_provider, book, day, model)
),
strange AS MATERIALIZED (
    SELECT c.charge_no, c.book_provider, c.book, c.day, c.hour, coalesce(c.model_key, '') AS model, coalesce(c.api_key, '') AS key, c.input_tokens
    FROM int_strange_charges c ANTI JOIN int_answer_matches a ON a.charge_no = c.charge_no
    SEMI JOIN days d ON d.book_provider = c.book_provider AND d.book = c.book AND d.day = c.day
),
-- A first guess: what no slot at all explains is the background. (Counted in millionths, so that sums do not hang on their order.)
guess AS (
    SELECT s.*, CASE WHEN p.charge_no IS NULL THEN 1000000 ELSE 100000 END AS unexplained
    FROM strange s LEFT JOIN (SELECT DISTINCT charge_no FROM int_rival_pairs) p ON p.charge_no = s.charge_no
),
guessed AS MATERIALIZED (
    SELECT charge_no, unexplained, book_provider, book, day, hour, model, key, input_tokens,
        sum(unexplained) OVER (PARTITION BY book_provider, book, day, model, key) / 1e6 AS per_day,
        sum(unexplained) OVER (PARTITION BY book_provider, book, day, model, key, input_tokens) / 1e6 AS of_size
    FROM guess
),
first_rates AS MATERIALIZED (
    SELECT g.charge_no, (g.per_day + 0.5 + 0.005 * t.charges) * h.share AS rate,
        (g.of_size + 5 * coalesce(u.share, 0)) / (g.per_day + 5) AS size_share
    FROM guessed g JOIN totals t USING (book_provider, book, day, model) JOIN hours h USING (book_provider, book, day, hour)
    LEFT JOIN usual u USING (book_provider, book, day, model, input_tokens)
),
first_odds AS (
    SELECT p.charge_no, p.prior / (1 - p.prior) * (1.0001 - p.ids) * p.density
        / greatest(r.rate * CASE WHEN p.input_tokens IS NOT NULL AND p.billed_input IS NOT NULL THEN r.size_share ELSE 1 END, 1e-15) AS odds, p.slot_no
    FROM int_rival_pairs p JOIN first_rates r USING (charge_no)
),
explained AS (
    SELECT charge_no, CAST(1e6 / (1 + sum(odds ORDER BY slot_no)) AS BIGINT) AS unexplained FROM first_odds GROUP BY charge_no
),
known AS MATERIALIZED (
    SELECT s.*, coalesce(e.unexplained, 1000000) AS unexplained FROM strange s LEFT JOIN explained e USING (charge_no)
),
counted AS MATERIALIZED (
    SELECT charge_no, book_provider, book, day, hour, model, key, input_tokens, unexplained,
        sum(unexplained) OVER (PARTITION BY book_provider, book, day, model, key) / 1e6 AS per_day,
        sum(unexplained) OVER (PARTITION BY book_provider, book, day, model, key, input_tokens) / 1e6 AS of_size
    FROM known
)
SELECT g.charge_no, (g.per_day + 0.5 + 0.005 * t.charges) * h.share AS rate,
    (g.of_size + 5 * coalesce(u.share, 0)) / (g.per_day + 5) AS size_share
FROM counted g JOIN totals t USING (book_provider, book, day, model) JOIN hours h USING (book_provider, book, day, hour)
LEFT JOIN usual u USING (book_provider, book, day, model, input_tokens);
