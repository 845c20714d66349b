-- rpt_explained_attempts: the log's lines of the calls that are told.
--
-- Why:    the bars of the time line, with all that stands in the log about them.
-- Reads:  rpt_explained_calls, rpt_explained_lines, src_attempts, src_files
-- Writes: rpt_explained_attempts
-- Grain:  row_id
-- Units:  times UTC by the log's clock
-- Params: none
-- Rule:   design section 2
-- Look at: testdata/queries/rpt_explained_attempts/told_and_untold
CREATE OR REPLACE TABLE rpt_explained_attempts AS
SELECT c.place, l.*, a.reason, a.max_attempts, a.vendor_request_id AS receipt, a.idempotency_key, a.input_tokens, a.cached_input_tokens,
    a.output_tokens, a.api_key, f.file
FROM rpt_explained_lines l
JOIN rpt_explained_calls c ON c.request_key = l.request_key AND c.call_no = l.call_no AND c.told
LEFT JOIN src_attempts a ON a.row_id = l.row_id
LEFT JOIN src_files f ON f.file_no = l.file_no;
