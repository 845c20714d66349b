-- int_rival_weights: how likely each pair of a strange charge and an open slot is.
--
-- Why:    a match by tokens and time is worth what its rivals leave of it.
-- Reads:  int_rival_pairs, int_rival_rates
-- Writes: int_rival_weights
-- Grain:  (charge_no, slot_no)
-- Units:  weight: odds of the pair against unlogged traffic; likely: the probability of the pair
-- Params: none
-- Rule:   design section 3, confidence. Where no line tells the prompt's tokens, those that another model of the
--         call shows speak for a charge, and so do those that several charges in its windows share (half as much again, not more, since
--         unlogged calls are tried again as well: measured over labelled worlds). Each charge has one cause, each slot one charge: rivals share by belief
--         propagation over the pairs, eight rounds (exact where one charge or one slot is alone)
-- Empty:  NOT EXISTS (FROM int_rival_pairs)
-- Look at: testdata/queries/int_rival_weights/two_charges_one_slot
CREATE OR REPLACE TABLE int_rival_weights AS
WITH RECURSIVE fellows AS (
    SELECT request_key, call_no, book_provider, book, billed_model, billed_input, count(DISTINCT charge_no) > 1 AS shared
    FROM int_rival_pairs WHERE input_tokens IS NULL GROUP BY ALL
),
weighed AS MATERIALIZED (
    SELECT p.charge_no, p.slot_no, least(p.prior / (1 - p.prior) * (1.0001 - p.ids) * p.density
        / greatest(r.rate * CASE WHEN p.input_tokens IS NOT NULL AND p.billed_input IS NOT NULL THEN r.size_share ELSE 1 END, 1e-15)
        * CASE WHEN p.input_tokens IS NOT NULL OR p.billed_input IS NULL THEN 1
               WHEN p.hint IS NULL THEN 1
               WHEN p.billed_input = p.hint THEN least(0.4 / r.size_share, 200)
               WHEN abs(p.billed_input - p.hint) * 4 <= p.hint THEN least(1 / (p.hint * r.size_share), 5)
               ELSE 0.2 END
        * CASE WHEN p.input_tokens IS NULL AND f.shared THEN 1.5 ELSE 1 END, 1e9) AS weight
    FROM int_rival_pairs p JOIN int_rival_rates r USING (charge_no)
    LEFT JOIN fellows f ON f.request_key = p.request_key AND f.call_no = p.call_no AND f.book_provider = p.book_provider AND f.book = p.book
        AND f.billed_model IS NOT DISTINCT FROM p.billed_model AND f.billed_input IS NOT DISTINCT FROM p.billed_input
),
-- Whose charges and slots meet no others need no messages.
contested AS (
    SELECT charge_no FROM (SELECT charge_no, count(*) OVER (PARTITION BY slot_no) AS charges FROM weighed) GROUP BY charge_no HAVING max(charges) > 1
),
-- What each slot tells each of its charges: how free it is of the others. Sums are of whole
-- millionths, so that they do not hang on the order of rows.
messages AS (
    SELECT charge_no, slot_no, weight, CAST(1 AS DOUBLE) AS free, 0 AS round FROM weighed SEMI JOIN contested USING (charge_no)
    UNION ALL
    SELECT charge_no, slot_no, weight, 1 / (1 + greatest(sum(CAST(asked * 1e6 AS HUGEINT)) OVER (PARTITION BY slot_no) / 1e6 - asked, 0)), round + 1
    FROM (
        SELECT *, weight / (1 + greatest(sum(CAST(weight * free * 1e6 AS HUGEINT)) OVER (PARTITION BY charge_no) / 1e6 - weight * free, 0)) AS asked
        FROM messages WHERE round < 8
    )
),
told AS (
    SELECT charge_no, slot_no, weight, free FROM messages WHERE round = 8
    UNION ALL
    SELECT charge_no, slot_no, weight, 1 FROM weighed ANTI JOIN contested USING (charge_no)
)
SELECT charge_no, slot_no, weight,
    weight * free / (1 + sum(CAST(weight * free * 1e6 AS HUGEINT)) OVER (PARTITION BY charge_no) / 1e6) AS likely
FROM told;
