-- int_scope_rows: adds the rows that share an id with those that are looked at anew.
--
-- Why:    see int_scope_ids.
-- Reads:  int_scope_ids, src_attempts, src_charges
-- Writes: int_scope_rows
-- Grain:  (role, row_id)
-- Units:  as int_scope_rows
-- Params: scope_round: the ids of this round are followed
-- Rule:   request ids, charge ids and receipts on both sides; idempotency keys where they are honoured.
--         A charge id may be an attempt's receipt. Superseded lines come along and are left out later
-- Look at: testdata/queries/int_scope_rows_widened/receipt_is_a_charge_id
INSERT INTO int_scope_rows
WITH fresh AS (
    SELECT kind, id FROM int_scope_ids WHERE round = setting('scope_round')
),
found AS (
    SELECT 'attempts' AS role, row_id FROM src_attempts SEMI JOIN (SELECT id FROM fresh WHERE kind = 'request') f ON f.id = request_id
    UNION ALL
    SELECT 'attempts', row_id FROM src_attempts SEMI JOIN (SELECT id FROM fresh WHERE kind = 'charge') f ON f.id = vendor_request_id
    UNION ALL
    SELECT 'attempts', row_id FROM src_attempts SEMI JOIN (SELECT id FROM fresh WHERE kind = 'key') f ON f.id = idempotency_key
    UNION ALL
    SELECT 'charges', row_id FROM src_charges SEMI JOIN (SELECT id FROM fresh WHERE kind = 'request') f ON f.id = request_id
    UNION ALL
    SELECT 'charges', row_id FROM src_charges SEMI JOIN (SELECT id FROM fresh WHERE kind = 'charge') f ON f.id = charge_id
    UNION ALL
    SELECT 'charges', row_id FROM src_charges SEMI JOIN (SELECT id FROM fresh WHERE kind = 'charge') f ON f.id = vendor_request_id
    UNION ALL
    SELECT 'charges', row_id FROM src_charges SEMI JOIN (SELECT id FROM fresh WHERE kind = 'key') f ON f.id = idempotency_key
)
SELECT DISTINCT role, row_id, setting('scope_round') + 1 FROM found
ANTI JOIN int_scope_rows r ON r.role = found.role AND r.row_id = found.row_id;
