-- int_hidden_matches: tier 3c, executions that the log does not show: retries hidden in an attempt.
--
-- Why:    SDKs retry in silence; the bill shows it.
-- Reads:  int_windows, int_lent_prompts, int_charges, int_receipt_matches, int_number_matches,
--         int_success_matches, int_window_matches
-- Writes: int_hidden_matches
-- Grain:  charge_no; one attempt may have hidden several
-- Units:  ms
-- Params: none
-- Rule:   design section 3, step c: with the call's model and input, stamped in the window of
--         an attempt that can have hidden it: one that failed, or one that answered later
--         than its own execution explains. What is later than its own is told by the bill's
--         generation time, by the stamp of its own start, or (stamps at the end) by a
--         duration in which a timeout has room and which the answer's length does not explain, or by a
--         charge before it that the bill says failed
-- Empty:  NOT EXISTS (SELECT 1 FROM int_charges c ANTI JOIN (SELECT charge_no FROM int_receipt_matches UNION ALL SELECT charge_no
--         FROM int_number_matches UNION ALL SELECT charge_no FROM int_success_matches UNION ALL SELECT charge_no FROM
--         int_window_matches) t ON t.charge_no = c.charge_no WHERE c.executable AND c.request_id IS NOT NULL)
-- Look at: testdata/queries/int_hidden_matches/sdk_retry_inside_a_success
CREATE OR REPLACE TABLE int_hidden_matches AS
WITH taken_before AS (
    SELECT charge_no, exec_id, book_provider, book FROM int_receipt_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_number_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_success_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_window_matches
),
-- What is left is a fraction, so it is found before charges and attempts meet.
free_charges AS MATERIALIZED (
    SELECT c.charge_no, c.charged_at, c.request_id, c.book_provider, c.book, c.model_key, c.input_tokens, c.idempotency_key, c.finish_reason
    FROM int_charges c ANTI JOIN taken_before t ON t.charge_no = c.charge_no
    WHERE c.executable AND c.request_id IS NOT NULL
),
own AS (
    SELECT t.exec_id, t.book_provider, t.book, c.charged_at AS own_at, c.generation_ms AS own_ms, c.output_tokens AS own_output
    FROM taken_before t JOIN int_charges c USING (charge_no)
),
pairs AS (
    SELECT c.charge_no, c.charged_at, w.exec_id, w.ord, w.book_provider, w.book, w.t0,
        c.charged_at >= w.opens AND (w.t1 IS NULL OR c.charged_at <= plus_ms(w.closes, w.noise_ms - w.skew_ms)) AS well_inside
    FROM free_charges c
    JOIN int_windows w ON w.request_id = c.request_id AND w.book_provider = c.book_provider AND w.book = c.book
    JOIN int_lent_prompts p ON p.exec_id = w.exec_id AND p.book_provider = w.book_provider AND p.book = w.book
    LEFT JOIN own o ON o.exec_id = w.exec_id AND o.book_provider = w.book_provider AND o.book = w.book
    WHERE NOT w.lost AND NOT w.cached AND w.ran
      AND agrees(w.idempotency_key, c.idempotency_key) AND agrees(w.model_key, c.model_key) AND agrees(p.input_tokens, c.input_tokens)
      AND plus_ms(c.charged_at, w.resolution_ms) >= w.opens
      -- what the SDK gave up inside a success may run on as well
      AND c.charged_at <= plus_ms(w.closes, CASE WHEN w.stamp = 'end' AND w.orders AND w.succeeded AND w.elapsed_ms >= w.floor_ms THEN w.tail_ms ELSE 0 END)
      -- stamps at the start: retries within an attempt follow one another
      AND (o.own_at IS NULL OR NOT w.orders OR w.stamp <> 'start' OR w.resolution_ms > 0 OR abs(ms_between(o.own_at, c.charged_at)) > 400)
      -- a success without room for a timeout hides nothing whose prompt is unknown
      AND NOT coalesce(NOT w.failed AND w.elapsed_ms < w.floor_ms AND (p.input_tokens IS NULL OR c.input_tokens IS NULL), false)
      -- stamps at the end: beside a parallel call of the same prompt, a lost sibling is as likely
      AND NOT (w.succeeded AND w.stamp = 'end' AND o.own_ms IS NULL AND EXISTS (FROM int_windows v
          WHERE v.request_id = w.request_id AND v.book_provider = w.book_provider AND v.book = w.book AND v.call_no <> w.call_no
            AND v.t0 < w.t1 AND v.t1 > w.t0 AND agrees(v.model_key, w.model_key) AND agrees(v.input_tokens, w.input_tokens)))
      AND (w.failed OR o.own_at IS NULL OR CASE
          WHEN o.own_ms IS NOT NULL THEN w.elapsed_ms > o.own_ms + greatest(500, w.noise_ms)
          WHEN w.stamp = 'start' AND w.orders AND w.resolution_ms <= 1000 THEN ms_between(w.expected, o.own_at) > greatest(400, w.noise_ms) AND c.charged_at < o.own_at
          ELSE w.elapsed_ms >= w.floor_ms AND coalesce(w.elapsed_ms > w.pace_ms * (o.own_output + 30), true) END
        -- what the bill says failed, no later than what answered, needs no room for a timeout
        OR o.own_ms IS NULL AND (w.stamp = 'end' OR w.resolution_ms > 0) AND w.orders AND broke_off(c.finish_reason) AND c.charged_at <= o.own_at)
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY charge_no ORDER BY well_inside DESC, t0 DESC, ord) AS place FROM pairs
)
SELECT charge_no, exec_id, book_provider, book FROM ranked WHERE place = 1;
