-- src_charges: notes the newest file that had each line of the bill.
--
-- Why:    of two contents of one line the newer file's stands, whichever file has brought it first.
-- Reads:  src_contents, src_known, src_files, src_charges
-- Writes: src_charges
-- Grain:  row_id
-- Units:  none
-- Params: none
-- Rule:   design section 6: the newer file is the one with the later newest charged_at, ties by hash
-- Look at: testdata/queries/src_charges_claimed/an_old_row_in_a_newer_file
UPDATE src_charges SET newest_file = n.newest
FROM (
    WITH claims AS (
        SELECT c.content, max_by(c.newest_file, row(f.last_at, f.sha256, c.newest_file)) AS newest
        FROM src_contents c JOIN src_files f ON f.file_no = c.newest_file
        WHERE c.role = 'charges' GROUP BY c.content HAVING count(*) > 1
    )
    SELECT c.row_id, claims.newest
    FROM src_contents c JOIN claims USING (content)
    WHERE c.role = 'charges' AND c.newest_file <> claims.newest AND c.row_id NOT IN (SELECT row_id FROM src_known WHERE role = 'charges')
) n
WHERE src_charges.row_id = n.row_id;
