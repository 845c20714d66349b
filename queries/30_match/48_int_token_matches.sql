-- int_token_matches: tier 4, strange charges and the executions that most likely caused them.
--
-- Why:    receipts and ids are what a team wishes for; time and tokens are what it has of the calls that timed out.
-- Reads:  int_rival_pairs, int_rival_weights, int_answer_matches
-- Writes: int_token_matches
-- Grain:  charge_no
-- Units:  confidence: the probability of what the match gives (all candidates that give the
--         same, over all candidates and the background). island: pairs whose windows touch; open: how many
--         executions are open in it
-- Params: confidence, below which a match is a lead, default 0.9
-- Rule:   design section 3, tier 4. Of all pairs those that are each other's likeliest are taken until none is left. A
--         charge that has lost its slots to others, yet is likely (one in ten or more) to be a slot's, is a lead
-- Empty:  NOT EXISTS (FROM int_rival_pairs) AND NOT EXISTS (FROM int_answer_matches)
-- Look at: testdata/queries/int_token_matches/two_charges_one_slot
CREATE OR REPLACE TABLE int_token_matches AS
WITH RECURSIVE pairs AS MATERIALIZED (
    SELECT p.*, w.likely, sum(CAST(w.likely * 1e9 AS BIGINT)) OVER (PARTITION BY p.charge_no, p.gives) / 1e9 AS confidence
    FROM int_rival_pairs p JOIN int_rival_weights w USING (charge_no, slot_no)
),
-- Windows that touch, within one model and prompt.
islands AS MATERIALIZED (
    SELECT charge_no, sum(CASE WHEN opens > before THEN 1 ELSE 0 END) OVER (ORDER BY book_provider, book, billed_model, billed_input, opens, charge_no) AS island
    FROM (
        SELECT *, coalesce(max(closes) OVER (PARTITION BY book_provider, book, billed_model, billed_input ORDER BY opens, charge_no ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), TIMESTAMP '0001-01-01') AS before
        FROM (SELECT charge_no, any_value(book_provider) AS book_provider, any_value(book) AS book, any_value(billed_model) AS billed_model,
                any_value(billed_input) AS billed_input, min(opens) AS opens, max(closes) AS closes FROM pairs GROUP BY charge_no)
    )
),
rounds AS MATERIALIZED (
    SELECT charge_no, charge_ord, slot_no, likely, false AS won, 0 AS round FROM pairs WHERE likely >= 0.01
    UNION ALL
    SELECT charge_no, charge_ord, slot_no, likely, mine AND yours, round + 1
    FROM (
        SELECT *, bool_or(mine AND yours) OVER (PARTITION BY charge_no) AND NOT (mine AND yours) AS charge_gone,
            bool_or(mine AND yours) OVER (PARTITION BY slot_no) AND NOT (mine AND yours) AS slot_gone
        FROM (
            SELECT *, row_number() OVER (PARTITION BY charge_no ORDER BY round(likely, 6) DESC, slot_no) = 1 AS mine,
                row_number() OVER (PARTITION BY slot_no ORDER BY round(likely, 6) DESC, charge_ord) = 1 AS yours
            FROM rounds WHERE NOT won AND round < 60
        )
    )
    WHERE NOT charge_gone AND NOT slot_gone
),
best AS (
    SELECT charge_no, slot_no, confidence FROM pairs
    QUALIFY row_number() OVER (PARTITION BY charge_no ORDER BY round(confidence, 6) DESC, round(likely, 6) DESC, slot_no) = 1
),
decided AS (
    SELECT charge_no, slot_no, true AS won FROM rounds WHERE won
    UNION ALL
    SELECT charge_no, slot_no, false FROM best b ANTI JOIN (SELECT charge_no FROM rounds WHERE won) r USING (charge_no)
),
opened AS (
    SELECT i.island, count(DISTINCT p.exec_id) AS open FROM pairs p JOIN islands i USING (charge_no) GROUP BY i.island
)
SELECT p.charge_no, p.exec_id, p.book_provider, p.book, p.nth > 0 OR p.kind = 'hidden' AS hidden, least(p.confidence, 0.999) AS confidence, p.gives,
    NOT d.won OR p.confidence < CAST(getvariable('confidence') AS DOUBLE) AS lead, i.island, o.open,
    bool_or(p.crowded) AS crowded
FROM decided d JOIN pairs p ON p.charge_no = d.charge_no AND p.slot_no = d.slot_no
JOIN islands i ON i.charge_no = d.charge_no JOIN opened o ON o.island = i.island
WHERE p.confidence >= 0.1
GROUP BY ALL
UNION ALL
SELECT charge_no, exec_id, book_provider, book, false, confidence, 'answer', confidence < CAST(getvariable('confidence') AS DOUBLE), NULL, NULL, false
FROM int_answer_matches WHERE confidence >= 0.1;
