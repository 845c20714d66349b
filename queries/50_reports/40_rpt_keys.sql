-- rpt_keys: the sheet "By key".
--
-- Why:    an API key is a team or a service: it says who has to change something.
-- Reads:  rpt_lines
-- Writes: rpt_keys (a view)
-- Grain:  (provider, api_key, book, currency); the empty key is that of lines that name none
-- Units:  currency; the parts add up to billed
-- Params: none
-- Rule:   our choice: keys by the name that the bill shows
-- Look at: testdata/queries/rpt_keys/two_keys_and_none
CREATE OR REPLACE VIEW rpt_keys AS
SELECT provider, api_key, book, currency,
    count_charges(charge_no, alone, verdict <> 'adjustment') AS charges,
    coalesce(sum(amount), 0) AS billed, coalesce(sum(amount) FILTER (WHERE part = 'delivered'), 0) AS delivered,
    coalesce(sum(amount) FILTER (WHERE part = 'excess'), 0) AS excess, coalesce(sum(amount) FILTER (WHERE part = 'undelivered'), 0) AS undelivered,
    coalesce(sum(amount) FILTER (WHERE part = 'orphan'), 0) AS orphan, coalesce(sum(amount) FILTER (WHERE part = 'unsettled'), 0) AS unsettled,
    coalesce(sum(amount) FILTER (WHERE part = 'adjustments'), 0) AS adjustments,
    ratio(coalesce(sum(amount) FILTER (WHERE part = 'excess'), 0), sum(amount)) AS excess_share
FROM rpt_lines
GROUP BY provider, api_key, book, currency;
