-- fct_verdicts: the verdict of every line of the bill.
--
-- Why:    the books are proved line by line; verdicts.csv is this table.
-- Reads:  int_charge_lines, int_charge_roles, fct_charges, int_simple_pairs, src_attempts,
--         int_executions, int_lines, int_calibrations
-- Writes: fct_verdicts
-- Grain:  row_id
-- Units:  amount and excess in currency; excess is NULL where an excess line's amount is unknown
-- Params: period_from, period_to: charges with from <= charged_at < to are in the report;
--         scope_provider, scope_model, scope_api_key narrow it
-- Rule:   design section 4: all lines of a charge carry its verdict; the excess copy of a line
--         is a charge of its own; what is not usage is an adjustment
-- Look at: testdata/queries/fct_verdicts/line_items_share_a_verdict
CREATE OR REPLACE TABLE fct_verdicts AS
WITH plain AS (
    SELECT c.row_id, c.row_id AS charge_no, 'delivered' AS verdict, 'none' AS recovery, false AS is_excess,
        'answered' AS reason, s.match, true AS matched, CAST(NULL AS VARCHAR) AS call_key, CAST(NULL AS BIGINT) AS exec_id, coalesce(c.request_id, a.request_id) AS request_id, a.attempt,
        c.charge_id AS delivered_charge_id, false AS rerouted,
        plus_ms(coalesce(a.started_at, a.ended_at), k.offset_ms) <= plus_ms(k.newest, k.skew_ms + k.resolution_ms) AS settled
    FROM int_simple_pairs s
    JOIN int_charge_lines c ON c.row_id = s.charge_row
    JOIN src_attempts a ON a.row_id = s.attempt_row
    JOIN int_calibrations k ON k.book_provider = c.book_provider AND k.book = c.book
),
careful AS (
    SELECT c.row_id, r.charge_no,
        CASE r.role WHEN 'adjustment' THEN 'adjustment' WHEN 'duplicate' THEN 'duplicate_line' ELSE f.verdict END AS verdict,
        CASE r.role WHEN 'adjustment' THEN 'none' WHEN 'duplicate' THEN 'vendor_dispute' ELSE f.recovery END AS recovery,
        CASE r.role WHEN 'adjustment' THEN false WHEN 'duplicate' THEN true ELSE f.is_excess END AS is_excess,
        CASE r.role WHEN 'adjustment' THEN c.kind WHEN 'duplicate' THEN 'same_line' ELSE f.reason END AS reason,
        CASE WHEN r.role IN ('adjustment', 'duplicate') OR f.match IS NULL THEN 'none' WHEN f.lead THEN 'lead' ELSE f.match END AS match,
        r.role NOT IN ('adjustment', 'duplicate') AND f.match IS NOT NULL AND NOT f.lead AS matched,
        CASE WHEN r.role = 'duplicate' THEN fo.request_key || ' ' || fo.call_no
             WHEN r.role <> 'adjustment' THEN f.request_key || ' ' || f.call_no END AS call_key, f.exec_id,
        coalesce(c.request_id, e.request_id) AS request_id,
        CASE WHEN r.role IN ('adjustment', 'duplicate') THEN c.attempt ELSE coalesce(l.attempt, CASE WHEN e.lost THEN e.n END, c.attempt) END AS attempt,
        f.delivered_charge_id, coalesce(f.rerouted, false) AS rerouted,
        CASE WHEN r.role IN ('adjustment', 'duplicate') THEN true ELSE f.is_settled END AS settled
    FROM int_charge_roles r
    JOIN int_charge_lines c USING (row_id)
    LEFT JOIN fct_charges f ON f.charge_no = r.charge_no
    -- a copy of a line belongs to the call of its original
    LEFT JOIN int_charge_roles ro ON ro.row_id = r.copy_of
    LEFT JOIN fct_charges fo ON fo.charge_no = ro.charge_no
    LEFT JOIN int_executions e ON e.exec_id = f.exec_id
    LEFT JOIN int_lines l ON l.row_id = e.top_row
),
together AS (
    SELECT * FROM plain UNION ALL SELECT * FROM careful
)
SELECT t.row_id, t.charge_no, c.provider, c.book_provider, c.book, c.charge_id, c.line_item, c.charged_at, c.model, c.model_key, t.request_id, t.attempt,
    t.verdict, t.recovery, t.rerouted, c.amount, c.currency, c.kind,
    CASE WHEN t.is_excess THEN c.amount ELSE 0 END AS excess, t.is_excess, t.settled, t.match,
    CASE WHEN t.matched THEN CAST(1 AS DECIMAL(4,3)) END AS confidence, t.matched,
    t.delivered_charge_id, t.reason, t.call_key, t.exec_id, c.api_key, c.input_tokens, c.cached_input_tokens, c.output_tokens, c.file_no, c.source_line
FROM together t JOIN int_charge_lines c ON c.row_id = t.row_id
WHERE c.charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND c.charged_at < CAST(getvariable('period_to') AS TIMESTAMP)
  AND (getvariable('scope_provider') IS NULL OR c.book_provider = getvariable('scope_provider'))
  AND (getvariable('scope_model') IS NULL OR c.model_key = model_key(getvariable('scope_model')))
  AND (getvariable('scope_api_key') IS NULL OR c.api_key = getvariable('scope_api_key'));
