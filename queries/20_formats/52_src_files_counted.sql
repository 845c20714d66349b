-- src_files: counts the known rows of each file, and joins files that share rows to one source.
--
-- Why:    read = loaded + known + ignored + rejected; and parts of one log are numbered in one way.
-- Reads:  src_files, src_known
-- Writes: src_files
-- Grain:  file_no
-- Units:  none
-- Params: none
-- Rule:   design section 6; a row's file is its row_id / 2^40
-- Look at: testdata/queries/src_files_counted/three_files_in_a_chain
UPDATE src_files SET known = known + k.n, loaded = loaded - k.n
FROM (SELECT file_no, count(*) AS n FROM src_known GROUP BY file_no) k
WHERE src_files.file_no = k.file_no;
UPDATE src_files SET source_no = s.least
FROM (
    WITH RECURSIVE shared AS (
        SELECT DISTINCT a.source_no AS one, b.source_no AS other
        FROM (SELECT DISTINCT file_no, stands // 1099511627776 AS owner FROM src_known) k
        JOIN src_files a ON a.file_no = k.file_no JOIN src_files b ON b.file_no = k.owner
    ),
    edges AS (
        SELECT one, other FROM shared WHERE one <> other UNION SELECT other, one FROM shared WHERE one <> other
    ),
    reached AS (
        SELECT one, other FROM edges
        UNION
        SELECT r.one, e.other FROM reached r JOIN edges e ON e.one = r.other
    )
    SELECT one, least(one, min(other)) AS least FROM reached GROUP BY one
) s
WHERE src_files.source_no = s.one;
