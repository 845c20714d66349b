-- pub_reports: the reports that were published, as they were.
--
-- Why:    a closed period asked for a year later must give the same bytes, when its rows are
--         long gone.
-- Reads:  nothing
-- Writes: pub_reports
-- Grain:  report_no; the newest of a (period, zone, flags) counts
-- Units:  times UTC
-- Params: none
-- Rule:   issue of a database that lives: raw rows go, the period's totals and findings stay
-- Look at: testdata/queries/pub_reports/empty
CREATE TABLE IF NOT EXISTS pub_reports (
    report_no   INTEGER NOT NULL,   -- counts up
    period      VARCHAR NOT NULL,   -- as it was asked for: 2026-10
    zone        VARCHAR NOT NULL,
    flags       VARCHAR NOT NULL,   -- sha256 of all other settings that change its numbers
    period_from TIMESTAMP NOT NULL,
    period_to   TIMESTAMP NOT NULL, -- excluded
    closed      BOOLEAN NOT NULL,   -- over, and every charge of it settled
    json        VARCHAR NOT NULL,   -- audit.json, byte for byte
    run_no      INTEGER NOT NULL,
    created_at  TIMESTAMP NOT NULL
);
