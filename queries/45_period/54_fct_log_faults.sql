-- fct_log_faults: lines of the log that repeat another, and attempts that have none.
--
-- Why:    the reader should know how far the log can be trusted, for the time that is reported.
-- Reads:  int_attempt_copies, int_lost_lines, int_lines
-- Writes: fct_log_faults (a view)
-- Grain:  a line, or an attempt without one
-- Units:  kind is copy, lost (its line is missing) or unlogged (this client writes none)
-- Params: period_asked, period_from, period_to: by the time of the line, or of the one after the missing one
-- Rule:   design section 3, (1) and (5)
-- Look at: testdata/queries/fct_log_faults/one_of_each
CREATE OR REPLACE VIEW fct_log_faults AS
SELECT kind FROM (
    SELECT 'copy' AS kind, l.t0 AS "at" FROM int_attempt_copies c JOIN int_lines l ON l.row_id = c.row_id
    UNION ALL
    SELECT CASE WHEN cause = 'lost' THEN 'lost' ELSE 'unlogged' END, gap_to FROM int_lost_lines)
WHERE getvariable('period_asked') IS NULL
   OR ("at" >= CAST(getvariable('period_from') AS TIMESTAMP) AND "at" < CAST(getvariable('period_to') AS TIMESTAMP));
