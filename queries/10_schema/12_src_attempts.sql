-- src_attempts: the attempt log, typed, one row a line that could be read.
--
-- Why:    the canonical table of design section 2; everything about attempts starts here.
-- Reads:  nothing
-- Writes: src_attempts
-- Grain:  row_id
-- Units:  times UTC, elapsed_ms and retry_after_ms in milliseconds, tokens counted
-- Params: none
-- Rule:   design section 2
-- Look at: testdata/queries/src_attempts/read_timeout_by_name
CREATE TABLE IF NOT EXISTS src_attempts (
    row_id              BIGINT NOT NULL,    -- file_no * 2^40 + the record's number in it
    file_no             INTEGER NOT NULL,
    source_line         BIGINT NOT NULL,
    request_id          VARCHAR,
    attempt             INTEGER,            -- as the log counts, from 0 or from 1
    max_attempts        INTEGER,
    layer               VARCHAR NOT NULL,   -- app | sdk | gateway
    kind                VARCHAR NOT NULL,   -- call | query
    started_at          TIMESTAMP,          -- NULL where neither start nor duration is known
    ended_at            TIMESTAMP,          -- NULL where the end was never written
    elapsed_ms          BIGINT,
    stage               VARCHAR,
    stage_basis         VARCHAR,            -- given | reason | elapsed | outcome
    outcome             VARCHAR NOT NULL,
    retryable           BOOLEAN,            -- what the log itself says of it, if it does
    reason              VARCHAR,
    http_status         INTEGER,
    retry_after_ms      BIGINT,
    provider            VARCHAR,
    model               VARCHAR,
    vendor_request_id   VARCHAR,
    idempotency_key     VARCHAR,
    input_tokens        BIGINT,
    cached_input_tokens BIGINT,
    output_tokens       BIGINT,
    streamed            BOOLEAN,
    api_key             VARCHAR,
    counts_from         INTEGER,            -- 0 or 1, where the format says from what the numbers count
    unlogged            VARCHAR,            -- where the source writes no line for a refused attempt: no (none so far), its status, unknown
    clock_at            TIME,               -- of a line whose time has no date; dated after landing
    clock_doubt         VARCHAR,            -- of a time without an offset: skipped | repeated by a change of the clocks
    reject_column       VARCHAR,            -- set while landing only; such rows move to src_rejects
    reject_reason       VARCHAR
);
