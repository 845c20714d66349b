-- src_bills: marks the totals of which a newer export says something.
--
-- Why:    a month is exported again and again while it fills and when it is corrected; each total counts once.
-- Reads:  src_files
-- Writes: src_bills
-- Grain:  row_id
-- Units:  superseded_by is a file_no
-- Params: none
-- Rule:   design section 6, for totals: of all exports of one format that tell the same provider, key, model,
--         kind of token and period, the newest stands, with all its lines of it: the one that reaches furthest
--         (its last period), then the one that came in a later run, then ties by hash. Another format tells something else
--         (counts in one, money in the other), and stands beside it. Both rows are kept
-- Look at: testdata/queries/src_bills_replaced/a_month_exported_twice
UPDATE src_bills SET superseded_by = n.newer
FROM (
    WITH lines AS (
        SELECT b.row_id, b.file_no, b.superseded_by, f.format, coalesce(b.provider, '') AS provider, coalesce(b.api_key, '') AS api_key,
            coalesce(b.model, '') AS model, coalesce(b.token_type, '') AS token_type, b.period_start, b.period_end,
            row(f.last_at, f.run_no, f.sha256, b.file_no) AS age
        FROM src_bills b JOIN src_files f USING (file_no)
    ),
    newest AS (
        SELECT format, provider, api_key, model, token_type, period_start, period_end, max_by(file_no, age) AS file_no
        FROM lines GROUP BY ALL HAVING count(DISTINCT file_no) > 1
    )
    SELECT l.row_id, CASE WHEN l.file_no <> w.file_no THEN w.file_no END AS newer
    FROM lines l JOIN newest w USING (format, provider, api_key, model, token_type, period_start, period_end)
    WHERE l.superseded_by IS DISTINCT FROM CASE WHEN l.file_no <> w.file_no THEN w.file_no END
) n
WHERE src_bills.row_id = n.row_id;
