-- fmt_attempts: zap's production JSON, with a duration as a bare number.
--
-- Why:    a duration whose name tells no unit is worth nothing until one knows who wrote it.
-- Reads:  raw_records
-- Writes: fmt_attempts
-- Grain:  record_no
-- Units:  a time.Duration is seconds with a fraction; where no value of the file has a fraction, the unit is open and none is read
-- Params: none
-- Rule:   run and observed with zap 1.28.0. Only taken where such a duration is there: other lines of this
--         logger are read by the names of their keys
-- Look at: testdata/formats/zap-json
-- Format: zap-json
-- Syntax: json
-- Role:   attempts
-- Signature: ts~^[0-9]+([.][0-9]+)?$, level~^(debug|info|warn|error|dpanic|panic|fatal)$, msg, elapsed~^[0-9.]+$ or duration~^[0-9.]+$ or latency~^[0-9.]+$ or dur~^[0-9.]+$
-- Columns: aliases
INSERT INTO fmt_attempts BY NAME
SELECT * EXCLUDE (bare_elapsed) REPLACE (coalesce(elapsed_s, CASE WHEN (SELECT bool_or(contains(bare_elapsed, '.')) FROM raw_records) THEN bare_elapsed END) AS elapsed_s) FROM raw_records;
