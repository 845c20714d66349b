-- rpt_settled_rows: how much of each provider's bill is settled, as of the last reconcile.
--
-- Why:    what is open cannot be claimed, and its period cannot be closed.
-- Reads:  fct_verdicts
-- Writes: rpt_settled_rows
-- Grain:  (provider, book)
-- Units:  n and settled count charge lines; open_from UTC
-- Params: none
-- Rule:   design section 3, settled
-- Look at: testdata/queries/rpt_settled_rows/one_is_open
CREATE OR REPLACE TABLE rpt_settled_rows AS
SELECT coalesce(provider, '') AS provider, book, count(*) AS n, count(*) FILTER (WHERE settled) AS settled,
    min(charged_at) FILTER (WHERE NOT settled) AS open_from
FROM fct_verdicts GROUP BY ALL;
