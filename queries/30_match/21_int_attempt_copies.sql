-- int_attempt_copies: lines that repeat another line of the same attempt.
--
-- Why:    a bridge that logs everything twice must not look like a vendor that forgot half
--         of its bill, nor like a retry.
-- Reads:  int_lines, int_charge_lines
-- Writes: int_attempt_copies
-- Grain:  row_id, of the copy; kept_row is the line that stands for both
-- Units:  ms
-- Params: copy_window_ms, how far apart two copies may start, default 100
-- Rule:   design section 3, (1). Two failed lines without receipts may be siblings of a
--         fan-out: they are copies only if they carry one idempotency key, or if the neighbouring
--         number shows one line, where
--         two siblings would have shown two. Answers are no copies if a bill holds as many
--         charges of them as there are lines: twins, each with its charge; without tokens and
--         receipts only an equal duration makes copies
-- Empty:  NOT EXISTS (SELECT 1 FROM int_lines GROUP BY hash(request_key, layer, kind, n) HAVING count(*) > 1)
-- Look at: testdata/queries/int_attempt_copies/logged_twice_40_ms_apart
CREATE OR REPLACE TABLE int_attempt_copies AS
-- Copies begin within a moment of each other and end alike. Only the requests that have such lines, mostly few, are
-- looked at; they are told by hash, since one too many does no harm.
WITH suspects AS (
    SELECT DISTINCT id FROM (
        SELECT hash(request_key) AS id, t0, lag(t0) OVER (PARTITION BY hash(request_key, layer, kind, n, outcome) ORDER BY t0) AS t0_before FROM int_lines)
    WHERE ms_between(t0_before, t0) <= setting('copy_window_ms')
),
ordered AS (
    SELECT *, lag(struct_pack(row_id, idempotency_key, t0, elapsed_ms, outcome, model_key, provider, receipt, input_tokens, output_tokens))
        OVER one_number AS p
    FROM int_lines WHERE hash(request_key) IN (SELECT id FROM suspects)
    WINDOW one_number AS (PARTITION BY request_key, layer, kind, n
        ORDER BY t0, t1, outcome, model_key, receipt, input_tokens, output_tokens, row_id)
),
-- How many charges of a bill speak of such an answer, and how many lines do.
billed_lines AS MATERIALIZED (
    SELECT request_id, model_key, output_tokens, book_provider, book, coalesce(charge_id, CAST(row_id AS VARCHAR)) AS charge
    FROM int_charge_lines
    WHERE request_id IN (SELECT request_id FROM ordered WHERE p IS NOT NULL) AND kind = 'usage'
),
billed AS (
    SELECT request_id, model_key, output_tokens, max(charges) AS charges FROM (
        SELECT request_id, model_key, output_tokens, book_provider, book, count(DISTINCT charge) AS charges
        FROM billed_lines WHERE output_tokens IS NOT NULL
        GROUP BY request_id, model_key, output_tokens, book_provider, book)
    GROUP BY request_id, model_key, output_tokens
),
billed_at_all AS (
    SELECT request_id, max(charges) AS charges FROM (
        SELECT request_id, book_provider, book, count(DISTINCT charge) AS charges FROM billed_lines GROUP BY request_id, book_provider, book)
    GROUP BY request_id
),
answers AS (
    SELECT request_id, layer, model_key, output_tokens, count(*) AS lines FROM ordered WHERE succeeded GROUP BY ALL
),
attempts AS (
    SELECT request_id, layer, count(*) AS lines FROM ordered WHERE ran AND kind = 'call' GROUP BY request_id, layer
),
compared AS (
    SELECT *, p IS NOT NULL AND ms_between(p.t0, t0) <= setting('copy_window_ms')
        AND outcome = p.outcome AND agrees(model_key, p.model_key) AND agrees(provider, p.provider)
        AND agrees(receipt, p.receipt) AND agrees(input_tokens, p.input_tokens)
        AND agrees(output_tokens, p.output_tokens)
        AND agrees(abs(elapsed_ms - p.elapsed_ms) <= CASE WHEN receipt IS NULL AND output_tokens IS NULL THEN 1 ELSE setting('copy_window_ms') END, true) AS alike,
        succeeded OR receipt = p.receipt OR idempotency_key = p.idempotency_key OR kind = 'query' AS telling,
        coalesce(abs(elapsed_ms - p.elapsed_ms) <= 1, false) AS same_elapsed
    FROM ordered
),
-- How many lines of each number are surely attempts of their own.
distinct_lines AS (
    SELECT request_key, layer, n, count(*) - count(*) FILTER (WHERE alike AND telling) AS lines
    FROM compared WHERE kind = 'call' GROUP BY request_key, layer, n
),
decided AS (
    SELECT c.*, NOT coalesce(c.succeeded AND NOT coalesce(c.receipt = c.p.receipt, false) AND CASE
            WHEN c.output_tokens IS NOT NULL THEN b.charges >= a.lines ELSE ba.charges >= t.lines END, false)
        AND coalesce(alike AND (telling OR same_elapsed AND coalesce(after.lines, before.lines) = 1), false) AS is_copy
    FROM compared c
    LEFT JOIN distinct_lines after ON after.request_key = c.request_key AND after.layer = c.layer AND after.n = c.n + 1
    LEFT JOIN distinct_lines before ON before.request_key = c.request_key AND before.layer = c.layer AND before.n = c.n - 1
    LEFT JOIN billed b ON b.request_id = c.request_id AND b.model_key = c.model_key AND b.output_tokens = c.output_tokens
    LEFT JOIN billed_at_all ba ON ba.request_id = c.request_id
    LEFT JOIN answers a ON a.request_id = c.request_id AND a.layer = c.layer AND a.model_key = c.model_key AND a.output_tokens = c.output_tokens
    LEFT JOIN attempts t ON t.request_id = c.request_id AND t.layer = c.layer
),
grouped AS (
    SELECT *, count(*) FILTER (WHERE NOT is_copy) OVER (PARTITION BY request_key, layer, kind, n
        ORDER BY t0, t1, outcome, model_key, receipt, input_tokens, output_tokens, row_id) AS group_no
    FROM decided
),
-- The line that says most stands for its group.
chosen AS (
    SELECT row_id, first_value(row_id) OVER (PARTITION BY request_key, layer, kind, n, group_no
        ORDER BY receipt IS NULL, output_tokens IS NULL, t0, t1, row_id) AS kept_row
    FROM grouped
)
SELECT row_id, kept_row FROM chosen WHERE row_id <> kept_row;
