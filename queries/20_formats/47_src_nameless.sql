-- src_nameless: notes the failed tries of one file that lack the caller's own id.
--
-- Why:    see 10_schema.
-- Reads:  raw_traces, src_files, src_attempts, src_charges
-- Writes: src_nameless
-- Grain:  row_id
-- Units:  none
-- Params: file_no
-- Rule:   such a row has its trace as its request id when it comes; a row's number is its file's * 2^40 + the record's
-- Look at: testdata/queries/src_nameless/one_of_three
INSERT INTO src_nameless
WITH failed AS (
    SELECT setting('file_no') * 1099511627776 + record_no AS row_id, trace_id FROM raw_traces WHERE trace_id IS NOT NULL AND name IS NULL
),
landed AS (
    SELECT row_id, file_no, request_id FROM src_attempts WHERE file_no = setting('file_no')
    UNION ALL
    SELECT row_id, file_no, request_id FROM src_charges WHERE file_no = setting('file_no')
)
SELECT row_id, f.format, l.request_id, l.request_id
FROM failed JOIN landed l USING (row_id) JOIN src_files f USING (file_no) WHERE l.request_id = failed.trace_id;
