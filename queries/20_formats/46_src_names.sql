-- src_names: notes the callers' ids that the rows of one file tell of their traces.
--
-- Why:    see 10_schema; a name that was told once is told.
-- Reads:  raw_traces, src_files
-- Writes: src_names
-- Grain:  (format, trace_id, name)
-- Units:  none
-- Params: file_no
-- Rule:   of every record, answers from a cache too
-- Look at: testdata/queries/src_names/told_twice
INSERT INTO src_names
WITH told AS (
    SELECT DISTINCT f.format, r.trace_id, r.name FROM raw_traces r JOIN src_files f ON f.file_no = setting('file_no')
    WHERE r.trace_id IS NOT NULL AND r.name IS NOT NULL
)
FROM told ANTI JOIN src_names USING (format, trace_id, name);
