-- pub_findings: the lines of published reports that should not have been paid, or are in doubt.
--
-- Why:    a claim is argued about for months; its lines must outlive the raw rows.
-- Reads:  nothing
-- Writes: pub_findings
-- Grain:  (report_no, line_no)
-- Units:  charged_at UTC, amounts in currency
-- Params: none
-- Rule:   the columns of verdicts.csv, of every line with a verdict other than delivered and
--         adjustment
-- Look at: testdata/queries/pub_findings/empty
CREATE TABLE IF NOT EXISTS pub_findings (
    report_no           INTEGER NOT NULL,
    line_no             BIGINT NOT NULL,    -- in the order of verdicts.csv
    provider            VARCHAR,
    book                VARCHAR NOT NULL,
    charge_id           VARCHAR,
    line_item           VARCHAR,
    charged_at          TIMESTAMP,
    model               VARCHAR,
    request_id          VARCHAR,
    attempt             INTEGER,
    verdict             VARCHAR NOT NULL,
    recovery            VARCHAR,
    rerouted            BOOLEAN,
    amount              DECIMAL(38,12),
    currency            VARCHAR NOT NULL,
    excess              DECIMAL(38,12),
    settled             BOOLEAN NOT NULL,
    match               VARCHAR,
    confidence          DECIMAL(4,3),
    delivered_charge_id VARCHAR,
    reason              VARCHAR,
    source_file         VARCHAR,
    source_line         BIGINT
);
