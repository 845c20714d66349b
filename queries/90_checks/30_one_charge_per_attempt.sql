-- fail: an attempt owns at most one charge in a book (what it hid is not its own, and a lead owns nothing)
SELECT exec_id, book_provider, book, count(*) AS charges
FROM int_matches WHERE NOT hidden AND NOT (lead AND match = 'tokens')
GROUP BY exec_id, book_provider, book HAVING count(*) > 1
