-- src_retries: the lines that SDKs write about their own retries.
--
-- Why:    they name no request, so they can be joined with nothing; but each is a send that no attempt log shows.
-- Reads:  nothing
-- Writes: src_retries
-- Grain:  row_id
-- Units:  retried_at UTC, when the wait began; wait_ms milliseconds
-- Params: none
-- Rule:   counted by the minute, beside the log; never made into attempts
-- Look at: testdata/queries/src_retries/two_lines_of_a_minute
CREATE TABLE IF NOT EXISTS src_retries (
    row_id        BIGINT NOT NULL,    -- file_no * 2^40 + the record's number in it
    file_no       INTEGER NOT NULL,
    source_line   BIGINT NOT NULL,
    retried_at    TIMESTAMP,
    path          VARCHAR,            -- of the request, where the SDK tells it
    wait_ms       BIGINT,
    reject_column VARCHAR,            -- set while landing only
    reject_reason VARCHAR
);
