-- int_attempt_ids: the ids of the attempts, as numbers.
--
-- Why:    a night asks which rows of the years before share an id with its own; a number is read
--         ten times as fast as the text.
-- Reads:  src_attempts
-- Writes: int_attempt_ids
-- Grain:  one row for each id of an attempt; two ids of one attempt may be one number
-- Units:  id is id_number of the kind (as in int_scope_ids) and the text
-- Params: none
-- Rule:   written by a reconcile, read by the next. Two ids may share a number: a row too many is then looked at
--         anew, which changes nothing
-- Look at: testdata/queries/int_attempt_ids/three_kinds
CREATE OR REPLACE TABLE int_attempt_ids AS
SELECT row_id, id_number('request', request_id) AS id FROM src_attempts WHERE request_id IS NOT NULL
UNION ALL
SELECT row_id, id_number('charge', vendor_request_id) FROM src_attempts WHERE vendor_request_id IS NOT NULL
UNION ALL
SELECT row_id, id_number('key', idempotency_key) FROM src_attempts WHERE idempotency_key IS NOT NULL;
