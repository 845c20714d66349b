-- rpt_explained_hints: ids that begin like one that was not found.
--
-- Why:    ids are cut short in tickets and on dashboards.
-- Reads:  src_attempts, int_charge_lines
-- Writes: rpt_explained_hints
-- Grain:  (way, id)
-- Units:  way is request, charge or receipt
-- Params: explained_id, the id as it was typed
-- Rule:   our choice: a beginning is enough if only one id has it
-- Look at: testdata/queries/rpt_explained_hints/two_ids_begin_alike
CREATE OR REPLACE TABLE rpt_explained_hints AS
WITH ids AS (
    SELECT 'request' AS way, request_id AS id FROM src_attempts
    UNION ALL SELECT 'receipt', vendor_request_id FROM src_attempts
    UNION ALL SELECT 'request', request_id FROM int_charge_lines
    UNION ALL SELECT 'charge', charge_id FROM int_charge_lines
    UNION ALL SELECT 'receipt', vendor_request_id FROM int_charge_lines
)
SELECT DISTINCT way, id FROM ids WHERE starts_with(id, getvariable('explained_id'));
