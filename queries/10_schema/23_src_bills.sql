-- src_bills: what a vendor billed or counted by the day, key and model, and the lines of invoices.
--
-- Why:    most vendors bill no single request; their totals are held against the charges and the log.
-- Reads:  nothing
-- Writes: src_bills
-- Grain:  row_id
-- Units:  times UTC, period_end excluded; quantity of token_type: tokens; amount and unit_price
--         DECIMAL(38,12) in currency, unit_price of one unit of quantity
-- Params: none
-- Rule:   a row tells one kind of token, or all of a model: NULL is not told, never zero
-- Look at: testdata/queries/src_bills/a_day_of_three_kinds
CREATE TABLE IF NOT EXISTS src_bills (
    row_id        BIGINT NOT NULL,    -- file_no * 2^40 + the record's number in it
    file_no       INTEGER NOT NULL,
    source_line   BIGINT NOT NULL,
    provider      VARCHAR,
    api_key       VARCHAR,
    model         VARCHAR,
    token_type    VARCHAR,            -- input (neither cached nor written to the cache) | cached_input | cache_write | output | reasoning | requests, or as the bill calls another
    period_start  TIMESTAMP,
    period_end    TIMESTAMP,
    quantity      DECIMAL(38,12),
    requests      BIGINT,             -- executions, as the vendor counts them
    amount        DECIMAL(38,12),
    currency      VARCHAR NOT NULL,
    kind          VARCHAR NOT NULL,   -- usage | refund | credit | tax | adjustment
    line_item     VARCHAR,            -- what the bill calls the line
    unit_price    DECIMAL(38,12),
    service_tier  VARCHAR,
    superseded_by INTEGER,            -- file_no of the newer export that tells this (section 6)
    reject_column VARCHAR,            -- set while landing only
    reject_reason VARCHAR
);
