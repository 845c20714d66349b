-- fail: rows read = loaded + known + ignored + rejected, for every file
SELECT file, read, loaded, known, ignored, rejected
FROM src_files WHERE read <> loaded + known + ignored + rejected OR least(read, loaded, known, ignored, rejected) < 0
