-- src_retries: gives the text of an SDK's lines about its retries a time.
--
-- Why:    they are counted by the minute, against what the vendor counts and the attempt log shows.
-- Reads:  raw_retries
-- Writes: src_retries
-- Grain:  row_id
-- Units:  retried_at UTC, wait_ms milliseconds
-- Params: file_no; source_zone: SDKs write local time without a zone; now
-- Rule:   a line without a time counts for no minute: it is rejected
-- Look at: testdata/queries/src_retries/two_lines_of_a_minute
INSERT INTO src_retries
WITH typed AS (
    SELECT *, as_time(retried_at, getvariable('source_zone')) AS retried, as_duration_ms(wait_s, 1000) AS waited FROM raw_retries
)
SELECT setting('file_no') * 1099511627776 + record_no, setting('file_no'), source_line, retried, path, waited,
    CASE WHEN retried IS NULL OR NOT in_time(retried) THEN 'ts' END,
    CASE WHEN retried_at IS NULL THEN 'found no time, expected one at the head of the line (a formatter with %(asctime)s)'
         WHEN retried IS NULL THEN not_a_time(retried_at) WHEN NOT in_time(retried) THEN out_of_time(retried_at) END
FROM typed;
