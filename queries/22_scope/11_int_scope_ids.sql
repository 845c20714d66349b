-- int_scope_ids: the ids of the rows that a reconcile looks at anew; to begin with, of those that changed.
--
-- Why:    all lines of a request, of a charge, of a receipt are matched and judged together.
-- Reads:  src_changes
-- Writes: int_scope_ids
-- Grain:  (kind, id)
-- Units:  kind is request, charge (receipts, too, since a charge id may be one) or key;
--         round as in int_scope_rows
-- Params: keys_honoured: 1 where some provider honours idempotency keys; else they join nothing
-- Rule:   what a row was before it was taken out or superseded counts as well
-- Look at: testdata/queries/int_scope_ids/three_kinds
CREATE OR REPLACE TABLE int_scope_ids AS
SELECT DISTINCT kind, id, CAST(0 AS BIGINT) AS round FROM (
    SELECT 'request' AS kind, request_id AS id FROM src_changes
    UNION ALL SELECT 'charge', charge_id FROM src_changes
    UNION ALL SELECT 'charge', vendor_request_id FROM src_changes
    UNION ALL SELECT 'key', idempotency_key FROM src_changes WHERE getvariable('keys_honoured') = '1')
WHERE id IS NOT NULL;
