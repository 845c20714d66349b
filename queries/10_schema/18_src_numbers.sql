-- src_numbers: from what the attempt numbers of a file count, as its rows show.
--
-- Why:    a log that counts from 0 shows it in the whole file only: what is new in a file of
--         which most is known may begin at 1.
-- Reads:  nothing
-- Writes: src_numbers
-- Grain:  (file_no, layer, counts_from)
-- Units:  none
-- Params: none
-- Rule:   our choice, so that the order of deliveries changes no number
-- Look at: testdata/queries/src_numbers/empty
CREATE TABLE IF NOT EXISTS src_numbers (
    file_no     INTEGER NOT NULL,
    layer       VARCHAR NOT NULL,   -- '' in a bill
    counts_from INTEGER,            -- 0 or 1, where the format says it
    lowest      INTEGER,
    top         INTEGER
);
