-- int_lines: the attempt lines that need the careful rules, with what can be said of each alone.
--
-- Why:    whether an attempt can have been executed decides what it can owe.
-- Reads:  src_attempts, int_simple_pairs, int_numberings, int_timeouts, src_providers, src_models
-- Writes: int_lines
-- Grain:  row_id
-- Units:  times UTC, ms; n counts from 1; day is the one on which the attempt began
-- Params: none
-- Rule:   design section 1, "ran"; section 3, step b: an attempt that was refused in the end
--         but lasted as long as a timeout counts as one that ran; so does one that lasted 5 s, since
--         a refusal is quick and an SDK may have tried again after something else
-- Look at: testdata/queries/int_lines/refused_but_long
CREATE OR REPLACE TABLE int_lines AS
WITH careful AS (
    SELECT a.*, day_of(coalesce(a.started_at, a.ended_at)) AS day FROM src_attempts a ANTI JOIN int_simple_pairs s ON s.attempt_row = a.row_id
),
profiled AS (
    SELECT a.*, coalesce(m.canonical, model_key(a.model)) AS model_key, a.attempt + n.shift AS n,
        coalesce(t.floor_ms, t0.floor_ms, td.floor_ms) AS floor_ms, coalesce(t.timeout_ms, t0.timeout_ms, td.timeout_ms) AS timeout_ms,
        coalesce(p.billed_statuses, d.billed_statuses) AS billed_statuses
    FROM careful a
    JOIN int_numberings n ON n.file_no = a.file_no AND n.layer = a.layer AND n.counts_from IS NOT DISTINCT FROM a.counts_from
    JOIN src_providers d ON d.provider = ''
    LEFT JOIN src_providers p ON p.provider = a.provider AND p.provider <> ''
    LEFT JOIN int_timeouts t ON t.provider = a.provider AND t.provider <> '' AND t.day = a.day
    LEFT JOIN int_timeouts t0 ON t0.provider = '' AND t0.day = a.day
    JOIN int_timeouts td ON td.provider = '' AND td.day IS NULL
    LEFT JOIN src_models m ON m.alias = lower(a.model)
),
judged AS (
    SELECT *,
        outcome <> 'success' AND stage = 'connect' AND stage_basis <> 'elapsed' AS never_connected,
        outcome NOT IN ('success', 'recovered', 'timeout', 'cancelled') AND CASE
            WHEN http_status IS NULL THEN outcome IN ('rate_limited', 'client_error')
            ELSE http_status IN (400, 401, 403, 404, 413, 422, 429)
                 AND NOT list_contains(billed_statuses, http_status) END AS refused
    FROM profiled
)
SELECT row_id, coalesce(request_id, '?' || row_id) AS request_key, request_id, attempt, n, layer,
    CASE layer WHEN 'app' THEN 0 WHEN 'sdk' THEN 1 ELSE 2 END AS depth, kind,
    coalesce(started_at, ended_at) AS t0, ended_at AS t1, started_at IS NOT NULL AS start_known, elapsed_ms,
    stage, outcome, http_status, provider, model, model_key, vendor_request_id AS receipt, idempotency_key,
    input_tokens, output_tokens, api_key, coalesce(never_connected, false) AS never_connected, refused,
    refused AND coalesce(elapsed_ms >= least(floor_ms, 5000), false) AS refused_late,
    NOT coalesce(never_connected, false) AND (NOT refused OR coalesce(elapsed_ms >= least(floor_ms, 5000), false)) AS ran,
    outcome = 'success' AS succeeded,
    -- Whether another try may follow: the log's own word, else by the outcome.
    coalesce(retryable, outcome IN ('timeout', 'rate_limited', 'server_error', 'unknown')) AS retryable,
    retryable IS NOT NULL AS retryable_told,
    max_attempts, unlogged, floor_ms, timeout_ms, day, file_no, source_line
FROM judged;
