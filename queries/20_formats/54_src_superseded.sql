-- src_superseded: lines of the bill of which a newer export says something else, or no longer does.
--
-- Why:    vendors correct a day's export; both are kept, the newer one counts.
-- Reads:  src_charges, src_files, src_contents
-- Writes: src_superseded (temporary)
-- Grain:  row_id: those for which it changes
-- Units:  none
-- Params: first_file
-- Rule:   design section 6: across files, the same charge id and time with other content
--         supersedes the older one; the newer file is the one with the later newest
--         charged_at, ties by hash. The rows that stand are those that the newest file with
--         that line had, so the order of deliveries changes nothing
-- Look at: testdata/queries/src_superseded/corrected_amount
CREATE OR REPLACE TEMP TABLE src_superseded AS
WITH looked_at AS ( -- in two parts, as DuckDB skips the years by each condition alone
    SELECT row_id, newest_file, superseded_by, provider, book, charge_id, line_item, kind, charged_at
    FROM src_charges WHERE file_no >= setting('first_file')
    UNION ALL
    SELECT row_id, newest_file, superseded_by, provider, book, charge_id, line_item, kind, charged_at
    FROM src_charges WHERE file_no < setting('first_file')
        AND charged_at IN (SELECT row_at FROM src_contents WHERE role = 'charges' AND is_new)
),
lines AS (
    SELECT * REPLACE (coalesce(provider, '') AS provider, coalesce(line_item, '') AS line_item) FROM looked_at WHERE charge_id IS NOT NULL
),
shared AS (
    SELECT provider, book, charge_id, line_item, kind, charged_at,
        max_by(newest_file, row(f.last_at, f.sha256, newest_file)) AS winner
    FROM lines LEFT JOIN src_files f ON f.file_no = newest_file
    GROUP BY ALL HAVING count(DISTINCT newest_file) > 1 OR count(superseded_by) > 0
),
judged AS (
    SELECT l.row_id, l.superseded_by, l.newest_file = s.winner AS stands,
        min(l.row_id) FILTER (WHERE l.newest_file = s.winner) OVER (
            PARTITION BY l.provider, l.book, l.charge_id, l.line_item, l.kind, l.charged_at) AS newer
    FROM lines l JOIN shared s USING (provider, book, charge_id, line_item, kind, charged_at)
)
SELECT row_id, superseded_by AS was, CASE WHEN NOT stands THEN newer END AS newer
FROM judged WHERE superseded_by IS DISTINCT FROM CASE WHEN NOT stands THEN newer END;
UPDATE src_charges SET superseded_by = s.newer FROM src_superseded s WHERE src_charges.row_id = s.row_id;
