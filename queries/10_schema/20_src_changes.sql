-- src_changes: the rows that reconcile has not seen yet.
--
-- Why:    a night's work must follow the night's rows: these are all that can change a
--         verdict, with every id by which a row finds its call.
-- Reads:  nothing
-- Writes: src_changes
-- Grain:  one row for each change of a row; a row can change several times
-- Units:  row_at is UTC: when the attempt ended (else began), when the charge was made
-- Params: none
-- Rule:   ingest and prune add to it in the transaction of the change; reconcile takes out what it
--         has seen, in the transaction of its verdicts
-- Look at: testdata/queries/src_changes/empty
CREATE TABLE IF NOT EXISTS src_changes (
    role              VARCHAR NOT NULL,   -- attempts | charges
    row_id            BIGINT NOT NULL,
    request_id        VARCHAR,
    charge_id         VARCHAR,
    vendor_request_id VARCHAR,
    idempotency_key   VARCHAR,
    provider          VARCHAR,
    model             VARCHAR,
    row_at            TIMESTAMP,
    change            VARCHAR NOT NULL,   -- added | superseded | restored (no longer superseded) | priced (by a new list) | renamed (lent another request id) | withdrawn (taken out)
    run_no            INTEGER NOT NULL
);
