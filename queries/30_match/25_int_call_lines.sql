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
--         refused for good are final; a number that the call has had opens another
-- Look at: testdata/queries/int_call_lines/two_calls_interleaved, same_number_after_one_without
CREATE OR REPLACE TABLE int_call_lines AS
WITH RECURSIVE lines AS (
    SELECT l.row_id, l.request_key, l.n, l.t0, l.t1 AS ended_at, l.succeeded, r.recovered_at, l.outcome, l.receipt, l.output_tokens, l.layer,
        l.retryable, l.model_key, l.idempotency_key, l.input_tokens AS logged_input, b.input_tokens AS billed_input
    FROM int_lines l
    ANTI JOIN int_attempt_copies c ON c.row_id = l.row_id
    ANTI JOIN int_line_parents p ON p.row_id = l.row_id
    LEFT JOIN int_recoveries r ON r.row_id = l.row_id
    LEFT JOIN int_billed_prompts b ON b.row_id = l.row_id
    WHERE l.kind = 'call'
),
-- Lines of one request are ordered by their start; the other columns are compared only where two have one.
ties AS (
    SELECT row_id, row_number() OVER (PARTITION BY request_key, t0 ORDER BY n, ended_at, outcome, model_key, receipt,
        logged_input, output_tokens, layer, row_id) AS tie
    FROM lines WHERE hash(request_key, t0) IN (SELECT hash(request_key, t0) AS id FROM lines GROUP BY id HAVING count(*) > 1)
),
-- Most ids are plain: number 1 opens a call and what follows, in rising numbers, joins it. All that
-- needs the order of a request's lines is read here, in one sorting.
tops AS (
    SELECT l.row_id, l.request_key, l.n, l.t0, coalesce(l.ended_at, l.t0) AS t1, l.ended_at IS NOT NULL AS ended,
        CASE WHEN l.succeeded THEN coalesce(l.ended_at, l.t0) ELSE l.recovered_at END AS succeeded_at,
        l.retryable, l.model_key, l.idempotency_key, coalesce(l.logged_input, l.billed_input) AS input_tokens,
        row_number() OVER in_time AS place,
        count(*) FILTER (WHERE l.n = 1) OVER so_far + CASE WHEN first_value(l.n) OVER so_far = 1 THEN 0 ELSE 1 END AS segment,
        lag(l.n) OVER in_time AS n_before, lead(l.n) OVER in_time AS n_after, lead(l.t0) OVER in_time AS t0_after,
        count(*) OVER later > 0 AS more, max(coalesce(l.ended_at, l.t0)) OVER before AS busy_until
    FROM lines l LEFT JOIN ties USING (row_id)
    WINDOW in_time AS (PARTITION BY l.request_key ORDER BY l.t0, tie),
           so_far AS (PARTITION BY l.request_key ORDER BY l.t0, tie ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
           before AS (PARTITION BY l.request_key ORDER BY l.t0, tie ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
           later AS (PARTITION BY l.request_key ORDER BY l.t0, tie ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING)
),
irregular AS (
    -- a number is missing, or does not rise within its call
    SELECT request_key FROM tops WHERE n IS NULL AND (more OR place > 1) OR n <> 1 AND place > 1 AND n_before >= n
    UNION ALL
    -- an attempt after a success
    SELECT t.request_key FROM tops t JOIN (FROM tops WHERE succeeded_at IS NOT NULL AND t0_after IS NOT NULL AND n_after IS DISTINCT FROM 1) s
        ON s.request_key = t.request_key AND s.segment = t.segment AND s.place < t.place AND s.succeeded_at <= t.t0
    UNION ALL
    -- its key is that of an earlier call
    SELECT request_key FROM tops WHERE idempotency_key IS NOT NULL
    GROUP BY request_key, idempotency_key HAVING max(segment) FILTER (WHERE n > 1) > min(segment)
    UNION ALL
    -- one model was sent different inputs
    SELECT request_key FROM tops WHERE input_tokens IS NOT NULL AND (more OR place > 1)
    GROUP BY request_key, segment, model_key HAVING min(input_tokens) <> max(input_tokens)
    UNION ALL
    -- calls that overlap are in doubt as soon as one of them is tried again
    SELECT request_key FROM tops SEMI JOIN (FROM tops WHERE n > 1) again USING (request_key)
    WHERE (n = 1 OR place = 1) AND t0 < busy_until
),
wild AS (
    SELECT * FROM tops WHERE request_key IN (SELECT request_key FROM irregular)
),
-- The rest is read as it happened, one attempt of each id after the other. open holds the
-- calls that an attempt may still join.
walk AS (
    SELECT t.request_key, t.place, t.row_id, CAST(1 AS BIGINT) AS call_no, false AS doubtful, CAST(1 AS BIGINT) AS calls,
        [struct_pack(call_no := CAST(1 AS BIGINT), opened_at := t.t0, last_n := CAST(t.n AS BIGINT), top_n := CAST(t.n AS BIGINT), failed_at := CASE WHEN t.succeeded_at IS NULL AND t.ended AND t.retryable THEN t.t1 END,
            succeeded_at := t.succeeded_at, last_place := t.place, model_key := t.model_key, input := t.input_tokens,
            keys := CASE WHEN t.idempotency_key IS NULL THEN CAST([] AS VARCHAR[]) ELSE [CAST(t.idempotency_key AS VARCHAR)] END)] AS open
    FROM wild t WHERE t.place = 1
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
                top_n := greatest(CAST(n AS BIGINT), list_filter(still_open, lambda c: c.call_no = joined)[1].top_n),
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
                             AND coalesce(c.top_n < n, true)
                         ELSE c.last_n < n END
                    AND NOT coalesce(c.model_key = model_key AND c.input <> input_tokens, false)) AS joinable
                FROM (
                    SELECT t.*, w.calls, list_filter(w.open, lambda c: c.succeeded_at IS NULL OR c.succeeded_at > t.t0) AS still_open
                    FROM walk w JOIN wild t ON t.request_key = w.request_key AND t.place = w.place + 1
                )
            )
        )
    )
)
SELECT row_id, request_key, segment AS call_no, place, false AS doubtful
FROM tops WHERE request_key NOT IN (SELECT request_key FROM irregular)
UNION ALL
SELECT row_id, request_key, call_no, place, doubtful FROM walk;
