-- src_nameless: the failed tries that lack the caller's own id.
--
-- Why:    they take the request id of their trace from the rows that have it; what they say by themselves must stay
--         known, since that is the same in every export.
-- Reads:  nothing
-- Writes: src_nameless
-- Grain:  row_id, of src_attempts or src_charges
-- Units:  none
-- Params: none
-- Rule:   request_id is what the row has now, there as here: the trace, or the name that was lent to it
-- Look at: testdata/queries/src_nameless/empty
CREATE TABLE IF NOT EXISTS src_nameless (
    row_id     BIGINT NOT NULL,
    format     VARCHAR NOT NULL,
    trace_id   VARCHAR NOT NULL,   -- the request id that the row has by itself
    request_id VARCHAR NOT NULL
);
