-- rpt_leads: the leads, summed.
--
-- Why:    they are told beside the headline, never in it.
-- Reads:  fct_leads
-- Writes: rpt_leads
-- Grain:  (kind, currency)
-- Units:  currency; calls are counted, a charge without a request id as one
-- Params: paid_book
-- Rule:   design section 4, leads
-- Look at: testdata/queries/rpt_leads/two_of_a_kind
CREATE OR REPLACE TABLE rpt_leads AS
SELECT kind, currency, count(DISTINCT coalesce('id ' || request_id, 'row ' || row_id)) AS calls, coalesce(sum(amount), 0) AS amount
FROM fct_leads WHERE book = getvariable('paid_book')
GROUP BY kind, currency;
