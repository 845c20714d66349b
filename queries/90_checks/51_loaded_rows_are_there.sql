-- fail: every loaded row that was not taken out since stands in its table, and every rejected one in src_rejects
SELECT f.file, f.loaded, coalesce(t.n, 0) AS found, f.rejected, coalesce(r.n, 0) AS rejects
FROM src_files f
LEFT JOIN (SELECT file_no, count(*) AS n FROM src_attempts GROUP BY file_no UNION ALL SELECT file_no, count(*) FROM src_charges GROUP BY file_no
    UNION ALL SELECT file_no, count(*) FROM src_bills GROUP BY file_no
    UNION ALL SELECT file_no, count(*) FROM src_retries GROUP BY file_no
    UNION ALL SELECT file_no, count(DISTINCT source_line) FROM src_prices GROUP BY file_no) t USING (file_no)
LEFT JOIN (SELECT file_no, count(*) AS n FROM src_rejects GROUP BY file_no) r USING (file_no)
WHERE f.loaded - f.gone <> coalesce(t.n, 0) OR f.rejected <> coalesce(r.n, 0)
