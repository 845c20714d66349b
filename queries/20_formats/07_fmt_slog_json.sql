-- fmt_attempts: Go's slog as JSON, with a duration as a bare number.
--
-- Why:    a duration whose name tells no unit is worth nothing until one knows who wrote it.
-- Reads:  raw_records
-- Writes: fmt_attempts
-- Grain:  record_no
-- Units:  a time.Duration is whole nanoseconds; fewer than seven digits are under 10 ms, or another unit: not read
-- Params: none
-- Rule:   run and observed with Go 1.26. Only taken where such a duration is there: other lines of this
--         logger are read by the names of their keys
-- Look at: testdata/formats/slog-json
-- Format: slog-json
-- Syntax: json
-- Role:   attempts
-- Signature: time~^[0-9][0-9][0-9][0-9]-, level~^(DEBUG|INFO|WARN|ERROR)([+-][0-9]+)?$, msg, elapsed~^[0-9.]+$ or duration~^[0-9.]+$ or latency~^[0-9.]+$ or dur~^[0-9.]+$
-- Columns: aliases
INSERT INTO fmt_attempts BY NAME
SELECT * EXCLUDE (bare_elapsed) REPLACE (CASE WHEN elapsed_ms IS NULL AND elapsed_s IS NULL THEN CASE WHEN regexp_full_match(bare_elapsed, '[0-9]{7,18}') THEN CAST(CAST(bare_elapsed AS BIGINT) // 1000000 AS VARCHAR) END ELSE elapsed_ms END AS elapsed_ms) FROM raw_records;
