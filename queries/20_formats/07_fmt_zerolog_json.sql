-- fmt_attempts: zerolog's JSON, with a duration as a bare number.
--
-- Why:    a duration whose name tells no unit is worth nothing until one knows who wrote it.
-- Reads:  raw_records
-- Writes: fmt_attempts
-- Grain:  record_no
-- Units:  a time.Duration is milliseconds, with a fraction or without
-- Params: none
-- Rule:   run and observed with zerolog 1.35.1. Only taken where such a duration is there: other lines of this
--         logger are read by the names of their keys
-- Look at: testdata/formats/zerolog-json
-- Format: zerolog-json
-- Syntax: json
-- Role:   attempts
-- Signature: time, level~^(trace|debug|info|warn|error|fatal|panic)$, message, elapsed~^[0-9.]+$ or duration~^[0-9.]+$ or latency~^[0-9.]+$ or dur~^[0-9.]+$
-- Unlike: msg, event
-- Columns: aliases
INSERT INTO fmt_attempts BY NAME
SELECT * EXCLUDE (bare_elapsed) REPLACE (coalesce(elapsed_ms, bare_elapsed) AS elapsed_ms) FROM raw_records;
