-- int_books: how far each book reaches.
--
-- Why:    what lies at the edge of the bill can still change; how far that edge has moved is
--         asked when a report is made, so that no old verdict has to be touched for it.
-- Reads:  int_book_days, src_providers
-- Writes: int_books
-- Grain:  (book_provider, book)
-- Units:  UTC by the bill's clock; reach is up to when calls are settled
-- Params: over_database: 1 where more files will come: then a provider's lateness has to pass
-- Rule:   design section 3, settled: 48 h behind the newest charge by default; the files of one
--         audit are taken as complete
-- Look at: testdata/queries/int_books/lateness_over_a_database
CREATE OR REPLACE TABLE int_books AS
SELECT b.book_provider, b.book, CAST(sum(b.lines) AS BIGINT) AS lines, min(b.oldest) AS oldest, max(b.newest) AS newest,
    CASE WHEN getvariable('over_database') = '1' THEN plus_ms(max(b.newest), -coalesce(any_value(p.lateness_ms), any_value(d.lateness_ms)))
         ELSE max(b.newest) END AS reach
FROM int_book_days b
JOIN src_providers d ON d.provider = ''
LEFT JOIN src_providers p ON p.provider = b.book_provider AND p.provider <> ''
GROUP BY b.book_provider, b.book;
