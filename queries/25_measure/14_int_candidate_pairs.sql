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
-- A receipt that two lines share is a cached answer, or two layers of one attempt.
shared_receipts AS (
    SELECT hash(vendor_request_id) AS id FROM src_attempts WHERE vendor_request_id IS NOT NULL GROUP BY id HAVING count(*) > 1
    UNION ALL
    SELECT hash(vendor_request_id) AS id FROM int_charge_lines WHERE vendor_request_id IS NOT NULL GROUP BY id HAVING count(*) > 1
),
-- Receipts of the log are looked up where an answer has none, those of the bill where a charge has none.
logged_receipts AS (
    SELECT hash(vendor_request_id) AS id FROM src_attempts
    WHERE vendor_request_id IS NOT NULL AND EXISTS (FROM src_attempts WHERE kind = 'call' AND outcome = 'success' AND vendor_request_id IS NULL)
),
billed_receipts AS (
    SELECT hash(id) AS id FROM (SELECT unnest([vendor_request_id, charge_id]) AS id FROM int_charge_lines
        WHERE EXISTS (FROM int_charge_lines WHERE kind = 'usage' AND coalesce(amount, 0) >= 0 AND vendor_request_id IS NULL))
    WHERE id IS NOT NULL
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
-- What is looked up with IN below is small, and stays the side that is hashed. Of a charge's own receipt and id, which are
-- only compared, a number is kept: charges are held in memory until they have met their attempts.
attempts AS (
    SELECT a.row_id, a.file_no, a.request_id, a.vendor_request_id, a.started_at, a.ended_at, a.provider, a.model, a.input_tokens, a.output_tokens,
        a.layer, a.attempt, a.counts_from, l.row_id IS NOT NULL AS layered,
        CASE WHEN a.vendor_request_id IS NOT NULL THEN hash(a.vendor_request_id) END AS receipt
    FROM src_attempts a LEFT JOIN layered l ON l.row_id = a.row_id
    WHERE a.kind = 'call' AND a.outcome = 'success' AND a.ended_at IS NOT NULL AND a.request_id IS NOT NULL
      AND (l.row_id IS NOT NULL OR hash(a.request_id) NOT IN (SELECT id FROM several_attempts)
           AND (a.vendor_request_id IS NULL OR hash(a.vendor_request_id) NOT IN (SELECT id FROM shared_receipts)))
),
charges AS (
    SELECT c.row_id, c.request_id, c.book_provider, c.book, c.model_key, c.charged_at, c.attempt + n.shift AS n, i.row_id IS NOT NULL AS itemised,
        CASE WHEN i.row_id IS NULL THEN c.input_tokens ELSE i.input_tokens END AS input_tokens,
        CASE WHEN i.row_id IS NULL THEN c.output_tokens ELSE i.output_tokens END AS output_tokens,
        CASE WHEN c.vendor_request_id IS NOT NULL THEN hash(c.vendor_request_id) END AS receipt, CASE WHEN c.charge_id IS NOT NULL THEN hash(c.charge_id) END AS id
    FROM int_charge_lines c LEFT JOIN itemised i ON i.row_id = c.row_id
    LEFT JOIN int_numberings n ON n.file_no = c.file_no AND n.layer = '' AND n.counts_from IS NOT DISTINCT FROM c.counts_from
    WHERE c.kind = 'usage' AND coalesce(c.amount, 0) >= 0 AND c.request_id IS NOT NULL
      AND (i.row_id IS NOT NULL OR hash(c.request_id) NOT IN (SELECT id FROM several_charges)
           AND (c.charge_id IS NULL OR hash(c.charge_id) NOT IN (SELECT id FROM repeated_charge_ids))
           AND (c.vendor_request_id IS NULL OR hash(c.vendor_request_id) NOT IN (SELECT id FROM shared_receipts)))
),
paired AS (
    SELECT a.row_id AS attempt_row, c.row_id AS charge_row, c.book_provider, c.book, day_of(coalesce(a.started_at, a.ended_at)) AS day,
        c.itemised, a.layered, a.started_at, a.ended_at, c.charged_at, c.output_tokens AS billed_output, a.layer, a.attempt,
        coalesce(a.input_tokens = c.input_tokens AND a.output_tokens = c.output_tokens, false) AS same_tokens,
        a.vendor_request_id AS logged, a.receipt AS logged_receipt, c.receipt AS billed_receipt, c.id AS charge_id,
        a.attempt + n.shift = c.n AS same_number
    FROM attempts a JOIN charges c USING (request_id)
    JOIN int_numberings n ON n.file_no = a.file_no AND n.layer = a.layer AND n.counts_from IS NOT DISTINCT FROM a.counts_from
    LEFT JOIN src_models m ON m.alias = lower(a.model)
    WHERE coalesce(a.attempt + n.shift, 1) = 1
      AND agrees(a.provider, nullif(c.book_provider, '')) AND agrees(coalesce(m.canonical, model_key(a.model)), c.model_key)
      AND agrees(a.input_tokens, c.input_tokens)
)
SELECT p.* EXCLUDE (logged, logged_receipt, billed_receipt, charge_id, same_number),
    CASE WHEN logged_receipt = billed_receipt THEN receipt_shape(logged) END AS receipt_shape,
    CASE WHEN logged_receipt = billed_receipt OR logged_receipt = charge_id THEN 'receipt' WHEN same_number THEN 'attempt' ELSE 'request' END AS match
FROM paired p
-- No receipt here may belong to a line elsewhere. (A key that is NULL looks up nothing.)
WHERE CASE WHEN logged_receipt IS NULL
           THEN NOT coalesce(CASE WHEN logged_receipt IS NULL THEN billed_receipt END IN (SELECT id FROM logged_receipts), false)
            AND NOT coalesce(CASE WHEN logged_receipt IS NULL THEN charge_id END IN (SELECT id FROM logged_receipts), false)
           WHEN logged_receipt = billed_receipt OR logged_receipt = charge_id THEN true
           ELSE billed_receipt IS NULL
            AND NOT coalesce(CASE WHEN billed_receipt IS NULL AND logged_receipt IS DISTINCT FROM charge_id THEN logged_receipt END IN (SELECT id FROM billed_receipts), false) END;
