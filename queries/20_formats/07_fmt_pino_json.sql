-- fmt_attempts: pino's JSON.
--
-- Why:    a duration whose name tells no unit is worth nothing until one knows who wrote it.
-- Reads:  raw_records
-- Writes: fmt_attempts
-- Grain:  record_no
-- Units:  time is whole Unix milliseconds, or RFC 3339 where it is set so; responseTime milliseconds
-- Params: none
-- Rule:   pino's defaults; err is {type, message, stack}. Only taken where such a duration is there: other lines of this
--         logger are read by the names of their keys
-- Look at: testdata/formats/pino-json
-- Format: pino-json
-- Syntax: json
-- Role:   attempts
-- Signature: time, level~^[1-6]0$, msg or err.type or responseTime, responseTime or err.type or res.statusCode
-- Columns: aliases, response_ms = responseTime, err_type = err.type, response_status = res.statusCode
INSERT INTO fmt_attempts BY NAME
SELECT * EXCLUDE (bare_elapsed, response_ms, err_type, response_status) REPLACE (coalesce(elapsed_ms, response_ms) AS elapsed_ms, coalesce(reason, err_type) AS reason, coalesce(http_status, response_status) AS http_status) FROM raw_records;
