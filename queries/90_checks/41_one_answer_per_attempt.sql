-- fail: an attempt's answer is delivered by one charge in a book
SELECT exec_id, book_provider, book, count(*) AS answers
FROM fct_charges WHERE verdict = 'delivered' AND reason = 'answered'
GROUP BY exec_id, book_provider, book HAVING count(*) > 1
