-- int_token_books: the books whose charges are matched by tokens and time where no id explains them.
--
-- Why:    an audit asks that of every book. Over a database that lives it means to match everything
--         anew, so it is left for the bills that need it: those that do not know the caller's ids.
-- Reads:  int_charge_lines, int_book_ids
-- Writes: int_token_books
-- Grain:  (book_provider, book)
-- Units:  none
-- Params: by_tokens: all (an audit), unnamed (a database), or NULL, and there are none
-- Rule:   our choice: a bill knows the ids if the log knows the request ids of nine in ten of its charges
-- Look at: testdata/queries/int_token_books/nine_in_ten
CREATE OR REPLACE TABLE int_token_books AS
SELECT DISTINCT book_provider, book FROM int_charge_lines
WHERE getvariable('by_tokens') = 'all' AND kind = 'usage' AND coalesce(amount, 0) >= 0
UNION ALL
SELECT book_provider, book FROM int_book_ids
WHERE getvariable('by_tokens') = 'unnamed' AND known * 10 < charges * 9;
