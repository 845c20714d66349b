-- rpt_disputes: the sheet "Dispute": what the vendor should give back, line by line.
--
-- Why:    a vendor acts on a list that it can find in its own books, and on nothing else.
-- Reads:  fct_verdicts, fct_refunds, int_charge_lines, int_executions, src_files
-- Writes: rpt_disputes (a view)
-- Grain:  finding, a line of the bill; finding names it in every run: it is made of what the vendor wrote
--         and of the line's place among equal ones, not of a file's name
-- Units:  currency; times UTC; claim = excess - refunded
-- Params: paid_book
-- Rule:   design section 4: recovery vendor_dispute, settled, of the book that is paid. A refund that names the
--         charge lowers its claim; one that names its request, what is left of that request's
-- Look at: testdata/queries/rpt_disputes/a_refund_lowers_the_claim
CREATE OR REPLACE VIEW rpt_disputes AS
WITH claims AS (
    SELECT v.*, row_number() OVER (PARTITION BY v.provider, v.charge_id, v.line_item, v.request_id, v.charged_at, v.model, v.amount, v.currency
            ORDER BY f.file, v.source_line, v.row_id) AS copy, f.file
    FROM fct_verdicts v JOIN src_files f USING (file_no)
    WHERE v.is_excess AND v.settled AND v.excess > 0 AND v.recovery = 'vendor_dispute' AND v.book = getvariable('paid_book')
),
-- Which of the refunds name a charge that is excess; the others serve their request.
refunds AS (
    SELECT r.book_provider, r.currency, r.charge_id, coalesce(r.request_id, d.request_id) AS request_id, r.applied, x.charge_id IS NOT NULL AS by_charge
    FROM fct_refunds r
    LEFT JOIN (SELECT DISTINCT book_provider, currency, charge_id FROM fct_verdicts
               WHERE is_excess AND settled AND book = getvariable('paid_book')) x
      ON x.book_provider = r.book_provider AND x.currency = r.currency AND x.charge_id = r.charge_id
    LEFT JOIN (SELECT book_provider, charge_id, min(request_id) AS request_id FROM fct_verdicts
               WHERE verdict = 'delivered' AND charge_id IN (SELECT charge_id FROM fct_refunds) GROUP BY book_provider, charge_id) d
      ON d.book_provider = r.book_provider AND d.charge_id = r.charge_id
    WHERE r.book = getvariable('paid_book') AND r.applied > 0
),
by_charge AS (
    SELECT c.*, greatest(least(c.excess, coalesce(r.applied, 0) - coalesce(sum(c.excess) OVER (PARTITION BY c.book_provider, c.currency, c.charge_id
            ORDER BY c.charged_at, c.copy, c.row_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)), 0) AS refunded_here
    FROM claims c
    LEFT JOIN (SELECT book_provider, currency, charge_id, sum(applied) AS applied FROM refunds WHERE by_charge GROUP BY ALL) r
      ON r.book_provider = c.book_provider AND r.currency = c.currency AND r.charge_id = c.charge_id
),
by_request AS (
    SELECT c.*, c.refunded_here + greatest(least(c.excess - c.refunded_here, coalesce(r.applied, 0) - coalesce(sum(c.excess - c.refunded_here) OVER (
            PARTITION BY c.book_provider, c.currency, c.request_id
            ORDER BY c.charged_at, c.charge_id, c.copy, c.row_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)), 0) AS refunded
    FROM by_charge c
    LEFT JOIN (SELECT book_provider, currency, request_id, sum(applied) AS applied FROM refunds WHERE NOT by_charge GROUP BY ALL) r
      ON r.book_provider = c.book_provider AND r.currency = c.currency AND r.request_id = c.request_id
)
SELECT left(md5(CAST(to_json([CAST(c.provider AS VARCHAR), c.charge_id, c.line_item, c.request_id, CAST(epoch_us(c.charged_at) AS VARCHAR), c.model,
        money_text(c.amount), c.currency, CAST(c.copy AS VARCHAR)]) AS VARCHAR)), 12) AS finding,
    coalesce(nullif(c.book_provider, ''), 'unknown') AS vendor, c.row_id, c.charged_at, coalesce(c.charge_id, '') AS charge_id, coalesce(c.line_item, '') AS line_item,
    coalesce(c.request_id, '') AS request_id, coalesce(c.model, '') AS model, coalesce(c.api_key, '') AS api_key, c.input_tokens, c.output_tokens,
    c.amount, c.currency, c.excess, CAST(c.refunded AS DECIMAL(38,12)) AS refunded, CAST(c.excess - c.refunded AS DECIMAL(38,12)) AS claim,
    c.verdict, c.reason, c.match, coalesce(c.delivered_charge_id, '') AS delivered_charge_id,
    coalesce(l.idempotency_key, e.idempotency_key, '') AS idempotency_key, coalesce(l.vendor_request_id, e.receipt, '') AS vendor_request_id,
    coalesce(e.outcome, '') AS attempt_outcome, e.t0 AS attempt_started, CASE WHEN e.ended THEN e.t1 END AS attempt_ended, c.file AS source_file, c.source_line
FROM by_request c
JOIN int_charge_lines l ON l.row_id = c.row_id
LEFT JOIN int_executions e ON e.exec_id = c.exec_id;
