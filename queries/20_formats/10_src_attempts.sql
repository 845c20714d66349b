-- src_attempts: gives the text rows of one attempt log their types and meaning.
--
-- Why:    stage, outcome and status are derived here, once, where a format leaves them out.
-- Reads:  raw_attempts, src_providers
-- Writes: src_attempts
-- Grain:  row_id
-- Units:  times UTC, durations in ms
-- Params: file_no; source_zone, clock_change_days; source_provider, source_api_key: of a line without one;
--         connect_timeout_ms and read_timeouts_ms: thresholds of the application; now
-- Rule:   design section 2; the second article: the exception's name tells the phase, and
--         so does elapsed time that sticks to a threshold
-- Look at: testdata/queries/src_attempts/read_timeout_by_name
INSERT INTO src_attempts
WITH raw AS (
    SELECT * REPLACE (
        lower(layer) AS layer, lower(kind) AS kind, lower(stage) AS stage, lower(outcome) AS outcome,
        lower(status) AS status, lower(coalesce(provider, getvariable('source_provider'))) AS provider,
        coalesce(api_key, getvariable('source_api_key')) AS api_key),
        coalesce(as_duration_ms(elapsed_ms, 1), as_duration_ms(elapsed_s, 1000)) AS told_ms
    FROM raw_attempts
),
-- Text to values. "status" is a number or a word; 0 is how some clients log that none came.
typed AS (
    SELECT source_line, record_no, request_id, as_count(attempt) AS attempt, attempt AS attempt_text,
        as_count(max_attempts) AS max_attempts, max_attempts AS max_attempts_text,
        coalesce(layer, 'app') AS layer, coalesce(kind, 'call') AS kind,
        as_time(started_at, getvariable('source_zone')) AS started, started_at AS started_text,
        as_time(coalesce(ended_at, ts), getvariable('source_zone')) AS ended,
        coalesce(ended_at, ts) AS ended_text,
        coalesce(clock_doubt(coalesce(ended_at, ts), getvariable('source_zone')), clock_doubt(started_at, getvariable('source_zone'))) AS doubt,
        CASE WHEN regexp_full_match(coalesce(ended_at, ts), '[0-9]{2}:[0-9]{2}:[0-9]{2}([.,][0-9]{1,9})?')
             THEN TRY_CAST(replace(coalesce(ended_at, ts), ',', '.') AS TIME) END AS clock_at,
        -- What is too long is rejected below; until then it must not leave the calendar.
        CASE WHEN told_ms > 10000000000 THEN 10000000000 ELSE told_ms END AS elapsed,
        coalesce(elapsed_ms, elapsed_s) AS elapsed_text,
        stage, coalesce(outcome, CASE WHEN as_count(status) IS NULL THEN status END) AS word,
        reason, lower(reason) AS name,
        nullif(coalesce(as_count(http_status), as_count(status)), 0) AS http, http_status AS http_text,
        as_duration_ms(retry_after_ms, 1) AS retry_after, retry_after_ms AS retry_after_text,
        coalesce(p.canonical, raw.provider) AS provider, coalesce(p.cached_outside, false) AS cached_outside,
        model, vendor_request_id, raw.idempotency_key,
        as_count(input_tokens) AS input_n, input_tokens AS input_text,
        as_count(cached_input_tokens) AS cached_n, cached_input_tokens AS cached_text,
        as_count(output_tokens) AS output_n, output_tokens AS output_text,
        as_flag(streamed) AS streamed, streamed AS streamed_text, api_key,
        retryable AS retryable_text, as_count(counts_from) AS counts_from, counts_from AS counts_text, unlogged
    FROM raw LEFT JOIN src_providers p ON p.provider = raw.provider
),
-- A line is written when the attempt ends; its start lies the elapsed time before that.
timed AS (
    SELECT *, CASE WHEN ended IS NULL AND clock_at IS NULL THEN plus_ms(started, elapsed) ELSE ended END AS ended_at,
        coalesce(started, plus_ms(ended, -elapsed)) AS started_at,
        coalesce(elapsed, CASE WHEN ended >= started THEN ms_between(started, ended) END) AS elapsed_ms
    FROM typed
),
-- What the exception's name says of the phase and of the cause.
named AS (
    SELECT *,
        CASE WHEN name IS NULL THEN NULL
             -- whole sentences first: the host that they name may have any word in it
             WHEN regexp_matches(name, 'read timed out|read operation timed out|\(read timeout=') THEN 'read'
             WHEN regexp_matches(name, 'connect ?-?_?time|connection ?-?_?timed ?out|pool ?timeout') THEN 'connect'
             WHEN regexp_matches(name, 'connect ?error|connection ?refused|econnrefused|newconnection|name ?resolution|gaierror|enotfound|ehostunreach|no route|ssl|tls|dns') THEN 'connect'
             WHEN regexp_matches(name, 'write ?time') THEN 'write'
             WHEN regexp_matches(name, 'read ?time|read ?error|read timed ?out|remote ?protocol|incomplete ?read|chunked') THEN 'read'
        END AS named_stage,
        CASE WHEN name IS NULL THEN NULL
             WHEN regexp_matches(name, 'time-?_?d? ?out|deadline|etimedout') THEN 'timeout'
             WHEN regexp_matches(name, 'rate ?_?-?limit|too ?many ?requests|throttl|quota') THEN 'rate_limited'
             WHEN regexp_matches(name, 'cancel|abort|client ?disconnect|client ?closed') THEN 'cancelled'
             WHEN regexp_matches(name, 'auth|permission|forbidden|bad ?_?request|invalid|not ?_?found|unprocessable|validation|context ?_?length|content ?_?policy|client ?error') THEN 'client_error'
             WHEN regexp_matches(name, 'server ?_?-?error|internal|unavailable|overload|bad ?_?gateway|api ?_?error|5xx|connection|connect ?error|protocol|read ?error|broken ?pipe|econn|incomplete|chunked|eof|resolution|gaierror|enotfound|ssl|tls|dns') THEN 'server_error'
        END AS named_outcome
    FROM timed
),
judged AS (
    SELECT *,
        CASE -- what the log says outright; a gateway's 408, 499 or 504 is a timeout all the same
             WHEN word IN ('server_error', 'client_error') AND http IN (408, 499, 504) THEN 'timeout'
             WHEN word IN ('success', 'timeout', 'cancelled', 'rate_limited', 'server_error', 'client_error', 'recovered', 'unknown') THEN word
             WHEN word IN ('ok', 'succeeded', 'successful', 'done', 'completed', 'complete') THEN 'success'
             WHEN word IN ('timed_out', 'timedout') THEN 'timeout'
             WHEN word IN ('canceled', 'aborted') THEN 'cancelled'
             WHEN word IN ('rate_limit', 'ratelimited', 'throttled') THEN 'rate_limited'
             WHEN named_outcome IS NOT NULL THEN named_outcome
             WHEN http IN (408, 499, 504) THEN 'timeout'
             WHEN http = 429 THEN 'rate_limited'
             WHEN http BETWEEN 400 AND 498 THEN 'client_error'
             WHEN http >= 500 THEN 'server_error'
             WHEN http BETWEEN 200 AND 299 AND word IS NULL THEN 'success'
             -- no cause is told: a duration that sticks to a threshold tells it
             WHEN near_timeout(elapsed_ms) THEN 'timeout'
             WHEN word IN ('failed', 'failure', 'error', 'retryable', 'fatal') THEN 'server_error'
             ELSE 'unknown' END AS outcome,
        coalesce(as_flag(retryable_text), CASE WHEN word = 'retryable' THEN true WHEN word = 'fatal' THEN false END) AS retryable
    FROM named
),
staged AS (
    SELECT *,
        CASE WHEN stage IN ('connect', 'write', 'first_byte', 'read', 'stream', 'done') THEN stage
             WHEN named_stage IS NOT NULL THEN named_stage
             WHEN outcome = 'success' THEN 'done'
             WHEN outcome = 'timeout' AND http IS NULL AND sticks_to(elapsed_ms, setting('connect_timeout_ms')) THEN 'connect'
             WHEN http IS NOT NULL AND outcome <> 'timeout' THEN 'first_byte'
             WHEN outcome = 'timeout' AND near_timeout(elapsed_ms) THEN 'read'
        END AS final_stage,
        CASE WHEN stage IS NOT NULL THEN 'given' WHEN named_stage IS NOT NULL THEN 'reason'
             WHEN outcome = 'timeout' AND http IS NULL THEN 'elapsed' ELSE 'outcome' END AS stage_basis
    FROM judged
),
-- The first thing that is wrong with the row, in the order of its columns.
checked AS (
    SELECT *, CASE
        WHEN attempt_text IS NOT NULL AND (attempt IS NULL OR attempt > 1000000) THEN ['attempt', not_a_count(attempt_text)]
        WHEN max_attempts_text IS NOT NULL AND (max_attempts IS NULL OR max_attempts > 1000000) THEN ['max_attempts', not_a_count(max_attempts_text)]
        WHEN layer NOT IN ('app', 'sdk', 'gateway') THEN ['layer', not_one_of(layer, 'app, sdk, gateway')]
        WHEN kind NOT IN ('call', 'query') THEN ['kind', not_one_of(kind, 'call, query')]
        WHEN started_text IS NOT NULL AND started IS NULL THEN ['started_at', not_a_time(started_text)]
        WHEN ended_text IS NOT NULL AND ended IS NULL AND clock_at IS NULL THEN ['ts', not_a_time(ended_text)]
        WHEN ended_text IS NULL AND started_text IS NULL THEN ['ts', 'found no time, expected ts, ended_at or started_at']
        WHEN NOT in_time(coalesce(ended_at, started_at)) OR NOT in_time(started_at) THEN ['ts', out_of_time(coalesce(ended_text, started_text))]
        WHEN elapsed_text IS NOT NULL AND elapsed IS NULL THEN ['elapsed_ms', not_a_duration(elapsed_text)]
        WHEN elapsed_ms > 2678400000 THEN ['elapsed_ms', 'found ' || elapsed_text || ', expected a duration of at most 31 days']
        WHEN ended < started THEN ['ended_at', 'found ' || ended_text || ', expected a time not before the start (' || started_text || ')']
        WHEN stage IS NOT NULL AND final_stage IS DISTINCT FROM stage THEN ['stage', not_one_of(stage, 'connect, write, first_byte, read, stream, done')]
        WHEN word IS NULL AND http IS NULL AND reason IS NULL THEN ['outcome', 'found none of outcome, status and reason, expected one of them']
        WHEN http_text IS NOT NULL AND as_count(http_text) IS NULL THEN ['http_status', not_a_count(http_text)]
        WHEN http > 999 THEN ['http_status', 'found ' || http || ', expected a status of three digits']
        WHEN retry_after_text IS NOT NULL AND retry_after IS NULL THEN ['retry_after_ms', not_a_duration(retry_after_text)]
        WHEN input_text IS NOT NULL AND input_n IS NULL THEN ['input_tokens', not_a_count(input_text)]
        WHEN cached_text IS NOT NULL AND cached_n IS NULL THEN ['cached_input_tokens', not_a_count(cached_text)]
        WHEN output_text IS NOT NULL AND output_n IS NULL THEN ['output_tokens', not_a_count(output_text)]
        WHEN streamed_text IS NOT NULL AND streamed IS NULL THEN ['streamed', not_one_of(streamed_text, 'true, false')]
        WHEN retryable_text IS NOT NULL AND as_flag(retryable_text) IS NULL THEN ['retryable', not_one_of(retryable_text, 'true, false')]
        WHEN counts_text IS NOT NULL AND coalesce(counts_from > 1, true) THEN ['counts_from', not_one_of(counts_text, '0, 1')]
        WHEN unlogged IS NOT NULL AND NOT regexp_full_match(unlogged, 'no|unknown|[0-9][0-9][0-9]') THEN ['unlogged', not_one_of(unlogged, 'no, unknown, a status of three digits')]
        END AS reject
    FROM staged
)
SELECT setting('file_no') * 1099511627776 + record_no, setting('file_no'), source_line, request_id,
    CASE WHEN attempt <= 1000000 THEN attempt END, CASE WHEN max_attempts <= 1000000 THEN max_attempts END,
    layer, kind, started_at, ended_at, elapsed_ms, final_stage,
    CASE WHEN final_stage IS NOT NULL THEN stage_basis END, outcome, retryable, reason,
    CASE WHEN http <= 999 THEN http END, retry_after, provider, model, vendor_request_id, idempotency_key,
    whole_input(cached_outside, input_n, cached_n), cached_n, output_n, streamed, api_key,
    CASE WHEN counts_from <= 1 THEN counts_from END, unlogged, clock_at, doubt, reject[1], reject[2]
FROM checked;
