-- src_runs: what was done to the database, and when.
--
-- Why:    who looks at a number must find the run that made it, and its inputs (src_files).
-- Reads:  nothing
-- Writes: src_runs
-- Grain:  run_no
-- Units:  times UTC, by the clock of the run
-- Params: none
-- Rule:   our choice: run_no is the order of the runs, since clocks jump; a run is written in
--         the transaction of what it did, so one that was killed is not there
-- Look at: testdata/queries/src_runs/empty
CREATE TABLE IF NOT EXISTS src_runs (
    run_no      INTEGER NOT NULL,
    command     VARCHAR NOT NULL,   -- audit | ingest | reconcile | report | prune | migrate
    version     VARCHAR NOT NULL,   -- of retrytax
    started_at  TIMESTAMP NOT NULL,
    ended_at    TIMESTAMP,
    state       VARCHAR NOT NULL,   -- done | failed
    notes       VARCHAR             -- a sentence on each line
);
