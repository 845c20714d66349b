-- int_charge_ids: the ids of the lines of the bill, as numbers.
--
-- Why:    see int_attempt_ids.
-- Reads:  src_charges
-- Writes: int_charge_ids
-- Grain:  one row for each id of a line; a charge id that is the receipt as well stands once
-- Units:  id is id_number of the kind (as in int_scope_ids) and the text
-- Params: none
-- Rule:   as int_attempt_ids; superseded lines stand here, too
-- Look at: testdata/queries/int_charge_ids/receipt_is_the_charge_id
CREATE OR REPLACE TABLE int_charge_ids AS
SELECT row_id, id_number('request', request_id) AS id FROM src_charges WHERE request_id IS NOT NULL
UNION ALL
SELECT row_id, id_number('charge', charge_id) FROM src_charges WHERE charge_id IS NOT NULL
UNION ALL
SELECT row_id, id_number('charge', vendor_request_id) FROM src_charges WHERE vendor_request_id IS NOT NULL AND vendor_request_id IS DISTINCT FROM charge_id
UNION ALL
SELECT row_id, id_number('key', idempotency_key) FROM src_charges WHERE idempotency_key IS NOT NULL;
