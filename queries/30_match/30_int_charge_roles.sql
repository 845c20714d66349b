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
repeats AS (
    SELECT *, CASE
        WHEN kind <> 'usage' THEN 'adjustment'
        WHEN amount < 0 THEN 'correction'
        WHEN charge_id IS NOT NULL AND row_number() OVER same_line > 1 THEN 'duplicate'
        ELSE 'item' END AS role,
        first_value(row_id) OVER same_line AS original
    FROM careful
    WINDOW same_line AS (
        PARTITION BY newest_file, book_provider, book, charge_id, line_item, request_id, vendor_request_id, attempt,
            charged_at, model, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, amount,
            currency, kind, amount < 0
        ORDER BY finish_reason, cancelled, generation_ms, unit_price, idempotency_key, api_key, source_line, row_id)
),
-- Within one id and time: where something that names the execution differs, the lines are
-- of different charges.
keyed AS (
    SELECT *, charge_id IS NOT NULL AND (
            min(request_id) OVER k <> max(request_id) OVER k OR min(vendor_request_id) OVER k <> max(vendor_request_id) OVER k
         OR min(attempt) OVER k <> max(attempt) OVER k OR min(model_key) OVER k <> max(model_key) OVER k) AS mixed
    FROM repeats
    WINDOW k AS (PARTITION BY book_provider, book, charge_id, charged_at, currency, role)
),
instanced AS (
    SELECT *, coalesce(mixed, false) AS apart,
        row_number() OVER (PARTITION BY role, book_provider, book, charge_id, charged_at, currency, line_item,
            CASE WHEN mixed THEN [coalesce(request_id, ''), coalesce(vendor_request_id, ''), coalesce(CAST(attempt AS VARCHAR), ''), coalesce(model_key, '')] END
            ORDER BY input_tokens, output_tokens, amount, cached_input_tokens, reasoning_tokens, finish_reason, cancelled, row_id) AS instance
    FROM keyed
),
-- The first line of a charge lends it its number.
numbered AS (
    SELECT *, CASE WHEN role = 'item' AND charge_id IS NOT NULL THEN min(row_id) OVER (
        PARTITION BY role, book_provider, book, charge_id, charged_at, currency, instance,
            CASE WHEN apart THEN [coalesce(request_id, ''), coalesce(vendor_request_id, ''), coalesce(CAST(attempt AS VARCHAR), ''), coalesce(model_key, '')] END)
        ELSE row_id END AS own_no
    FROM instanced
),
-- What a negative line corrects: the charge of its id, else of its receipt, else of its
-- request; the latest before it.
targets AS (
    SELECT n.row_id, c.own_no,
        row_number() OVER (PARTITION BY n.row_id ORDER BY coalesce(n.charge_id = c.charge_id, false) DESC,
            coalesce(n.vendor_request_id = c.vendor_request_id, false) DESC, coalesce(n.attempt = c.attempt, false) DESC,
            coalesce(n.line_item = c.line_item, false) DESC, c.charged_at > n.charged_at, c.charged_at DESC,
            c.amount DESC, c.charge_id, c.input_tokens, c.output_tokens, c.own_no) AS place
    FROM numbered n JOIN numbered c
      ON c.role = 'item' AND c.book_provider = n.book_provider AND c.book = n.book AND c.currency = n.currency
     AND agrees(c.model_key, n.model_key)
     AND (c.charge_id = n.charge_id OR c.vendor_request_id = n.vendor_request_id
          OR (c.request_id = n.request_id AND agrees(c.attempt, n.attempt)))
    WHERE n.role = 'correction'
)
SELECT n.row_id, n.role, coalesce(t.own_no, n.own_no) AS charge_no, t.own_no IS NOT NULL AS corrects,
    CASE WHEN n.role = 'duplicate' THEN n.original END AS copy_of
FROM numbered n LEFT JOIN targets t ON t.row_id = n.row_id AND t.place = 1;
