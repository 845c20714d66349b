-- src_pruned: the rows that prune takes out.
--
-- Why:    raw rows of years fill disks; the totals and findings of their periods are kept in
--         pub_reports and pub_findings.
-- Reads:  src_attempts, src_charges
-- Writes: src_pruned (temporary)
-- Grain:  (role, row_id)
-- Units:  none
-- Params: prune_before: rows before this time, UTC, go
-- Rule:   our choice: a call goes as a whole or not at all, so that a row stays which shares a
--         request id, a charge id or a receipt with one that stays
-- Look at: testdata/queries/src_pruned/a_call_over_the_border
CREATE OR REPLACE TEMP TABLE src_pruned AS
WITH staying AS (
    SELECT request_id, NULL AS charge_id, vendor_request_id FROM src_attempts
    WHERE coalesce(ended_at, started_at) >= CAST(getvariable('prune_before') AS TIMESTAMP)
    UNION ALL
    SELECT request_id, charge_id, vendor_request_id FROM src_charges WHERE charged_at >= CAST(getvariable('prune_before') AS TIMESTAMP)
),
ids AS (
    SELECT request_id AS id FROM staying WHERE request_id IS NOT NULL
    UNION SELECT charge_id FROM staying WHERE charge_id IS NOT NULL
    UNION SELECT vendor_request_id FROM staying WHERE vendor_request_id IS NOT NULL
)
SELECT 'attempts' AS role, row_id, file_no FROM src_attempts a
WHERE coalesce(ended_at, started_at) < CAST(getvariable('prune_before') AS TIMESTAMP)
    AND NOT EXISTS (SELECT 1 FROM ids WHERE id = a.request_id) AND NOT EXISTS (SELECT 1 FROM ids WHERE id = a.vendor_request_id)
UNION ALL
SELECT 'charges', row_id, file_no FROM src_charges c
WHERE charged_at < CAST(getvariable('prune_before') AS TIMESTAMP)
    AND NOT EXISTS (SELECT 1 FROM ids WHERE id = c.request_id) AND NOT EXISTS (SELECT 1 FROM ids WHERE id = c.vendor_request_id)
    AND NOT EXISTS (SELECT 1 FROM ids WHERE id = c.charge_id);
