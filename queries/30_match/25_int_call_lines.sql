-- int_call_lines: which call of its request each outermost attempt line belongs to.
--
-- Why:    ids are reused (a trace id over many calls) and calls run in parallel under one
--         id; verdicts are given call by call.
-- Reads:  int_lines, int_attempt_copies, int_line_parents, int_recoveries, int_billed_prompts
-- Writes: int_call_lines
-- Grain:  row_id, of the outermost line; (request_key, call_no) names the call
-- Units:  UTC
-- Params: none
-- Rule:   design section 3, (3): an attempt joins the latest call of its id that has not
--         succeeded by then, whose last number is lower, and whose known input tokens of the
--         same model do not contradict; otherwise it opens a call. Of several such calls (a
--         fan-out) it joins the one that failed last, if that was within 15 s or came after the latest had
--         opened, one of its own model before another; but one that has sent its idempotency key
--         goes before all others: a key ties the attempts of one call together. Without numbers it joins
--         if the attempt before it had failed by then in a way that is tried again: cancelled and
--         refused for good are final
-- Look at: testdata/queries/int_call_lines/two_calls_interleaved
CREATE OR REPLACE TABLE int_call_lines AS
WITH RECURSIVE tops AS (
    SELECT l.row_id, l.request_key, l.n, l.t0, coalesce(l.t1, l.t0) AS t1, l.t1 IS NOT NULL AS ended,
        CASE WHEN l.succeeded THEN coalesce(l.t1, l.t0) ELSE r.recovered_at END AS succeeded_at,
        l.retryable, l.model_key, l.idempotency_key, coalesce(l.input_tokens, b.input_tokens) AS input_tokens,
        row_number() OVER (PARTITION BY l.request_key ORDER BY l.t0, l.n, l.t1, l.outcome, l.model_key, l.receipt,
            l.input_tokens, l.output_tokens, l.layer, l.row_id) AS place
    FROM int_lines l
    ANTI JOIN int_attempt_copies c ON c.row_id = l.row_id
    ANTI JOIN int_line_parents p ON p.row_id = l.row_id
    LEFT JOIN int_recoveries r ON r.row_id = l.row_id
    LEFT JOIN int_billed_prompts b ON b.row_id = l.row_id
    WHERE l.kind = 'call'
),
-- Most ids are plain: number 1 opens a call and what follows, in rising numbers, joins it.
opened AS (
    SELECT *, count(*) FILTER (WHERE n = 1 OR place = 1) OVER (PARTITION BY request_key ORDER BY place) AS segment
    FROM tops
),
followed AS (
    SELECT *,
        n IS NULL
        OR coalesce(max(n) OVER before >= n, false)
        OR coalesce(min(succeeded_at) OVER before <= t0, false)
        -- its key is that of an earlier call
        OR (idempotency_key IS NOT NULL AND coalesce(n > 1 AND min(segment) OVER one_key < segment, false))
        OR min(input_tokens) OVER same_model <> max(input_tokens) OVER same_model AS irregular
    FROM opened
    WINDOW before AS (PARTITION BY request_key, segment ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
           same_model AS (PARTITION BY request_key, segment, model_key),
           one_key AS (PARTITION BY request_key, idempotency_key)
),
-- Calls that overlap are in doubt as soon as one of them is tried again.
overlapped AS (
    SELECT request_key, n > 1 AS again, (n = 1 OR place = 1) AND coalesce(t0 < max(t1) OVER earlier, false) AS overlapping, irregular
    FROM followed WINDOW earlier AS (PARTITION BY request_key ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
regularity AS (
    SELECT request_key, count(*) > 1 AND (bool_or(coalesce(irregular, false)) OR (bool_or(overlapping) AND bool_or(again))) AS irregular
    FROM overlapped GROUP BY request_key
),
-- The rest is read as it happened, one attempt of each id after the other. open holds the
-- calls that an attempt may still join.
walk AS (
    SELECT t.request_key, t.place, t.row_id, CAST(1 AS BIGINT) AS call_no, false AS doubtful, CAST(1 AS BIGINT) AS calls,
        [struct_pack(call_no := CAST(1 AS BIGINT), opened_at := t.t0, last_n := CAST(t.n AS BIGINT), failed_at := CASE WHEN t.succeeded_at IS NULL AND t.ended AND t.retryable THEN t.t1 END,
            succeeded_at := t.succeeded_at, last_place := t.place, model_key := t.model_key, input := t.input_tokens,
            keys := CASE WHEN t.idempotency_key IS NULL THEN CAST([] AS VARCHAR[]) ELSE [CAST(t.idempotency_key AS VARCHAR)] END)] AS open
    FROM tops t JOIN regularity g USING (request_key)
    WHERE g.irregular AND t.place = 1
    UNION ALL
    SELECT request_key, place, row_id, coalesce(joined, calls + 1),
        -- several calls of its model had failed just before, and nothing tells them apart
        keyed IS NULL AND coalesce(len(list_filter(joinable, lambda c: c.failed_at BETWEEN plus_ms(t0, -2000) AND plus_ms(t0, 100)
            AND c.model_key IS NOT DISTINCT FROM model_key AND (c.input IS NULL OR input_tokens IS NULL OR c.input = input_tokens))) > 1, false), calls + CASE WHEN joined IS NULL THEN 1 ELSE 0 END,
        list_append(
            list_filter(still_open, lambda c: c.call_no IS DISTINCT FROM joined),
            struct_pack(call_no := coalesce(joined, calls + 1),
                opened_at := CASE WHEN joined IS NULL THEN t0 ELSE list_filter(still_open, lambda c: c.call_no = joined)[1].opened_at END,
                last_n := CAST(n AS BIGINT),
                failed_at := CASE WHEN succeeded_at IS NULL AND ended AND retryable THEN t1 END,
                succeeded_at := CASE WHEN joined IS NULL THEN succeeded_at
                    ELSE least(succeeded_at, list_filter(still_open, lambda c: c.call_no = joined)[1].succeeded_at) END,
                last_place := place,
                model_key := CASE WHEN input_tokens IS NOT NULL OR joined IS NULL THEN model_key
                    ELSE list_filter(still_open, lambda c: c.call_no = joined)[1].model_key END,
                input := CASE WHEN input_tokens IS NOT NULL OR joined IS NULL THEN input_tokens
                    ELSE list_filter(still_open, lambda c: c.call_no = joined)[1].input END,
                keys := list_concat(CASE WHEN joined IS NULL THEN CAST([] AS VARCHAR[]) ELSE list_filter(still_open, lambda c: c.call_no = joined)[1].keys END,
                    CASE WHEN idempotency_key IS NULL THEN CAST([] AS VARCHAR[]) ELSE [CAST(idempotency_key AS VARCHAR)] END)))
    FROM (
        SELECT *, coalesce(
            keyed,
            -- a retry follows a failure, of its own model if there is one: the latest, if it was
            -- within 15 s or came after the latest call had opened
            list_max(list_transform(list_filter(joinable, lambda c: c.failed_at <= plus_ms(t0, 100)
                AND (c.failed_at >= plus_ms(t0, -15000) OR c.failed_at >= list_max(list_transform(joinable, lambda d: d.opened_at)))),
                lambda c: struct_pack(same_model := coalesce(c.model_key = model_key, false), failed_at := c.failed_at, call_no := c.call_no))).call_no,
            list_max(list_transform(joinable, lambda c: struct_pack(same_model := coalesce(c.model_key = model_key, false), call_no := c.call_no))).call_no) AS joined
        FROM (
            -- the latest call that has sent its key
            SELECT *, list_max(list_transform(list_filter(joinable, lambda c: coalesce(list_contains(c.keys, idempotency_key), false)), lambda c: c.call_no)) AS keyed
            FROM (
                SELECT *, list_filter(still_open, lambda c:
                    CASE WHEN n = 1 THEN false
                         WHEN n IS NULL OR c.last_n IS NULL
                         THEN coalesce((c.last_place = place - 1 OR list_contains(c.keys, idempotency_key)) AND c.failed_at <= plus_ms(t0, 100), false)
                         ELSE c.last_n < n END
                    AND NOT coalesce(c.model_key = model_key AND c.input <> input_tokens, false)) AS joinable
                FROM (
                    SELECT t.*, w.calls, list_filter(w.open, lambda c: c.succeeded_at IS NULL OR c.succeeded_at > t.t0) AS still_open
                    FROM walk w JOIN tops t ON t.request_key = w.request_key AND t.place = w.place + 1
                )
            )
        )
    )
)
SELECT f.row_id, f.request_key, f.segment AS call_no, f.place, false AS doubtful
FROM followed f JOIN regularity g USING (request_key) WHERE NOT g.irregular
UNION ALL
SELECT row_id, request_key, call_no, place, doubtful FROM walk;
