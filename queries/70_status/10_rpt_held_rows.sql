-- rpt_held_rows: what the database holds, by side, provider and key.
--
-- Why:    whoever looks after the nightly run must see at a glance what has come.
-- Reads:  src_attempts, src_charges, src_bills
-- Writes: rpt_held_rows
-- Grain:  (role, provider, api_key, book, currency)
-- Units:  n counts rows; amount in currency, of the lines that stand; times UTC
-- Params: none
-- Rule:   our choice; a line that a newer export has replaced is not counted, and one without an amount
--         has that of the price list. Totals of a bill are a side of their own: they are never added to charges
-- Look at: testdata/queries/rpt_held_rows/both_sides, priced_by_a_list, totals
CREATE OR REPLACE TABLE rpt_held_rows AS
SELECT 'attempts' AS role, coalesce(provider, '') AS provider, coalesce(api_key, '') AS api_key, '' AS book, '' AS currency,
    count(*) AS n, CAST(NULL AS DECIMAL(38,12)) AS amount, min(coalesce(started_at, ended_at)) AS first_at, max(coalesce(ended_at, started_at)) AS last_at
FROM src_attempts GROUP BY ALL
UNION ALL
SELECT 'charges', coalesce(provider, ''), coalesce(api_key, ''), book, CASE WHEN amount IS NULL THEN coalesce(listed_currency, currency) ELSE currency END,
    count(*), CAST(sum(coalesce(amount, listed_amount)) AS DECIMAL(38,12)), min(charged_at), max(charged_at)
FROM src_charges WHERE superseded_by IS NULL GROUP BY ALL
UNION ALL
SELECT 'bills', coalesce(provider, ''), coalesce(api_key, ''), '', currency, count(*), CAST(sum(amount) AS DECIMAL(38,12)), min(period_start), max(period_end)
FROM src_bills WHERE superseded_by IS NULL GROUP BY ALL;
