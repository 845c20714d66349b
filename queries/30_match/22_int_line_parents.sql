-- int_line_parents: which outer line an inner layer's line was executed for.
--
-- Why:    an SDK's or a gateway's lines show what the application's line hides; the two
--         must not be counted as two attempts.
-- Reads:  int_lines, int_attempt_copies
-- Writes: int_line_parents
-- Grain:  row_id, of the inner line
-- Units:  ms
-- Params: layer_grace_ms, default 100: how far an inner line may start outside its parent; an
--         outer line of unknown start is taken to have begun ten minutes before its end
-- Rule:   design section 3, (2); of several outer lines the innermost, then the one with its
--         receipt, the one whose answer ends with it, the one that ends after it, the latest to have begun before it. Between two
--         answers receipt, model and tokens do not contradict (what an inner layer gave up
--         has a receipt, and perhaps a model, of its own)
-- Empty:  coalesce((SELECT min(depth) = max(depth) FROM int_lines), true)
-- Look at: testdata/queries/int_line_parents/gateway_ends_after_its_client
CREATE OR REPLACE TABLE int_line_parents AS
WITH kept AS (
    SELECT * FROM int_lines l ANTI JOIN int_attempt_copies c ON c.row_id = l.row_id
    WHERE l.kind = 'call' AND l.request_id IS NOT NULL
),
layered AS (
    SELECT request_key FROM kept GROUP BY request_key HAVING min(depth) <> max(depth)
),
candidates AS (
    SELECT i.row_id, o.row_id AS parent_row,
        row_number() OVER (PARTITION BY i.row_id ORDER BY o.depth DESC, coalesce(i.receipt = o.receipt, false) DESC,
            CASE WHEN i.succeeded AND o.succeeded AND abs(ms_between(i.t1, o.t1)) <= setting('layer_grace_ms') THEN abs(ms_between(i.t1, o.t1)) END NULLS LAST,
            coalesce(i.t1 <= plus_ms(o.t1, setting('layer_grace_ms')), o.t1 IS NULL) DESC, o.t0 <= i.t0 DESC,
            abs(ms_between(o.t0, i.t0)), o.n DESC, o.row_id) AS place
    FROM kept i SEMI JOIN layered ON layered.request_key = i.request_key
    JOIN kept o ON o.request_key = i.request_key AND o.depth < i.depth
        AND i.t0 >= plus_ms(CASE WHEN o.start_known THEN o.t0 ELSE o.t1 - INTERVAL 10 MINUTE END, -setting('layer_grace_ms'))
        AND (o.t1 IS NULL OR i.t0 <= plus_ms(o.t1, setting('layer_grace_ms')))
        AND agrees(i.idempotency_key, o.idempotency_key)
        AND (NOT (i.succeeded AND o.succeeded)
            OR agrees(i.receipt, o.receipt) AND agrees(i.model_key, o.model_key) AND agrees(i.input_tokens, o.input_tokens) AND agrees(i.output_tokens, o.output_tokens))
)
SELECT row_id, parent_row FROM candidates WHERE place = 1;
