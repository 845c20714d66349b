-- int_candidate_pairs: ids with one delivered attempt and one charge, which nothing else touches.
--
-- Why:    nine calls in ten are like this. They calibrate the stamps, and they are settled
--         in one pass so that the careful rules see only the rest.
-- Reads:  src_attempts, int_charge_lines, int_numberings, src_models
-- Writes: int_candidate_pairs
-- Grain:  attempt_row; charge_row is unique as well
-- Units:  times UTC; day is the one on which the attempt began
-- Params: none
-- Rule:   design section 3, calibration: calls with one delivered attempt and one charge
-- Look at: testdata/queries/int_candidate_pairs/one_each
CREATE OR REPLACE TABLE int_candidate_pairs AS
-- Ids on several lines. They are counted by hash, which is three times cheaper than by text:
-- two ids that share one are merely not plain.
WITH several_attempts AS (
    SELECT hash(request_id) AS id FROM src_attempts WHERE request_id IS NOT NULL GROUP BY id HAVING count(*) > 1
),
several_charges AS (
    SELECT hash(request_id) AS id FROM int_charge_lines WHERE request_id IS NOT NULL GROUP BY id HAVING count(*) > 1
),
-- One line a layer: the innermost shows the execution. These, and the line items of one
-- charge, calibrate, but go the long way.
layered AS (
    SELECT request_id, arg_max(row_id, CASE layer WHEN 'app' THEN 0 WHEN 'sdk' THEN 1 ELSE 2 END) AS row_id
    FROM src_attempts SEMI JOIN several_attempts m ON m.id = hash(request_id)
    GROUP BY request_id HAVING count(*) > 1 AND bool_and(outcome = 'success')
       AND greatest(count(*) FILTER (WHERE layer = 'app'), count(*) FILTER (WHERE layer = 'sdk'), count(*) FILTER (WHERE layer NOT IN ('app', 'sdk'))) = 1
),
itemised AS (
    SELECT request_id, min(row_id) AS row_id, CAST(sum(input_tokens) AS BIGINT) AS input_tokens, CAST(sum(output_tokens) AS BIGINT) AS output_tokens
    FROM int_charge_lines SEMI JOIN several_charges m ON m.id = hash(request_id)
    GROUP BY request_id
    HAVING count(*) > 1 AND min(charge_id) = max(charge_id) AND count(charge_id) = count(*) AND min(charged_at) = max(charged_at)
       AND len(list_distinct(list(line_item))) = count(*) AND bool_and(kind = 'usage' AND coalesce(amount, 0) >= 0)
),
attempts AS (
    SELECT a.*, l.row_id IS NOT NULL AS layered
    FROM src_attempts a LEFT JOIN several_attempts m ON m.id = hash(a.request_id) LEFT JOIN layered l ON l.row_id = a.row_id
    WHERE a.kind = 'call' AND a.outcome = 'success' AND a.ended_at IS NOT NULL AND a.request_id IS NOT NULL
      AND (m.id IS NULL OR l.row_id IS NOT NULL)
),
charges AS (
    SELECT c.* REPLACE (CASE WHEN i.row_id IS NULL THEN c.input_tokens ELSE i.input_tokens END AS input_tokens,
            CASE WHEN i.row_id IS NULL THEN c.output_tokens ELSE i.output_tokens END AS output_tokens), i.row_id IS NOT NULL AS itemised
    FROM int_charge_lines c LEFT JOIN several_charges m ON m.id = hash(c.request_id) LEFT JOIN itemised i ON i.row_id = c.row_id
    WHERE c.kind = 'usage' AND coalesce(c.amount, 0) >= 0 AND c.request_id IS NOT NULL
      AND (m.id IS NULL OR i.row_id IS NOT NULL)
),
repeated_charge_ids AS (
    SELECT hash(charge_id) AS id FROM int_charge_lines WHERE charge_id IS NOT NULL GROUP BY id HAVING count(*) > 1
),
-- Receipts of the log and of the bill, and charge ids that are receipts in the log.
logged_receipts AS (
    SELECT hash(vendor_request_id) AS id, count(*) > 1 AS repeated FROM src_attempts WHERE vendor_request_id IS NOT NULL GROUP BY id
),
billed_receipts AS (
    SELECT hash(vendor_request_id) AS id, count(*) > 1 AS repeated FROM int_charge_lines WHERE vendor_request_id IS NOT NULL GROUP BY id
),
receipts_as_charge_ids AS (
    SELECT DISTINCT hash(charge_id) AS id FROM int_charge_lines SEMI JOIN logged_receipts r ON r.id = hash(charge_id) WHERE charge_id IS NOT NULL
),
paired AS (
    SELECT a.row_id AS attempt_row, c.row_id AS charge_row, c.book_provider, c.book, day_of(coalesce(a.started_at, a.ended_at)) AS day,
        c.itemised, a.layered, a.started_at, a.ended_at, c.charged_at,
        a.input_tokens AS logged_input, c.input_tokens AS billed_input,
        a.output_tokens AS logged_output, c.output_tokens AS billed_output,
        a.layer, a.vendor_request_id AS logged_receipt, c.vendor_request_id AS billed_receipt, c.charge_id, a.attempt,
        a.attempt + na.shift AS logged_n, c.attempt + nc.shift AS billed_n
    FROM attempts a JOIN charges c USING (request_id)
    JOIN int_numberings na ON na.file_no = a.file_no AND na.layer = a.layer AND na.counts_from IS NOT DISTINCT FROM a.counts_from
    JOIN int_numberings nc ON nc.file_no = c.file_no AND nc.layer = '' AND nc.counts_from IS NOT DISTINCT FROM c.counts_from
    LEFT JOIN src_models m ON m.alias = lower(a.model)
    WHERE coalesce(a.attempt + na.shift, 1) = 1
      AND agrees(a.provider, c.provider) AND agrees(coalesce(m.canonical, model_key(a.model)), c.model_key)
      AND agrees(a.input_tokens, c.input_tokens)
)
SELECT p.* EXCLUDE (logged_input, logged_output, logged_receipt, billed_receipt, charge_id),
    coalesce(logged_input = billed_input AND logged_output = billed_output, false) AS same_tokens,
    CASE WHEN logged_receipt = billed_receipt THEN receipt_shape(logged_receipt) END AS receipt_shape,
    CASE WHEN logged_receipt = billed_receipt OR logged_receipt = charge_id THEN 'receipt'
         WHEN logged_n = billed_n THEN 'attempt' ELSE 'request' END AS match
