-- rpt_explained_hits: the lines of log and bill on which an id stands, and as what.
--
-- Why:    a person has an id from a ticket and need not know what kind of id it is.
-- Reads:  src_attempts, int_charge_lines
-- Writes: rpt_explained_hits
-- Grain:  (way, attempt_row, charge_row); one of the two rows is NULL
-- Units:  way is request, charge or receipt
-- Params: explained_id, the id as it was typed
-- Rule:   design section 7, explain
-- Look at: testdata/queries/rpt_explained_hits/one_id_in_three_roles
CREATE OR REPLACE TABLE rpt_explained_hits AS
SELECT 'request' AS way, row_id AS attempt_row, CAST(NULL AS BIGINT) AS charge_row
FROM src_attempts WHERE request_id = getvariable('explained_id')
UNION ALL
SELECT 'receipt', row_id, NULL FROM src_attempts WHERE vendor_request_id = getvariable('explained_id')
UNION ALL
SELECT 'request', NULL, row_id FROM int_charge_lines WHERE request_id = getvariable('explained_id')
UNION ALL
SELECT 'charge', NULL, row_id FROM int_charge_lines WHERE charge_id = getvariable('explained_id')
UNION ALL
SELECT 'receipt', NULL, row_id FROM int_charge_lines WHERE vendor_request_id = getvariable('explained_id');
