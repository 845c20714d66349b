-- fmt_attempts: Envoy's access log in its default text format, one line a client's request.
--
-- Why:    what Envoy writes where nobody has configured anything.
-- Reads:  raw_records
-- Writes: fmt_attempts
-- Grain:  record_no
-- Units:  duration is milliseconds; start_time is UTC
-- Params: none
-- Rule:   as Envoy's JSON; the default format has neither the tries nor the vendor's id
-- Look at: testdata/formats/envoy-text
-- Format: envoy-text
-- Syntax: lines
-- Role:   attempts
-- Pattern: ^\[(?P<start_time>\d{4}-\d\d-\d\dT[^\]]+)\] "(?:\S+) (?P<path>\S+) [^"]*" (?P<code>\d{1,3}) (?P<flags>\S+) \d+ \d+ (?P<duration>\d+) \S+ "[^"]*" "[^"]*" "(?P<request_id>[^"]*)" "[^"]*" "[^"]*"
-- Columns: start_time, path, code, flags, duration, request_id
INSERT INTO fmt_attempts BY NAME
WITH told AS (
    SELECT *, bool_or(calls_a_model(path)) OVER () AS by_path FROM raw_records
)
SELECT source_line, record_no, request_id, 'gateway' AS layer, start_time AS started_at, duration AS elapsed_ms,
    CASE WHEN code = '0' OR regexp_matches(flags, '(^|,)DC(,|$)') AND code NOT LIKE '2%' THEN '499' ELSE code END AS http_status,
    CASE WHEN regexp_matches(flags, '(^|,)DC(,|$)') THEN 'timeout' END AS outcome, 'flags ' || flags AS reason
FROM told WHERE NOT by_path OR calls_a_model(path);
