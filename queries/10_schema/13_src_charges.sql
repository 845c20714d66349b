-- src_charges: the bill, typed, one row a line that could be read.
--
-- Why:    the canonical table of design section 2; every cent starts here.
-- Reads:  nothing
-- Writes: src_charges
-- Grain:  row_id
-- Units:  charged_at UTC, amount and unit_price DECIMAL(38,12) in currency, tokens counted
-- Params: none
-- Rule:   design section 2
-- Look at: testdata/queries/src_charges/blank_amount_is_unknown
CREATE TABLE IF NOT EXISTS src_charges (
    row_id              BIGINT NOT NULL,    -- file_no * 2^40 + the record's number in it
    file_no             INTEGER NOT NULL,
    source_line         BIGINT NOT NULL,
    provider            VARCHAR,
    book                VARCHAR NOT NULL,   -- bill | estimate
    charge_id           VARCHAR,
    line_item           VARCHAR,
    request_id          VARCHAR,
    attempt             INTEGER,
    vendor_request_id   VARCHAR,
    idempotency_key     VARCHAR,
    charged_at          TIMESTAMP,
    model               VARCHAR,
    input_tokens        BIGINT,
    cached_input_tokens BIGINT,
    output_tokens       BIGINT,
    reasoning_tokens    BIGINT,
    unit_price          DECIMAL(38,12),
    amount              DECIMAL(38,12),     -- NULL is unknown, not zero
    currency            VARCHAR NOT NULL,
    kind                VARCHAR NOT NULL,   -- usage | refund | credit | tax | adjustment
    finish_reason       VARCHAR,
    cancelled           BOOLEAN,
    generation_ms       BIGINT,
    api_key             VARCHAR,
    counts_from         INTEGER,            -- 0 or 1, where the file says from what the numbers count
    superseded_by       BIGINT,             -- row_id of the newer content of this line (section 6)
    clock_doubt         VARCHAR,            -- of a time without an offset: skipped | repeated by a change of the clocks
    reject_column       VARCHAR,            -- set while landing only
    reject_reason       VARCHAR,
    cache_write_tokens  BIGINT,             -- part of the input, written to the provider's cache
    service_tier        VARCHAR,            -- standard | batch | flex | priority, or as the bill calls another
    listed_amount       DECIMAL(38,12),     -- what a price list says, where the bill says no amount
    listed_currency     VARCHAR,
    newest_file         INTEGER NOT NULL    -- of all files that had this row, the one with the newest charge, ties by hash
);
