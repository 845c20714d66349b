-- rpt_explained_calls: the calls that an id names, in the order of time, and which of them are told in full.
--
-- Why:    an id may be reused for thousands of calls; nobody reads them all.
-- Reads:  rpt_explained_hits, rpt_explained_homes, rpt_explained_lines, int_calls, int_charge_lines,
--         fct_verdicts, fct_unbilled
-- Writes: rpt_explained_calls
-- Grain:  (request_key, call_no); call_no 0 holds charges of a request that no line is about
-- Units:  place counts the named calls from 1, in time order; at_stake is the largest sum of
--         excess and of what is unsettled, undelivered or unexplained in any currency
-- Params: explained_call, the place of the one call asked for; explained_limit, how many are told
-- Rule:   our choice: a request id names all of its calls, a charge or a receipt its own; of
--         too many those with most at stake are told
-- Look at: testdata/queries/rpt_explained_calls/more_calls_than_are_told
CREATE OR REPLACE TABLE rpt_explained_calls AS
WITH calls AS (
    SELECT request_key, call_no, min(t0) AS first_at, max(coalesce(t1, t0)) AS last_at
    FROM rpt_explained_lines GROUP BY request_key, call_no
),
-- What no call explains is told with the latest call of its request that had begun by then.
settled_homes AS (
    SELECT h.row_id, h.request_key, h.call_no FROM rpt_explained_homes h WHERE h.call_no IS NOT NULL
    UNION ALL
    SELECT h.row_id, h.request_key, coalesce(b.call_no, f.call_no, 0)
    FROM (SELECT h.*, c.charged_at FROM rpt_explained_homes h JOIN int_charge_lines c USING (row_id) WHERE h.call_no IS NULL) h
    ASOF LEFT JOIN calls b ON b.request_key = h.request_key AND b.first_at <= h.charged_at
    LEFT JOIN (SELECT request_key, arg_min(call_no, row(first_at, call_no)) AS call_no FROM calls GROUP BY request_key) f ON f.request_key = h.request_key
),
stakes AS (
    SELECT request_key, call_no, max(stake) AS at_stake, min(charged_at) AS first_charge, max(charged_at) AS last_charge FROM (
        SELECT h.request_key, h.call_no, v.currency, min(c.charged_at) AS charged_at,
            coalesce(sum(v.amount) FILTER (WHERE v.is_excess OR NOT v.settled OR v.verdict IN ('undelivered', 'orphan')), 0) AS stake
        FROM settled_homes h JOIN int_charge_lines c ON c.row_id = h.row_id LEFT JOIN fct_verdicts v ON v.row_id = h.row_id
        GROUP BY h.request_key, h.call_no, v.currency)
    GROUP BY request_key, call_no
),
named AS (
    SELECT request_key, call_no, bool_or(way = 'request') AS by_request, bool_or(way = 'charge') AS by_charge, bool_or(way = 'receipt') AS by_receipt FROM (
        SELECT l.request_key, l.call_no, h.way FROM rpt_explained_hits h JOIN rpt_explained_lines l ON l.row_id = h.attempt_row
        UNION ALL
        SELECT s.request_key, s.call_no, h.way FROM rpt_explained_hits h JOIN settled_homes s ON s.row_id = h.charge_row)
    GROUP BY request_key, call_no
),
ordered AS (
    SELECT n.*, coalesce(c.first_at, s.first_charge) AS first_at, coalesce(c.last_at, s.last_charge) AS last_at,
        coalesce(s.at_stake, 0) AS at_stake,
        row_number() OVER (ORDER BY coalesce(c.first_at, s.first_charge), n.request_key, n.call_no) AS place
    FROM named n
    LEFT JOIN calls c ON c.request_key = n.request_key AND c.call_no = n.call_no
    LEFT JOIN stakes s ON s.request_key = n.request_key AND s.call_no = n.call_no
)
SELECT o.*, CASE WHEN o.call_no > 0 THEN coalesce(k.state, 'succeeded') END AS state,
    u.request_key IS NOT NULL AS unbilled,
    CASE WHEN getvariable('explained_call') IS NOT NULL THEN o.place = setting('explained_call')
         WHEN getvariable('explained_limit') IS NULL THEN true
         ELSE row_number() OVER (ORDER BY o.at_stake DESC, o.place) <= setting('explained_limit') END AS told,
    r.charge_rows
FROM ordered o
LEFT JOIN (SELECT request_key, call_no, list(row_id ORDER BY row_id) AS charge_rows FROM settled_homes GROUP BY request_key, call_no) r
    ON r.request_key = o.request_key AND r.call_no = o.call_no
LEFT JOIN int_calls k ON k.request_key = o.request_key AND k.call_no = o.call_no
LEFT JOIN fct_unbilled u ON u.request_key = o.request_key AND u.call_no = o.call_no;
