-- src_files: every file that was read, and what became of its lines.
--
-- Why:    a file is known by its content: the same content again is no news, whatever its
--         name or compression.
-- Reads:  nothing
-- Writes: src_files
-- Grain:  file_no; sha256 is unique but for files of one audit
-- Units:  counts of lines or records; read = loaded + known + ignored + rejected; times UTC
-- Params: none
-- Rule:   design section 6
-- Look at: testdata/queries/src_files/empty
CREATE TABLE IF NOT EXISTS src_files (
    file_no     INTEGER NOT NULL,   -- counts up over all runs; within one run in the order of the names
    file        VARCHAR NOT NULL,   -- as it was named on the command line
    sha256      VARCHAR NOT NULL,   -- of the decompressed content, as far as it was taken
    role        VARCHAR NOT NULL,   -- attempts | charges | bills | retries | prices
    format      VARCHAR NOT NULL,
    read        BIGINT NOT NULL,
    loaded      BIGINT NOT NULL,
    known       BIGINT NOT NULL,
    ignored     BIGINT NOT NULL,
    rejected    BIGINT NOT NULL,
    joined      BOOLEAN NOT NULL,   -- its header stands in it again: exports put one behind the other
    run_no      INTEGER NOT NULL,   -- the run that read it
    path        VARCHAR,            -- absolute, to know a file that grew or shrank; NULL for standard input
    size        BIGINT,             -- bytes of the decompressed content, as far as it was taken
    open_end    BOOLEAN NOT NULL,   -- its last line had no line end
    first_at    TIMESTAMP,          -- of its rows that could be read, known ones too
    last_at     TIMESTAMP,          -- of a bill: its newest charge or the end of its last period, which tells the newer of two exports
    source_no   INTEGER NOT NULL,   -- the least file_no of the files that share rows with it: one source, numbered in one way
    gone        BIGINT NOT NULL     -- of the loaded rows: taken out since, by prune or because the line was not whole
);
