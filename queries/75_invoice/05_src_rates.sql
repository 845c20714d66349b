-- src_rates: what one unit of a currency was worth in another on a day.
--
-- Why:    a bill in several currencies has one total only by rates, and whose they are must be told.
-- Reads:  nothing; filled from the file of --rates
-- Writes: src_rates
-- Grain:  (day, base, quote)
-- Units:  1 base = rate quote
-- Params: none
-- Rule:   nothing of it is kept: rates are an input of one report
-- Look at: testdata/queries/src_rates/empty
CREATE OR REPLACE TABLE src_rates (
    day   DATE NOT NULL,
    base  VARCHAR NOT NULL,   -- three letters
    quote VARCHAR NOT NULL,
    rate  DECIMAL(38,12) NOT NULL
);
