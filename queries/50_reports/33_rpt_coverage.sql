-- rpt_coverage: the share of charges that some line explains, by provider, key and day.
--
-- Why:    a day that the log does not cover finds nothing, which is not the same as clean.
-- Reads:  fct_verdicts
-- Writes: rpt_coverage
-- Grain:  (provider, api_key, day)
-- Units:  charges; days of the report's zone
-- Params: paid_book, report_zone
-- Rule:   design section 3, coverage
-- Look at: testdata/queries/rpt_coverage/half_explained
CREATE OR REPLACE TABLE rpt_coverage AS
SELECT coalesce(provider, '') AS provider, coalesce(api_key, '') AS api_key,
    CASE WHEN getvariable('report_zone') = 'UTC' THEN CAST(charged_at AS DATE)
         ELSE CAST(timezone(getvariable('report_zone'), timezone('UTC', charged_at)) AS DATE) END AS day,
    count_charges(charge_no, alone, true) AS charges, count_charges(charge_no, alone, matched) AS explained
FROM fct_verdicts WHERE kind = 'usage' AND verdict <> 'duplicate_line' AND book = getvariable('paid_book')
GROUP BY ALL;
