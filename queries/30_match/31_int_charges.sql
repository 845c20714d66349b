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
WITH roles AS MATERIALIZED (
    SELECT row_id, charge_no, role = 'item' AS item,
        charge_no IN (SELECT charge_no FROM int_charge_roles WHERE role = 'item' OR role = 'correction' GROUP BY charge_no HAVING count(*) > 1) AS several
    FROM int_charge_roles WHERE role = 'item' OR role = 'correction'
),
-- Read anew where it is asked for: to keep so many columns of each line costs more than everything else here.
lines AS NOT MATERIALIZED (
    SELECT c.row_id, r.charge_no, c.row_id = r.charge_no AS first, c.book_provider, c.book, c.currency, c.charge_id, c.charged_at, c.request_id, c.attempt + n.shift AS n,
        c.vendor_request_id AS receipt, c.idempotency_key, c.model_key, c.api_key, r.item,
        CASE WHEN r.item THEN c.input_tokens END AS input_tokens, CASE WHEN r.item THEN c.cached_input_tokens END AS cached_input_tokens,
        CASE WHEN r.item THEN c.output_tokens END AS output_tokens, lower(c.finish_reason) AS finish_reason, coalesce(c.cancelled, false) AS cancelled,
        c.generation_ms, c.line_item IS NOT NULL AS itemised, c.amount,
        r.several
    FROM roles r JOIN int_charge_lines c USING (row_id)
    JOIN int_numberings n ON n.file_no = c.file_no AND n.layer = '' AND n.counts_from IS NOT DISTINCT FROM c.counts_from
),
-- Most charges are one line, and need no summing.
summed AS NOT MATERIALIZED (
    SELECT row_id AS line, charge_no, book_provider, book, currency, CASE WHEN first THEN charge_id END AS charge_id, CASE WHEN first THEN charged_at END AS charged_at,
        request_id, n, receipt, idempotency_key, model_key, api_key, input_tokens, cached_input_tokens, output_tokens,
        finish_reason, cancelled, generation_ms, itemised, amount,
        -- a negative line that found nothing to correct can be nobody's execution
        item AS executable
    FROM lines WHERE NOT several
    UNION ALL
    SELECT min(row_id), charge_no, min(book_provider), min(book), min(currency), max(charge_id) FILTER (WHERE first), max(charged_at) FILTER (WHERE first),
        max(request_id), max(n), max(receipt), max(idempotency_key), max(model_key), max(api_key),
        CAST(sum(input_tokens) AS BIGINT), CAST(sum(cached_input_tokens) AS BIGINT), CAST(sum(output_tokens) AS BIGINT),
        max(finish_reason), bool_or(cancelled), max(generation_ms), bool_or(itemised), CASE WHEN count(*) = count(amount) THEN sum(amount) END, bool_or(item)
    FROM lines WHERE several GROUP BY charge_no
),
-- The order is that of the stamps, told by narrow rows; the other columns are compared only where charges have one stamp.
timed AS MATERIALIZED (
    SELECT line, charge_no, rank() OVER (ORDER BY charged_at) AS ord, count(*) OVER (ORDER BY charged_at RANGE BETWEEN CURRENT ROW AND CURRENT ROW) > 1 AS tied FROM summed
),
ties AS (
    SELECT charge_no, row_number() OVER (PARTITION BY charged_at ORDER BY request_id, charge_id, n, receipt, model_key, input_tokens, output_tokens, amount,
        cached_input_tokens, finish_reason, cancelled, generation_ms, idempotency_key, api_key, charge_no) AS place
    FROM summed SEMI JOIN (FROM timed WHERE tied) s ON s.line = summed.line
)
SELECT c.* EXCLUDE (line), d.ord + coalesce(t.place - 1, 0) AS ord
FROM summed c LEFT JOIN timed d ON d.charge_no = c.charge_no LEFT JOIN ties t ON t.charge_no = c.charge_no;
