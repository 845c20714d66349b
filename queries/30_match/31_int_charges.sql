-- int_charges: one row a charge of the careful kind: what is billed for one execution.
--
-- Why:    matching is about executions, the bill is about lines.
-- Reads:  int_charge_lines, int_charge_roles, int_numberings
-- Writes: int_charges
-- Grain:  charge_no
-- Units:  ord puts charges in an order that does not hang on their lines' order; it breaks
--         every tie below. Amount in currency, corrections included; NULL where a line's amount is unknown
-- Params: none
-- Rule:   design section 4, head: tokens of line items are summed
-- Look at: testdata/queries/int_charges/input_and_output_items
CREATE OR REPLACE TABLE int_charges AS
WITH lines AS (
    SELECT c.*, r.role, r.charge_no, c.attempt + n.shift AS n
    FROM int_charge_roles r JOIN int_charge_lines c USING (row_id)
    JOIN int_numberings n ON n.file_no = c.file_no AND n.layer = '' AND n.counts_from IS NOT DISTINCT FROM c.counts_from
    WHERE r.role = 'item' OR r.role = 'correction'
),
summed AS (
    SELECT charge_no, min(book_provider) AS book_provider, min(book) AS book, min(currency) AS currency,
        max(charge_id) FILTER (WHERE row_id = charge_no) AS charge_id,
        max(charged_at) FILTER (WHERE row_id = charge_no) AS charged_at,
        max(request_id) AS request_id, max(n) AS n, max(vendor_request_id) AS receipt,
        max(idempotency_key) AS idempotency_key, max(model_key) AS model_key, max(api_key) AS api_key,
        CAST(sum(input_tokens) FILTER (WHERE role = 'item') AS BIGINT) AS input_tokens,
        CAST(sum(cached_input_tokens) FILTER (WHERE role = 'item') AS BIGINT) AS cached_input_tokens,
        CAST(sum(output_tokens) FILTER (WHERE role = 'item') AS BIGINT) AS output_tokens,
        max(lower(finish_reason)) AS finish_reason, coalesce(bool_or(cancelled), false) AS cancelled,
        max(generation_ms) AS generation_ms,
        bool_or(line_item IS NOT NULL) AS itemised,
        CASE WHEN count(*) = count(amount) THEN sum(amount) END AS amount,
        -- a negative line that found nothing to correct can be nobody's execution
        count(*) FILTER (WHERE role = 'item') > 0 AS executable
    FROM lines GROUP BY charge_no
)
SELECT *, row_number() OVER (ORDER BY charged_at, request_id, charge_id, n, receipt, model_key, input_tokens, output_tokens, amount,
    cached_input_tokens, finish_reason, cancelled, generation_ms, idempotency_key, api_key, charge_no) AS ord
FROM summed;
