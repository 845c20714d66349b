-- src_names: the callers' own ids that the rows of a trace or a session tell.
--
-- Why:    a failed try may lack the caller's id that another row of its trace has, in its own file or in another.
-- Reads:  nothing
-- Writes: src_names
-- Grain:  (format, trace_id, name)
-- Units:  none
-- Params: none
-- Rule:   what the rows say, in whatever file and order they come
-- Look at: testdata/queries/src_names/empty
CREATE TABLE IF NOT EXISTS src_names (
    format   VARCHAR NOT NULL,   -- of the files: what calls itself a trace in one says nothing of another
    trace_id VARCHAR NOT NULL,
    name     VARCHAR NOT NULL
);
