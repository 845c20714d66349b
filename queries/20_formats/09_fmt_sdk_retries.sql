-- fmt_retries: log lines in which an OpenAI or Anthropic SDK (Python, Node) or Volcengine Ark's says that it retries.
--
-- Why:    an SDK's own retries are in no attempt log: each such line is one send more than the application knows.
-- Reads:  raw_records
-- Writes: fmt_retries
-- Grain:  record_no
-- Units:  seconds of wait; times are local without a zone (--source-zone)
-- Params: none
-- Rule:   openai/openai-python and anthropics/anthropic-sdk-python _base_client.py ("Retrying request to PATH in N seconds", since August 2026 without the path),
--         openai/openai-node client.ts ("retrying, N attempts remaining"). The lines have no id of a request.
--         A logger may have put them into JSON: the time is then the first one in the object
-- Look at: testdata/formats/sdk-retries
-- Format: sdk-retries
-- Syntax: lines
-- Role:   retries
-- Pattern: ^(?:.*?(?P<retried_at>\d\d\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?).*?|.*?)(?:Retrying request(?: to (?P<path>\S+))? in (?P<wait>[0-9.]+) seconds|retrying, \d+ attempts remaining)(?:\W*|", *".*?(?P<later_at>\d\d\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?).*|", *".*)$
-- Columns: retried_at, path, wait, later_at
INSERT INTO fmt_retries BY NAME
SELECT source_line, record_no, coalesce(retried_at, later_at) AS retried_at, path, wait AS wait_s FROM raw_records;
