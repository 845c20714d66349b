-- int_scope_ids: adds the ids of the rows that were added last.
--
-- Why:    a row that shares one id brings its others along.
-- Reads:  int_scope_rows, src_attempts, src_charges
-- Writes: int_scope_ids
-- Grain:  (kind, id)
-- Units:  as int_scope_ids
-- Params: scope_round: the rows of the next round are read; keys_honoured
-- Rule:   until no id is new
-- Look at: testdata/queries/int_scope_ids_widened/second_id_of_a_charge
INSERT INTO int_scope_ids
WITH fresh AS (
    SELECT role, row_id FROM int_scope_rows WHERE round = setting('scope_round') + 1
),
attempts AS (
    SELECT a.request_id, a.vendor_request_id, a.idempotency_key FROM src_attempts a SEMI JOIN (SELECT row_id FROM fresh WHERE role = 'attempts') f ON f.row_id = a.row_id
),
charges AS (
    SELECT c.request_id, c.charge_id, c.vendor_request_id, c.idempotency_key FROM src_charges c SEMI JOIN (SELECT row_id FROM fresh WHERE role = 'charges') f ON f.row_id = c.row_id
),
found AS (
    SELECT 'request' AS kind, request_id AS id FROM attempts UNION ALL SELECT 'charge', vendor_request_id FROM attempts
    UNION ALL SELECT 'request', request_id FROM charges UNION ALL SELECT 'charge', charge_id FROM charges
    UNION ALL SELECT 'charge', vendor_request_id FROM charges
    UNION ALL SELECT 'key', idempotency_key FROM attempts WHERE getvariable('keys_honoured') = '1'
    UNION ALL SELECT 'key', idempotency_key FROM charges WHERE getvariable('keys_honoured') = '1'
)
SELECT DISTINCT kind, id, setting('scope_round') + 1 FROM found
ANTI JOIN int_scope_ids i ON i.kind = found.kind AND i.id = found.id
WHERE id IS NOT NULL;
