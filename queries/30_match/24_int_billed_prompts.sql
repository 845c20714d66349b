-- int_billed_prompts: the prompt's size of attempts that logged none, where one charge alone can be theirs.
--
-- Why:    in a fan-out several timed-out attempts are tried again at once; what the bill says
--         of each tells which retry repeats which prompt.
-- Reads:  int_lines, int_attempt_copies, int_charge_lines, int_calibrations
-- Writes: int_billed_prompts
-- Grain:  row_id
-- Units:  tokens
-- Params: none
-- Rule:   our choice, after "a retry repeats its prompt" (design section 3): only where stamps
--         were measured to lie at the start, and one charge and one attempt of the id, with
--         the same model, lie within the jitter of each other; a
--         charge with the tokens of an answer is that answer's
-- Empty:  NOT EXISTS (FROM int_calibrations WHERE measurable)
-- Look at: testdata/queries/int_billed_prompts/one_charge_alone
CREATE OR REPLACE TABLE int_billed_prompts AS
WITH several AS (
    SELECT request_key FROM int_lines WHERE kind = 'call' GROUP BY request_key
    HAVING count(*) > 2 AND count(*) FILTER (WHERE NOT succeeded) > 0
),
lines AS (
    SELECT l.row_id, l.request_id, l.t0, l.day, l.model_key, l.provider, l.input_tokens FROM int_lines l
    SEMI JOIN several s ON s.request_key = l.request_key
    ANTI JOIN int_attempt_copies c ON c.row_id = l.row_id
    WHERE l.kind = 'call' AND l.start_known AND l.depth = 0
),
near AS (
    SELECT l.row_id, l.input_tokens AS logged, c.row_id AS charge_row, c.input_tokens
    FROM lines l
    JOIN int_charge_lines c ON c.request_id = l.request_id AND agrees(c.model_key, l.model_key) AND agrees(l.provider, c.provider)
    JOIN int_calibrations k ON k.book_provider = c.book_provider AND k.book = c.book AND k.day = l.day
    WHERE k.measurable AND k.stamp = 'start' AND k.orders AND c.kind = 'usage' AND c.input_tokens > 0
      AND agrees(l.input_tokens, c.input_tokens)
      AND NOT EXISTS (FROM int_lines a WHERE a.request_id = l.request_id AND a.succeeded AND a.row_id <> l.row_id
          AND a.input_tokens = c.input_tokens AND a.output_tokens = c.output_tokens)
      AND c.charged_at <= plus_ms(l.t0, k.offset_ms + k.jitter_ms)
      AND plus_ms(c.charged_at, k.resolution_ms) >= plus_ms(l.t0, k.offset_ms - k.jitter_ms)
),
counted AS (
    SELECT *, count(*) OVER (PARTITION BY row_id) AS charges, count(*) OVER (PARTITION BY charge_row) AS attempts FROM near
)
SELECT row_id, input_tokens FROM counted WHERE charges = 1 AND attempts = 1 AND logged IS NULL;
