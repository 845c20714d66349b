-- int_book_ids: the same of the whole database, where int_known_ids holds the rows that are looked at anew.
--
-- Why:    a night decides for its own rows, and takes the others over.
-- Reads:  int_known_ids, int_old_known_ids, int_scope_rows
-- Writes: int_book_ids
-- Grain:  (book_provider, book)
-- Units:  charges of usage
-- Params: none
-- Rule:   our choice
-- Look at: testdata/queries/int_book_ids_recounted/one_became_known
CREATE OR REPLACE TABLE int_book_ids AS
WITH rows_now AS (
    SELECT book_provider, book, known FROM int_known_ids
    UNION ALL
    SELECT book_provider, book, known FROM int_old_known_ids o
    ANTI JOIN (SELECT row_id FROM int_scope_rows WHERE role = 'charges') s ON s.row_id = o.row_id
)
SELECT book_provider, book, count(*) AS charges, count(*) FILTER (WHERE known) AS known
FROM rows_now GROUP BY book_provider, book;
