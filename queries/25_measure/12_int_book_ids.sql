-- int_book_ids: of how many charges of a book the log knows the request id.
--
-- Why:    see int_token_books.
-- Reads:  int_known_ids
-- Writes: int_book_ids
-- Grain:  (book_provider, book)
-- Units:  charges of usage
-- Params: none
-- Rule:   our choice
-- Look at: testdata/queries/int_book_ids/two_books
CREATE OR REPLACE TABLE int_book_ids AS
SELECT book_provider, book, count(*) AS charges, count(*) FILTER (WHERE known) AS known
FROM int_known_ids GROUP BY book_provider, book;
