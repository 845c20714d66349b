-- int_known_ids: which charges' request ids the log knows.
--
-- Why:    a bill whose ids the log does not know is matched by tokens and time. Kept row by row, so that a night
--         looks at its own rows to tell.
-- Reads:  src_attempts, int_charge_lines
-- Writes: int_known_ids
-- Grain:  row_id
-- Units:  none
-- Params: by_tokens: an audit (all) matches every book so, and asks nobody
-- Rule:   our choice: usage alone, as refunds and credits bring the ids of what they undo or none
-- Empty:  getvariable('by_tokens') IS DISTINCT FROM 'unnamed'
-- Look at: testdata/queries/int_known_ids/one_of_three
CREATE OR REPLACE TABLE int_known_ids AS
WITH logged AS (
    SELECT DISTINCT hash(request_id) AS id FROM src_attempts WHERE request_id IS NOT NULL
)
SELECT c.row_id, c.book_provider, c.book, l.id IS NOT NULL AS known
FROM int_charge_lines c LEFT JOIN logged l ON l.id = hash(c.request_id)
WHERE c.kind = 'usage' AND coalesce(c.amount, 0) >= 0;
