-- int_token_books: the books whose charges are matched by tokens and time where no id explains them.
--
-- Why:    an audit asks that of every book. Over a database that lives it means to match everything
--         anew, so it is left for the bills that need it: those that do not know the caller's ids.
-- Reads:  src_attempts, int_charge_lines
-- Writes: int_token_books
-- Grain:  (book_provider, book)
-- Units:  none
-- Params: by_tokens: all (an audit), unnamed (a database), or NULL, and there are none
-- Rule:   our choice: a bill knows the ids if the log knows the request ids of nine in ten of its charges
-- Look at: testdata/queries/int_token_books/nine_in_ten
CREATE OR REPLACE TABLE int_token_books AS
WITH logged AS (
    SELECT DISTINCT hash(request_id) AS id FROM src_attempts WHERE request_id IS NOT NULL AND getvariable('by_tokens') = 'unnamed'
),
executions AS (
    SELECT book_provider, book, request_id FROM int_charge_lines WHERE kind = 'usage' AND coalesce(amount, 0) >= 0
)
SELECT DISTINCT book_provider, book FROM executions WHERE getvariable('by_tokens') = 'all'
UNION ALL
SELECT book_provider, book FROM executions e LEFT JOIN logged l ON l.id = hash(e.request_id)
WHERE getvariable('by_tokens') = 'unnamed'
GROUP BY book_provider, book HAVING count(l.id) * 10 < count(*) * 9;
