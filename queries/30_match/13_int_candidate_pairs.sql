-- int_candidate_pairs: ids with one delivered attempt and one charge, which nothing else touches.
--
-- Why:    nine calls in ten are like this. They calibrate the stamps, and they are settled
--         in one pass so that the careful rules see only the rest.
-- Reads:  src_attempts, int_charge_lines, int_numberings, src_models
-- Writes: int_candidate_pairs
-- Grain:  attempt_row; charge_row is unique as well
-- Units:  times UTC
-- Params: none
-- Rule:   design section 3, calibration: calls with one delivered attempt and one charge
-- Look at: testdata/queries/int_candidate_pairs/one_each
CREATE OR REPLACE TABLE int_candidate_pairs AS
-- One line, or one line a layer: the innermost shows the execution.
WITH lone_attempts AS (
    SELECT request_id, CASE WHEN count(*) = 1 THEN min(row_id)
            ELSE arg_max(row_id, CASE layer WHEN 'app' THEN 0 WHEN 'sdk' THEN 1 ELSE 2 END) END AS row_id,
        count(*) > 1 AS layered
    FROM src_attempts
    WHERE request_id IS NOT NULL GROUP BY request_id HAVING count(*) = 1 OR (count(*) <= 3 AND count(DISTINCT layer) = count(*) AND bool_and(outcome = 'success'))
),
-- One line, or the line items of one charge; itemised charges calibrate, but go the long way.
charged_requests AS (
    SELECT request_id, min(row_id) AS row_id, count(*) AS lines FROM int_charge_lines
    WHERE request_id IS NOT NULL GROUP BY request_id
),
itemised AS (
    SELECT c.request_id, min(c.row_id) AS row_id, CAST(sum(c.input_tokens) AS BIGINT) AS input_tokens, CAST(sum(c.output_tokens) AS BIGINT) AS output_tokens
    FROM int_charge_lines c JOIN charged_requests r USING (request_id)
    WHERE r.lines > 1
    GROUP BY c.request_id
    HAVING count(DISTINCT c.charge_id) = 1 AND count(c.charge_id) = count(*) AND min(c.charged_at) = max(c.charged_at)
       AND count(DISTINCT c.line_item) = count(*) AND bool_and(c.kind = 'usage' AND coalesce(c.amount, 0) >= 0)
),
lone_charges AS (
    SELECT request_id, row_id, false AS itemised, NULL AS input_tokens, NULL AS output_tokens FROM charged_requests WHERE lines = 1
    UNION ALL
    SELECT request_id, row_id, true, input_tokens, output_tokens FROM itemised
),
repeated_charge_ids AS (
    SELECT charge_id FROM int_charge_lines
    WHERE charge_id IS NOT NULL GROUP BY charge_id HAVING count(*) > 1
),
-- A receipt that two lines share is a cached answer, or two layers of one attempt.
repeated_receipts AS (
    SELECT vendor_request_id FROM src_attempts
    WHERE vendor_request_id IS NOT NULL GROUP BY vendor_request_id HAVING count(*) > 1
    UNION
    SELECT vendor_request_id FROM int_charge_lines
    WHERE vendor_request_id IS NOT NULL GROUP BY vendor_request_id HAVING count(*) > 1
),
paired AS (
    SELECT a.row_id AS attempt_row, c.row_id AS charge_row, c.book_provider, c.book,
        lc.itemised, la.layered, a.started_at, a.ended_at, c.charged_at,
        a.input_tokens AS logged_input, CASE WHEN lc.itemised THEN lc.input_tokens ELSE c.input_tokens END AS billed_input,
        a.output_tokens AS logged_output, CASE WHEN lc.itemised THEN lc.output_tokens ELSE c.output_tokens END AS billed_output,
        a.vendor_request_id AS logged_receipt, c.vendor_request_id AS billed_receipt, c.charge_id,
        a.attempt + na.shift AS logged_n, c.attempt + nc.shift AS billed_n
    FROM lone_attempts la JOIN lone_charges lc USING (request_id)
    JOIN src_attempts a ON a.row_id = la.row_id
    JOIN int_charge_lines c ON c.row_id = lc.row_id
    JOIN int_numberings na ON na.file_no = a.file_no AND na.layer = a.layer AND na.counts_from IS NOT DISTINCT FROM a.counts_from
    JOIN int_numberings nc ON nc.file_no = c.file_no AND nc.layer = '' AND nc.counts_from IS NOT DISTINCT FROM c.counts_from
    LEFT JOIN src_models m ON m.alias = lower(a.model)
    WHERE a.kind = 'call' AND a.outcome = 'success' AND a.ended_at IS NOT NULL
      AND coalesce(a.attempt + na.shift, 1) = 1
      AND c.kind = 'usage' AND coalesce(c.amount, 0) >= 0
      AND agrees(a.provider, c.provider) AND agrees(coalesce(m.canonical, model_key(a.model)), c.model_key)
      AND agrees(a.input_tokens, CASE WHEN lc.itemised THEN lc.input_tokens ELSE c.input_tokens END)
)
SELECT *,
    coalesce(logged_input = billed_input AND logged_output = billed_output, false) AS same_tokens,
    CASE WHEN logged_receipt = billed_receipt OR logged_receipt = charge_id THEN 'receipt'
         WHEN logged_n = billed_n THEN 'attempt' ELSE 'request' END AS match
FROM paired p
WHERE (charge_id IS NULL OR itemised OR charge_id NOT IN (SELECT charge_id FROM repeated_charge_ids))
  AND (logged_receipt IS NULL OR layered OR logged_receipt NOT IN (SELECT vendor_request_id FROM repeated_receipts))
  AND (billed_receipt IS NULL OR itemised OR billed_receipt NOT IN (SELECT vendor_request_id FROM repeated_receipts))
  -- No receipt here may belong to a line elsewhere.
  AND (logged_receipt IS NULL OR logged_receipt = billed_receipt OR logged_receipt = charge_id
       OR (billed_receipt IS NULL
           AND NOT EXISTS (FROM int_charge_lines o WHERE o.vendor_request_id = p.logged_receipt)
           AND NOT EXISTS (FROM int_charge_lines o WHERE o.charge_id = p.logged_receipt)))
  AND (logged_receipt IS NOT NULL OR (
           NOT EXISTS (FROM src_attempts o WHERE o.vendor_request_id = p.billed_receipt)
       AND NOT EXISTS (FROM src_attempts o WHERE o.vendor_request_id = p.charge_id)));
