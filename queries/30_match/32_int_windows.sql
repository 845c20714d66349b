-- int_windows: when a charge of each execution can be stamped, book by book.
--
-- Why:    time decides only within what the calibration allows.
-- Reads:  int_executions, int_calibrations, int_call_inputs
-- Writes: int_windows
-- Grain:  (exec_id, book_provider, book), of every book that has lines about that time
-- Units:  stamps by the bill's clock, UTC
-- Params: none
-- Rule:   design section 3, calibration: start - skew to end + skew around the measured
--         stamp; where stamps lie at the end and the attempt timed out, was cancelled, has no
--         end or failed otherwise (a gateway's 502 while the model computes: first article, 2.3),
--         + tail. Where time does not order charges, every window is open
-- Look at: testdata/queries/int_windows/timed_out_with_stamps_at_the_end
CREATE OR REPLACE TABLE int_windows AS
SELECT e.exec_id, e.ord, e.day, e.request_key, e.request_id, e.call_no, k.book_provider, k.book, e.model_key, e.n, e.lost,
    coalesce(e.input_tokens, i.input_tokens) AS input_tokens, e.output_tokens, e.succeeded, e.ran, e.refused, e.refused_late,
    e.never_connected, e.cached, e.failed, e.t0, e.t1, e.top_row, e.receipt, e.idempotency_key, e.elapsed_ms, e.floor_ms,
    k.stamp, k.measurable, k.offset_ms, k.resolution_ms, k.noise_ms, k.pace_ms, k.tail_ms, k.skew_ms, k.orders,
    CASE WHEN NOT k.orders THEN TIMESTAMP '0001-01-01'
         WHEN e.lost THEN plus_ms(e.t0, k.offset_ms - k.noise_ms)
         WHEN NOT e.start_known THEN plus_ms(e.t0, k.offset_ms - k.tail_ms)
         ELSE plus_ms(e.t0, k.offset_ms - k.skew_ms) END AS opens,
    CASE WHEN NOT k.orders THEN TIMESTAMP '9999-01-01'
         WHEN e.lost THEN plus_ms(e.t1, k.offset_ms)
         WHEN e.t1 IS NULL THEN plus_ms(e.t0, k.offset_ms + k.skew_ms + k.tail_ms)
         WHEN k.stamp = 'end' AND (NOT e.ended OR e.outcome IN ('timeout', 'cancelled') OR (e.failed AND e.ran)) THEN plus_ms(e.t1, k.offset_ms + k.skew_ms + k.tail_ms)
         ELSE plus_ms(e.t1, k.offset_ms + k.skew_ms) END AS closes,
    -- when this execution, and none hidden before or after it, should be stamped
    CASE WHEN k.stamp = 'end' THEN plus_ms(coalesce(e.t1, e.t0), k.offset_ms) ELSE plus_ms(e.t0, k.offset_ms) END AS expected
FROM int_executions e
JOIN int_calibrations k ON k.day = e.day AND agrees(e.provider, nullif(k.book_provider, ''))
LEFT JOIN int_call_inputs i ON i.request_key = e.request_key AND i.call_no = e.call_no AND i.model_key = coalesce(e.model_key, '');
