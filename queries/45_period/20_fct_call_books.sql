-- fct_call_books: int_call_books, and which calls are settled by now.
--
-- Why:    a call is settled once its book reaches far enough; that is asked of the book's edge as
--         it is now.
-- Reads:  int_call_books, int_books
-- Writes: fct_call_books (a view)
-- Grain:  (request_key, call_no, book_provider, book)
-- Units:  as int_call_books
-- Params: none
-- Rule:   design section 3, settled
-- Look at: testdata/queries/fct_call_books/open_at_the_edge
CREATE OR REPLACE VIEW fct_call_books AS
SELECT c.*, c.closed AND coalesce(c.settles_at <= b.reach, true) AS settled
FROM int_call_books c LEFT JOIN int_books b ON b.book_provider = c.book_provider AND b.book = c.book;
