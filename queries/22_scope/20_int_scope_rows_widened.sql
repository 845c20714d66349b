-- int_scope_rows: adds the rows that share an id with those that are looked at anew.
--
-- Why:    see int_scope_ids.
-- Reads:  int_scope_ids, int_attempt_ids, int_charge_ids
-- Writes: int_scope_rows
-- Grain:  (role, row_id)
-- Units:  as int_scope_rows
-- Params: scope_round: the ids of this round are followed
-- Rule:   request ids, charge ids and receipts on both sides; idempotency keys where they are honoured.
--         A charge id may be an attempt's receipt. Superseded lines come along and are left out later.
--         Rows whose ids changed since the last reconcile stand in the scope by themselves
-- Look at: testdata/queries/int_scope_rows_widened/receipt_is_a_charge_id
INSERT INTO int_scope_rows
WITH fresh AS (
    SELECT DISTINCT id_number(kind, id) AS id FROM int_scope_ids WHERE round = setting('scope_round')
),
found AS (
    SELECT 'attempts' AS role, row_id FROM int_attempt_ids WHERE id IN (SELECT id FROM fresh)
    UNION ALL
    SELECT 'charges', row_id FROM int_charge_ids WHERE id IN (SELECT id FROM fresh)
)
SELECT DISTINCT role, row_id, setting('scope_round') + 1 FROM found
ANTI JOIN int_scope_rows r ON r.role = found.role AND r.row_id = found.row_id;
