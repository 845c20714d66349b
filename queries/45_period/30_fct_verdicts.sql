-- fct_verdicts: the verdict of every line of the bill.
--
-- Why:    the books are proved line by line; verdicts.csv is this table.
-- Reads:  int_charge_lines, int_charge_roles, fct_charges, int_simple_pairs,
--         int_executions, int_lines, int_outsiders, int_books, int_calibrations
-- Writes: fct_verdicts
-- Grain:  row_id
-- Units:  amount and excess in currency; excess is NULL where an excess line's amount is unknown;
--         alone: no other line has its charge_no, so that such charges are counted by counting
--         lines; simple: one of int_simple_pairs
-- Params: period_from, period_to: charges with from <= charged_at < to are in the report;
--         scope_provider, scope_model, scope_api_key narrow it
-- Rule:   design section 3, settled; section 4: all lines of a charge carry its verdict; the excess copy of a line
--         is a charge of its own; what is not usage is an adjustment
-- Look at: testdata/queries/fct_verdicts/line_items_share_a_verdict
CREATE OR REPLACE TABLE fct_verdicts AS
WITH shared AS ( -- a narrow look: numbering whole rows within their charge costs ten times as much
    SELECT charge_no FROM int_charge_roles GROUP BY charge_no HAVING count(*) > 1
),
-- A copy of a line belongs to the call of its original.
copies AS (
    SELECT r.row_id, f.request_key || ' ' || f.call_no AS call_key
    FROM int_charge_roles r JOIN int_charge_roles o ON o.row_id = r.copy_of JOIN fct_charges f ON f.charge_no = o.charge_no
    WHERE r.role = 'duplicate'
),
careful AS (
    SELECT r.row_id, r.role, r.charge_no, s.charge_no IS NULL AS alone,
        CASE r.role WHEN 'adjustment' THEN 'adjustment' WHEN 'duplicate' THEN 'duplicate_line' ELSE f.verdict END AS verdict,
        CASE r.role WHEN 'adjustment' THEN 'none' WHEN 'duplicate' THEN 'vendor_dispute' ELSE f.recovery END AS recovery,
        CASE r.role WHEN 'adjustment' THEN false WHEN 'duplicate' THEN true ELSE f.is_excess END AS is_excess,
        CASE WHEN r.role = 'duplicate' THEN 'same_line' WHEN f.reason = 'no_log' AND x.charge_no IS NOT NULL THEN 'outside_log' ELSE f.reason END AS reason,
        CASE WHEN r.role IN ('adjustment', 'duplicate') OR f.match IS NULL THEN 'none' WHEN f.lead THEN 'lead' ELSE f.match END AS match,
        CASE WHEN r.role NOT IN ('adjustment', 'duplicate') THEN f.confidence END AS confidence, coalesce(f.match = 'tokens', false) AS by_tokens,
        r.role NOT IN ('adjustment', 'duplicate') AND f.match IS NOT NULL AND NOT f.lead AS matched,
        CASE WHEN r.role = 'duplicate' THEN o.call_key
             WHEN r.role <> 'adjustment' THEN f.request_key || ' ' || f.call_no END AS call_key, f.exec_id, e.request_id,
        CASE WHEN r.role NOT IN ('adjustment', 'duplicate') THEN coalesce(l.attempt, CASE WHEN e.lost THEN e.n END) END AS attempt,
        f.delivered_charge_id, coalesce(f.rerouted, false) AS rerouted,
        CASE WHEN r.role IN ('adjustment', 'duplicate') THEN true ELSE f.is_closed END AS closed,
        CASE WHEN r.role NOT IN ('adjustment', 'duplicate') THEN f.settled_at END AS settled_at
    FROM int_charge_roles r
    LEFT JOIN fct_charges f ON f.charge_no = r.charge_no
    LEFT JOIN shared s ON s.charge_no = r.charge_no
    LEFT JOIN int_outsiders x ON x.charge_no = r.charge_no
    LEFT JOIN copies o ON o.row_id = r.row_id
    LEFT JOIN int_executions e ON e.exec_id = f.exec_id
    LEFT JOIN int_lines l ON l.row_id = e.top_row
),
-- One pass over the bill: a line is one of a simple pair, and delivered, or of the careful kind. Of a table with a
-- condition DuckDB expects a fifth: without one on the pairs, which all have a charge, it would hold the wide lines
-- of the bill in a hash table to look up the narrow pairs.
told AS (
    SELECT c.*, s.charge_row IS NOT NULL AS simple, f.role, coalesce(f.charge_no, c.row_id) AS charge_no, coalesce(f.alone, true) AS alone,
        CASE WHEN simple THEN 'delivered' ELSE f.verdict END AS verdict, CASE WHEN simple THEN 'none' ELSE f.recovery END AS recovery,
        CASE WHEN simple THEN false ELSE f.is_excess END AS is_excess,
        CASE WHEN simple THEN 'answered' WHEN f.role = 'adjustment' THEN c.kind ELSE f.reason END AS reason,
        CASE WHEN simple THEN s.match ELSE f.match END AS match, CASE WHEN simple AND s.match = 'tokens' THEN 0.999 ELSE f.confidence END AS confidence,
        CASE WHEN simple THEN true ELSE f.matched END AS matched,
        CASE WHEN simple THEN plus_ms(s.t0, k.offset_ms - k.skew_ms - k.resolution_ms) <= b.reach
             ELSE f.closed AND coalesce(f.settled_at <= b.reach, true) END AS settled,
        CASE WHEN simple THEN s.attempt ELSE coalesce(f.attempt, c.attempt) END AS told_attempt,
        CASE WHEN simple THEN c.charge_id ELSE f.delivered_charge_id END AS delivered_charge_id,
        coalesce(f.rerouted, false) AS rerouted, f.call_key, f.exec_id, 
        CASE WHEN simple THEN coalesce(s.request_id, c.request_id) WHEN f.by_tokens THEN coalesce(f.request_id, c.request_id) ELSE coalesce(c.request_id, f.request_id) END AS told_request
    FROM int_charge_lines c
    LEFT JOIN (FROM int_simple_pairs WHERE charge_row IS NOT NULL) s ON s.charge_row = c.row_id
    LEFT JOIN int_calibrations k ON k.book_provider = c.book_provider AND k.book = c.book AND k.day = s.day
    LEFT JOIN int_books b ON b.book_provider = c.book_provider AND b.book = c.book
    LEFT JOIN careful f ON f.row_id = c.row_id
)
SELECT row_id, charge_no, alone, simple, provider, book_provider, book, charge_id, line_item, charged_at, model, model_key,
    told_request AS request_id, told_attempt AS attempt, verdict, recovery, rerouted, amount, currency, kind,
    CASE WHEN is_excess THEN amount ELSE 0 END AS excess, is_excess, settled, match,
    CAST(coalesce(round(confidence, 3), CASE WHEN matched THEN 1 END) AS DECIMAL(4,3)) AS confidence, matched,
    delivered_charge_id, reason, call_key, exec_id, api_key, input_tokens, cached_input_tokens, output_tokens, file_no, source_line
FROM told
WHERE charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND charged_at < CAST(getvariable('period_to') AS TIMESTAMP)
  AND (getvariable('scope_provider') IS NULL OR book_provider = getvariable('scope_provider'))
  AND (getvariable('scope_model') IS NULL OR model_key = model_key(getvariable('scope_model')))
  AND (getvariable('scope_api_key') IS NULL OR api_key = getvariable('scope_api_key'));
