-- src_files: every file that was read, and what became of its lines.
--
-- Why:    a file is known by its content: the same content again is no news, whatever its
--         name or compression.
-- Reads:  nothing
-- Writes: src_files
-- Grain:  file_no; sha256 is unique
-- Units:  counts of lines or records; read = loaded + known + ignored + rejected
-- Params: none
-- Rule:   design section 6
-- Look at: testdata/queries/src_files/empty
CREATE TABLE IF NOT EXISTS src_files (
    file_no     INTEGER NOT NULL,   -- in the order of sha256 within one load
    file        VARCHAR NOT NULL,   -- as it was named on the command line
    sha256      VARCHAR NOT NULL,   -- of the decompressed content
    role        VARCHAR NOT NULL,   -- attempts | charges | prices
    format      VARCHAR NOT NULL,
    read        BIGINT NOT NULL,
    loaded      BIGINT NOT NULL,
    known       BIGINT NOT NULL,
    ignored     BIGINT NOT NULL,
    rejected    BIGINT NOT NULL,
    joined      BOOLEAN NOT NULL    -- its header stands in it again: exports put one behind the other
);
