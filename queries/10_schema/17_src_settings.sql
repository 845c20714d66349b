-- src_settings: with which settings the tables of a database were made.
--
-- Why:    verdicts rest on thresholds and on the period asked for; who opens the database
--         later must read them as they were.
-- Reads:  nothing; filled at the end of a run
-- Writes: src_settings
-- Grain:  name
-- Units:  values as text; NULL is not set
-- Params: none
-- Rule:   design section 7, explain over a database
-- Look at: testdata/queries/src_settings/empty
CREATE TABLE IF NOT EXISTS src_settings (
    name  VARCHAR NOT NULL,
    value VARCHAR
);
