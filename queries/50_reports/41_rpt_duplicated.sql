-- rpt_duplicated: the sheet "Duplicated requests": calls with a settled excess charge.
--
-- Why:    the unit that an engineer looks up.
-- Reads:  fct_verdicts, int_calls, int_call_lines, int_lines, int_line_parents
-- Writes: rpt_duplicated
-- Grain:  (call, book, currency); a duplicated line outside any call stands for itself
-- Units:  currency; times UTC; paid = due + excess of the call's lines; place counts from 1;
--         due_at_least, excess_at_least: the amount of a line in it is unknown
-- Params: paid_book
-- Rule:   design section 7, duplicated; our choice: the paid book first, then the dearest.
--         layers are those that wrote a line of the call
-- Look at: testdata/queries/rpt_duplicated/paid_is_due_and_excess
CREATE OR REPLACE TABLE rpt_duplicated AS
WITH lines AS (
    SELECT *, coalesce(call_key, 'line ' || row_id) AS unit FROM fct_verdicts WHERE settled AND NOT simple
),
found AS (
    SELECT DISTINCT unit, book, currency FROM lines WHERE is_excess AND excess > 0
),
counted AS (
    SELECT l.unit, l.book, l.currency, l.verdict, count_charges(l.charge_no, l.alone, true) AS n
    FROM lines l JOIN found f ON f.unit = l.unit AND f.book = l.book AND f.currency = l.currency
    WHERE l.is_excess GROUP BY l.unit, l.book, l.currency, l.verdict
),
named AS (
    SELECT unit, book, currency, array_to_string(list_sort(list(verdict || CASE WHEN n > 1 THEN ' ×' || n ELSE '' END)), ', ') AS verdicts
    FROM counted GROUP BY unit, book, currency
),
-- Calls are found by the lines of one of their charges.
summed AS (
    SELECT l.unit, l.book, l.currency, max(l.request_id) AS request_id, array_to_string(list_sort(list_distinct(list(l.provider))), ', ') AS provider,
        array_to_string(list_sort(list_distinct(list(l.model))), ', ') AS model, min(l.charged_at) AS first_at, max(l.charged_at) AS last_at,
        count_charges(l.charge_no, l.alone, true) AS charges, coalesce(sum(l.amount), 0) AS paid, coalesce(sum(l.excess), 0) AS excess,
        bool_or(l.amount IS NULL AND NOT l.is_excess) AS due_at_least, bool_or(l.amount IS NULL AND l.is_excess) AS excess_at_least
    FROM lines l JOIN found f ON f.unit = l.unit AND f.book = l.book AND f.currency = l.currency
    GROUP BY l.unit, l.book, l.currency
),
-- The layers of the found calls alone; nearly all logs have one.
layered AS (
    SELECT cl.request_key || ' ' || cl.call_no AS unit, array_to_string(list_sort(list_distinct(list(l.layer))), ', ') AS layers
    FROM (SELECT request_key, call_no, row_id FROM int_call_lines
          UNION ALL SELECT c.request_key, c.call_no, p.row_id FROM int_call_lines c JOIN int_line_parents p ON p.parent_row = c.row_id) cl
    JOIN int_lines l ON l.row_id = cl.row_id
    WHERE cl.request_key || ' ' || cl.call_no IN (SELECT unit FROM found)
    GROUP BY cl.request_key, cl.call_no
)
SELECT row_number() OVER (ORDER BY s.book <> getvariable('paid_book'), s.excess DESC, coalesce(c.first_at, s.first_at), s.unit, s.book, s.currency) AS place,
    s.unit, s.request_id, coalesce(c.call_no, 1) AS call_no, coalesce(s.provider, '') AS provider, s.book, coalesce(s.model, '') AS model,
    coalesce(c.first_at, s.first_at) AS first_at, coalesce(c.last_at, s.last_at) AS last_at, coalesce(c.highest_n, c.lines, 1) AS attempts, s.charges,
    coalesce(y.layers, '') AS layers, n.verdicts, s.currency, s.paid, s.paid - s.excess AS due, s.excess, s.due_at_least, s.excess_at_least
FROM summed s
JOIN named n ON n.unit = s.unit AND n.book = s.book AND n.currency = s.currency
LEFT JOIN layered y ON y.unit = s.unit
LEFT JOIN int_calls c ON c.request_key || ' ' || c.call_no = s.unit;
