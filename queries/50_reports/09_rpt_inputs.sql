-- rpt_inputs: the files that a report rests on.
--
-- Why:    a database holds the files of years; a report of one month names those of that month.
-- Reads:  src_files
-- Writes: rpt_inputs (a view)
-- Grain:  file_no
-- Units:  as src_files
-- Params: over_database, period_asked, period_from, period_to
-- Rule:   an audit names all of its files; over a database those that brought rows of
--         the period, or lines that could not be read, and the price lists
-- Look at: testdata/queries/rpt_inputs/files_of_a_month
CREATE OR REPLACE VIEW rpt_inputs AS
SELECT * FROM src_files
WHERE getvariable('over_database') IS NULL
   OR ((loaded > 0 OR rejected > 0) AND (role = 'prices' OR getvariable('period_asked') IS NULL
       OR (first_at < CAST(getvariable('period_to') AS TIMESTAMP) AND last_at >= CAST(getvariable('period_from') AS TIMESTAMP))));
