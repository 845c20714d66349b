-- src_rejects: every line that could not be read, and why.
--
-- Why:    nothing is lost in silence.
-- Reads:  nothing
-- Writes: src_rejects
-- Grain:  one row for each record that could not be read; several may begin in one line
-- Units:  raw is cut at 4 KiB and redacted
-- Params: none
-- Rule:   design section 6
-- Look at: testdata/queries/src_rejects/empty
CREATE TABLE IF NOT EXISTS src_rejects (
    file_no       INTEGER NOT NULL,
    source_line   BIGINT NOT NULL,
    reject_column VARCHAR,
    reason        VARCHAR NOT NULL,
    raw           VARCHAR
);
