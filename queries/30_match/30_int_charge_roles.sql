-- int_charge_roles: what each line of the bill is, before anyone asks for its attempt.
--
-- Why:    line items make up one charge, a line printed twice is not two executions, a
--         negative line corrects an earlier one, a refund is no usage.
-- Reads:  int_charge_lines, int_simple_pairs
-- Writes: int_charge_roles
-- Grain:  row_id
-- Units:  none
-- Params: none
-- Rule:   design section 4, head: different line items of one charge id at one time are one
--         charge; the same line again within one file is a duplicate (of lines of one id and time
--         only those of the newest file stand, so newest_file is that file, whoever brought them first);
--         any other content under a known id is a collision, a charge of its own
-- Look at: testdata/queries/int_charge_roles/same_id_other_content
CREATE OR REPLACE TABLE int_charge_roles AS
WITH careful AS (
    SELECT c.* FROM int_charge_lines c ANTI JOIN int_simple_pairs s ON s.charge_row = c.row_id
),
-- A line whose charge id no other has is a charge of its own. Only the rest, mostly few, are compared.
repeats AS (
    SELECT *, CASE
        WHEN kind <> 'usage' THEN 'adjustment'
        WHEN amount < 0 THEN 'correction'
        WHEN row_number() OVER same_line > 1 THEN 'duplicate'
        ELSE 'item' END AS role,
        first_value(row_id) OVER same_line AS original
    FROM careful
    WHERE charge_id IS NOT NULL
      AND hash(charge_id) IN (SELECT hash(charge_id) AS id FROM careful WHERE charge_id IS NOT NULL GROUP BY id HAVING count(*) > 1)
    WINDOW same_line AS (
        PARTITION BY newest_file, book_provider, book, charge_id, line_item, request_id, vendor_request_id, attempt,
            charged_at, model, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, amount,
            currency, kind
        ORDER BY finish_reason, cancelled, generation_ms, unit_price, idempotency_key, api_key, source_line, row_id)
),
-- Within one id and time: where something that names the execution differs, the lines are
-- of different charges.
keyed AS (
    SELECT *, coalesce(
            min(request_id) OVER k <> max(request_id) OVER k OR min(vendor_request_id) OVER k <> max(vendor_request_id) OVER k
         OR min(attempt) OVER k <> max(attempt) OVER k OR min(model_key) OVER k <> max(model_key) OVER k, false) AS apart
    FROM repeats
    WINDOW k AS (PARTITION BY book_provider, book, charge_id, charged_at, currency, role)
),
named AS (
    SELECT *, CASE WHEN apart THEN [coalesce(request_id, ''), coalesce(vendor_request_id, ''), coalesce(CAST(attempt AS VARCHAR), ''), coalesce(model_key, '')] END AS execution
    FROM keyed
),
instanced AS (
    SELECT row_id, role, original, book_provider, book, charge_id, charged_at, currency, execution,
        row_number() OVER (PARTITION BY role, book_provider, book, charge_id, charged_at, currency, line_item, execution
            ORDER BY input_tokens, output_tokens, amount, cached_input_tokens, reasoning_tokens, finish_reason, cancelled, row_id) AS instance
    FROM named
),
-- The first line of a charge lends it its number.
numbered AS (
    SELECT row_id, role, original, CASE WHEN role = 'item' THEN min(row_id) OVER (
        PARTITION BY role, book_provider, book, charge_id, charged_at, currency, instance, execution)
        ELSE row_id END AS own_no
    FROM instanced
),
corrections AS (
    SELECT * FROM careful WHERE kind = 'usage' AND amount < 0
),
-- Lines that share some id with a correction.
near_corrections AS (
    SELECT * FROM careful
    WHERE kind = 'usage' AND coalesce(amount, 0) >= 0
      AND (hash(charge_id) IN (SELECT hash(charge_id) FROM corrections WHERE charge_id IS NOT NULL)
        OR hash(vendor_request_id) IN (SELECT hash(vendor_request_id) FROM corrections WHERE vendor_request_id IS NOT NULL)
        OR hash(request_id) IN (SELECT hash(request_id) FROM corrections WHERE request_id IS NOT NULL))
),
-- What a negative line corrects: the charge of its id, else of its receipt, else of its
-- request; the latest before it.
targets AS (
    SELECT n.row_id, coalesce(o.own_no, c.row_id) AS own_no,
        row_number() OVER (PARTITION BY n.row_id ORDER BY coalesce(n.charge_id = c.charge_id, false) DESC,
            coalesce(n.vendor_request_id = c.vendor_request_id, false) DESC, coalesce(n.attempt = c.attempt, false) DESC,
            coalesce(n.line_item = c.line_item, false) DESC, c.charged_at > n.charged_at, c.charged_at DESC,
            c.amount DESC, c.charge_id, c.input_tokens, c.output_tokens, coalesce(o.own_no, c.row_id)) AS place
    FROM corrections n JOIN near_corrections c
      ON c.book_provider = n.book_provider AND c.book = n.book AND c.currency = n.currency
     AND agrees(c.model_key, n.model_key)
     AND (c.charge_id = n.charge_id OR c.vendor_request_id = n.vendor_request_id
          OR (c.request_id = n.request_id AND agrees(c.attempt, n.attempt)))
    LEFT JOIN numbered o ON o.row_id = c.row_id
    WHERE coalesce(o.role, 'item') = 'item'
)
SELECT c.row_id,
    coalesce(n.role, CASE WHEN c.kind <> 'usage' THEN 'adjustment' WHEN c.amount < 0 THEN 'correction' ELSE 'item' END) AS role,
    coalesce(t.own_no, n.own_no, c.row_id) AS charge_no, t.own_no IS NOT NULL AS corrects,
    CASE WHEN n.role = 'duplicate' THEN n.original END AS copy_of
FROM careful c LEFT JOIN numbered n ON n.row_id = c.row_id LEFT JOIN targets t ON t.row_id = c.row_id AND t.place = 1;
