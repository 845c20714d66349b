-- src_prices: what the price lists say that tokens cost.
--
-- Why:    some bills count tokens and name no amount; whoever is asked to pay must see from
--         which list their amounts come.
-- Reads:  nothing; filled from the files of --prices
-- Writes: src_prices
-- Grain:  (file_no, provider, model, tier, above, since)
-- Units:  prices per million tokens in currency; NULL is not listed. They hold for the whole
--         request. since and until UTC, until excluded; NULL is open
-- Params: none
-- Rule:   design section 7, --prices
-- Look at: testdata/queries/src_prices/empty
CREATE TABLE IF NOT EXISTS src_prices (
    file_no      INTEGER NOT NULL,
    source_line  BIGINT NOT NULL,
    provider     VARCHAR,            -- lower case; NULL is any
    model        VARCHAR NOT NULL,   -- lower case, as the list spells it
    tier         VARCHAR NOT NULL,   -- standard | batch | flex | priority
    above        BIGINT NOT NULL,    -- for requests with more input tokens than this
    since        TIMESTAMP,
    until        TIMESTAMP,
    currency     VARCHAR NOT NULL,
    input        DECIMAL(38,12),
    cached_input DECIMAL(38,12),
    cache_write  DECIMAL(38,12),
    output       DECIMAL(38,12),
    reasoning    DECIMAL(38,12)
);
