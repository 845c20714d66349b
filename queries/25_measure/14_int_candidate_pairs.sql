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
repeated_charge_ids AS (
    SELECT hash(charge_id) AS id FROM int_charge_lines WHERE charge_id IS NOT NULL GROUP BY id HAVING count(*) > 1
),
-- Receipts of the log and of the bill.
logged_receipts AS (
    SELECT hash(vendor_request_id) AS id, count(*) > 1 AS repeated FROM src_attempts WHERE vendor_request_id IS NOT NULL GROUP BY id
),
billed_receipts AS (
    SELECT hash(vendor_request_id) AS id, count(*) > 1 AS repeated FROM int_charge_lines WHERE vendor_request_id IS NOT NULL GROUP BY id
),
-- A receipt that two lines share is a cached answer, or two layers of one attempt.
shared_receipts AS (
    SELECT id FROM logged_receipts WHERE repeated UNION ALL SELECT id FROM billed_receipts WHERE repeated
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
    FROM int_charge_lines
    WHERE request_id IS NOT NULL AND hash(request_id) IN (SELECT hash(request_id) FROM int_charge_lines SEMI JOIN repeated_charge_ids r ON r.id = hash(charge_id))
    GROUP BY request_id
    HAVING count(*) > 1 AND min(charge_id) = max(charge_id) AND count(charge_id) = count(*) AND min(charged_at) = max(charged_at)
       AND len(list_distinct(list(line_item))) = count(*) AND bool_and(kind = 'usage' AND coalesce(amount, 0) >= 0)
),
-- What is looked up with IN below is small, and stays the side that is hashed.
attempts AS (
    SELECT a.*, l.row_id IS NOT NULL AS layered
    FROM src_attempts a LEFT JOIN layered l ON l.row_id = a.row_id
    WHERE a.kind = 'call' AND a.outcome = 'success' AND a.ended_at IS NOT NULL AND a.request_id IS NOT NULL
      AND (l.row_id IS NOT NULL OR hash(a.request_id) NOT IN (SELECT id FROM several_attempts)
           AND (a.vendor_request_id IS NULL OR hash(a.vendor_request_id) NOT IN (SELECT id FROM shared_receipts)))
),
charges AS (
    SELECT c.* REPLACE (CASE WHEN i.row_id IS NULL THEN c.input_tokens ELSE i.input_tokens END AS input_tokens,
            CASE WHEN i.row_id IS NULL THEN c.output_tokens ELSE i.output_tokens END AS output_tokens), i.row_id IS NOT NULL AS itemised
    FROM int_charge_lines c LEFT JOIN itemised i ON i.row_id = c.row_id
    WHERE c.kind = 'usage' AND coalesce(c.amount, 0) >= 0 AND c.request_id IS NOT NULL
      AND (i.row_id IS NOT NULL OR hash(c.request_id) NOT IN (SELECT id FROM several_charges)
           AND (c.charge_id IS NULL OR hash(c.charge_id) NOT IN (SELECT id FROM repeated_charge_ids))
           AND (c.vendor_request_id IS NULL OR hash(c.vendor_request_id) NOT IN (SELECT id FROM shared_receipts)))
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
-- No receipt here may belong to a line elsewhere. (A key that is NULL looks up nothing.)
WHERE CASE WHEN logged_receipt IS NULL
           THEN NOT coalesce(CASE WHEN logged_receipt IS NULL AND billed_receipt IS NOT NULL THEN hash(billed_receipt) END IN (SELECT id FROM logged_receipts), false)
            AND NOT coalesce(CASE WHEN logged_receipt IS NULL AND charge_id IS NOT NULL THEN hash(charge_id) END IN (SELECT id FROM logged_receipts), false)
           WHEN logged_receipt = billed_receipt OR logged_receipt = charge_id THEN true
           ELSE billed_receipt IS NULL
            AND NOT coalesce(CASE WHEN billed_receipt IS NULL AND logged_receipt IS DISTINCT FROM charge_id THEN hash(logged_receipt) END IN (SELECT id FROM billed_receipts), false)
            AND NOT coalesce(CASE WHEN billed_receipt IS NULL AND logged_receipt IS DISTINCT FROM charge_id THEN hash(logged_receipt) END IN
                    (SELECT hash(charge_id) FROM int_charge_lines SEMI JOIN logged_receipts r ON r.id = hash(charge_id) WHERE charge_id IS NOT NULL), false) END;
