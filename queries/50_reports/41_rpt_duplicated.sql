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
WITH settled_lines AS NOT MATERIALIZED (
    SELECT *, coalesce(call_key, 'line ' || row_id) AS unit FROM fct_verdicts WHERE settled AND NOT simple
),
-- Numbered, so that three texts are compared once and a number from then on.
found AS MATERIALIZED (
    SELECT row_number() OVER () AS no, unit, book, currency FROM (SELECT DISTINCT unit, book, currency FROM settled_lines WHERE is_excess AND excess > 0)
),
lines AS MATERIALIZED (
    SELECT f.no, l.verdict, l.charge_no, l.alone, l.is_excess, l.amount, l.excess, l.request_id, l.provider, l.model, l.charged_at
    FROM settled_lines l JOIN found f ON f.unit = l.unit AND f.book = l.book AND f.currency = l.currency
),
counted AS (
    SELECT no, verdict || CASE WHEN n > 1 THEN ' ×' || n ELSE '' END AS verdict
    FROM (SELECT no, verdict, count_charges(charge_no, alone, true) AS n FROM lines WHERE is_excess GROUP BY no, verdict)
),
-- Lists are dear, and most are of one word: they are made for the others alone.
named AS (
    SELECT no, min(verdict) AS verdict, count(*) AS verdicts FROM counted GROUP BY no
),
named_more AS (
    SELECT no, array_to_string(list_sort(list(verdict)), ', ') AS verdicts
    FROM counted SEMI JOIN (SELECT no FROM named WHERE verdicts > 1) m USING (no) GROUP BY no
),
-- Calls are found by the lines of one of their charges.
summed AS MATERIALIZED (
    SELECT no, max(request_id) AS request_id, min(provider) AS provider, min(provider) < max(provider) AS more_providers,
        min(model) AS model, min(model) < max(model) AS more_models, min(charged_at) AS first_at, max(charged_at) AS last_at,
        count_charges(charge_no, alone, true) AS charges, coalesce(sum(amount), 0) AS paid, coalesce(sum(excess), 0) AS excess,
        bool_or(amount IS NULL AND NOT is_excess) AS due_at_least, bool_or(amount IS NULL AND is_excess) AS excess_at_least
    FROM lines GROUP BY no
),
mixed AS (
    SELECT no, array_to_string(list_sort(list_distinct(list(provider))), ', ') AS provider, array_to_string(list_sort(list_distinct(list(model))), ', ') AS model
    FROM lines SEMI JOIN (SELECT no FROM summed WHERE more_providers OR more_models) m USING (no) GROUP BY no
),
-- The layers of the found calls alone; nearly all logs have one.
layers AS MATERIALIZED (
    SELECT cl.request_key || ' ' || cl.call_no AS unit, l.layer
    FROM (SELECT request_key, call_no, row_id FROM int_call_lines
          UNION ALL SELECT c.request_key, c.call_no, p.row_id FROM int_call_lines c JOIN int_line_parents p ON p.parent_row = c.row_id) cl
    JOIN int_lines l ON l.row_id = cl.row_id
    WHERE cl.request_key || ' ' || cl.call_no IN (SELECT unit FROM found)
),
layered AS (
    SELECT unit, min(layer) AS layer, min(layer) < max(layer) AS more FROM layers GROUP BY unit
),
layered_more AS (
    SELECT unit, array_to_string(list_sort(list_distinct(list(layer))), ', ') AS layers
    FROM layers SEMI JOIN (SELECT unit FROM layered WHERE more) m USING (unit) GROUP BY unit
)
SELECT row_number() OVER (ORDER BY f.book <> getvariable('paid_book'), s.excess DESC, coalesce(c.first_at, s.first_at), f.unit, f.book, f.currency) AS place,
    f.unit, s.request_id, coalesce(c.call_no, 1) AS call_no, coalesce(x.provider, s.provider, '') AS provider, f.book, coalesce(x.model, s.model, '') AS model,
    coalesce(c.first_at, s.first_at) AS first_at, coalesce(c.last_at, s.last_at) AS last_at, coalesce(c.highest_n, c.lines, 1) AS attempts, s.charges,
    coalesce(z.layers, y.layer, '') AS layers, coalesce(m.verdicts, n.verdict) AS verdicts, f.currency, s.paid, s.paid - s.excess AS due, s.excess, s.due_at_least, s.excess_at_least
FROM found f
JOIN summed s ON s.no = f.no
JOIN named n ON n.no = f.no
LEFT JOIN named_more m ON m.no = f.no
LEFT JOIN mixed x ON x.no = f.no
LEFT JOIN layered y ON y.unit = f.unit
LEFT JOIN layered_more z ON z.unit = f.unit
LEFT JOIN int_calls c ON c.request_key || ' ' || c.call_no = f.unit;