FROM paired p
LEFT JOIN repeated_charge_ids rc ON rc.id = hash(p.charge_id)
LEFT JOIN logged_receipts ll ON ll.id = hash(p.logged_receipt)
LEFT JOIN billed_receipts lb ON lb.id = hash(p.logged_receipt)
LEFT JOIN receipts_as_charge_ids lc ON lc.id = hash(p.logged_receipt)
LEFT JOIN logged_receipts bl ON bl.id = hash(p.billed_receipt)
LEFT JOIN billed_receipts bb ON bb.id = hash(p.billed_receipt)
LEFT JOIN logged_receipts cl ON cl.id = hash(p.charge_id)
WHERE (p.itemised OR rc.id IS NULL)
  -- A receipt that two lines share is a cached answer, or two layers of one attempt.
  AND (p.layered OR NOT coalesce(ll.repeated OR lb.repeated, false))
  AND (p.itemised OR NOT coalesce(bl.repeated OR bb.repeated, false))
  -- No receipt here may belong to a line elsewhere.
  AND CASE WHEN logged_receipt IS NULL THEN bl.id IS NULL AND cl.id IS NULL
           WHEN logged_receipt = billed_receipt OR logged_receipt = charge_id THEN true
           ELSE billed_receipt IS NULL AND lb.id IS NULL AND lc.id IS NULL END;
