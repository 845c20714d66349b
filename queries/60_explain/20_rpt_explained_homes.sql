-- rpt_explained_homes: every line of the bill that concerns an id, with the request and the call under which it is told.
--
-- Why:    a charge belongs to the call that the matching gave it; what nothing matched is told
--         where its own request id, or the charge that it names, puts it.
-- Reads:  rpt_explained_hits, src_attempts, int_charge_lines, int_charge_roles, int_matches,
--         int_simple_pairs
-- Writes: rpt_explained_homes
-- Grain:  row_id, of the line of the bill
-- Units:  call_no is NULL where no call is known; request_key is '!' and the row where no
--         request is
-- Params: none
-- Rule:   a copy stands with its original, a refund with the charge that it names, else with its request
-- Look at: testdata/queries/rpt_explained_homes/matched_named_and_stray
CREATE OR REPLACE TABLE rpt_explained_homes AS
WITH owned AS (
    SELECT r.row_id, m.request_key, m.call_no
    FROM int_charge_roles r JOIN int_matches m ON m.charge_no = r.charge_no
    UNION ALL
    SELECT r.row_id, m.request_key, m.call_no
    FROM int_charge_roles r JOIN int_charge_roles o ON o.row_id = r.copy_of JOIN int_matches m ON m.charge_no = o.charge_no
    UNION ALL
    SELECT s.charge_row, coalesce(a.request_id, '?' || a.row_id), 1
    FROM int_simple_pairs s JOIN src_attempts a ON a.row_id = s.attempt_row
),
hit AS (
    SELECT DISTINCT charge_row AS row_id FROM rpt_explained_hits WHERE charge_row IS NOT NULL
),
keys AS (
    SELECT coalesce(a.request_id, '?' || a.row_id) AS request_key
    FROM rpt_explained_hits h JOIN src_attempts a ON a.row_id = h.attempt_row
    UNION
    SELECT coalesce(o.request_key, c.request_id)
    FROM hit h JOIN int_charge_lines c ON c.row_id = h.row_id LEFT JOIN owned o ON o.row_id = h.row_id
),
matched AS (
    SELECT o.* FROM owned o WHERE o.request_key IN (SELECT request_key FROM keys) OR o.row_id IN (SELECT row_id FROM hit)
),
-- A refund names the charge that it gives back, in the same book.
named AS (
    SELECT n.row_id, min(m.request_key) AS request_key, min(m.call_no) AS call_no
    FROM matched m JOIN int_charge_lines c ON c.row_id = m.row_id
    JOIN int_charge_lines n ON n.charge_id = c.charge_id AND n.book_provider = c.book_provider AND n.book = c.book AND n.kind <> 'usage'
    GROUP BY n.row_id HAVING count(DISTINCT m.request_key || ' ' || m.call_no) = 1
),
stray AS (
    SELECT c.row_id, coalesce(c.request_id, '!' || c.row_id) AS request_key, CAST(NULL AS BIGINT) AS call_no
    FROM int_charge_lines c
    ANTI JOIN owned o ON o.row_id = c.row_id
    ANTI JOIN named n ON n.row_id = c.row_id
    WHERE c.request_id IN (SELECT request_key FROM keys) OR c.row_id IN (SELECT row_id FROM hit)
)
SELECT row_id, request_key, call_no FROM matched WHERE row_id NOT IN (SELECT row_id FROM named)
UNION ALL SELECT row_id, request_key, call_no FROM named
UNION ALL SELECT row_id, request_key, call_no FROM stray;
