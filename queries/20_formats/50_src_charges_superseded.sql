-- src_charges: marks what a newer export says differently about the same line.
--
-- Why:    vendors correct a day's export; both are kept, the newer one counts.
-- Reads:  src_charges, src_files
-- Writes: src_charges
-- Grain:  row_id
-- Units:  none
-- Params: none
-- Rule:   design section 6: across files, the same charge id and time with other content
--         supersedes the older one; the newer file is the one with the later newest
--         charged_at, ties by hash
-- Look at: testdata/queries/src_charges_superseded/corrected_amount
UPDATE src_charges
SET superseded_by = s.newer
FROM (
    WITH ages AS (
        SELECT file_no, max(charged_at) AS newest FROM src_charges GROUP BY file_no
    ),
    lines AS (
        SELECT c.row_id, c.file_no, ages.newest,
            [coalesce(provider, ''), book, charge_id, coalesce(line_item, ''), kind, CAST(charged_at AS VARCHAR)] AS line,
            content_of(request_id, attempt, vendor_request_id, idempotency_key, model, input_tokens,
                cached_input_tokens, output_tokens, reasoning_tokens, unit_price, amount, currency,
                finish_reason, cancelled, generation_ms, api_key, cache_write_tokens, service_tier) AS content
        FROM src_charges c JOIN ages USING (file_no)
        WHERE charge_id IS NOT NULL AND superseded_by IS NULL
    ),
    shared AS (
        SELECT line, max_by(file_no, row(newest, f.sha256, file_no)) AS winner
        FROM lines LEFT JOIN src_files f USING (file_no) GROUP BY line HAVING count(DISTINCT file_no) > 1
    )
    SELECT l.row_id, min(w.row_id) AS newer
    FROM lines l JOIN shared s USING (line)
    JOIN lines w ON w.line = l.line AND w.file_no = s.winner
    WHERE l.file_no <> s.winner
    GROUP BY l.row_id, l.content
    HAVING count(*) FILTER (WHERE w.content = l.content) = 0
) AS s
WHERE src_charges.row_id = s.row_id;
