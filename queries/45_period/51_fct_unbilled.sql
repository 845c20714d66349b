-- fct_unbilled: delivered calls that a bill which covers them does not show.
--
-- Why:    the other direction of an audit; a vendor that under-bills, or an export cut short.
-- Reads:  int_executions, fct_calls, fct_call_books, int_calibrations, int_matches, int_bill_spans,
--         int_candidate_pairs, int_unnamed_pairs
-- Writes: fct_unbilled
-- Grain:  (request_key, call_no)
-- Units:  UTC
-- Params: none
-- Rule:   design section 4, the other direction: settled, delivered, no charge of the call in
--         any bill, and that provider's bill (for that key) covers its time. A cached answer owes none.
--         Of a call without receipt, and without an id that the bill knows, only its tokens can tell which charge
--         is its own
-- Empty:  NOT EXISTS (SELECT 1 FROM int_executions e ANTI JOIN (FROM int_matches WHERE book = 'bill' AND (NOT lead OR match =
--         'tokens')) m ON m.request_key = e.request_key AND m.call_no = e.call_no WHERE e.delivering AND NOT e.cached)
-- Look at: testdata/queries/fct_unbilled/inside_the_bill
CREATE OR REPLACE TABLE fct_unbilled AS
WITH named AS (
    -- whose charges bear the log's ids
    SELECT book_provider FROM int_candidate_pairs WHERE book = 'bill'
    UNION
    SELECT book_provider FROM int_matches WHERE book = 'bill' AND match IN ('attempt', 'request')
),
strange AS (
    SELECT book_provider FROM int_unnamed_pairs WHERE book = 'bill' AND match = 'tokens'
    UNION
    SELECT book_provider FROM int_matches WHERE book = 'bill' AND match = 'tokens' AND NOT lead
),
delivered AS (
    SELECT e.*, c.first_at FROM int_executions e JOIN fct_calls c ON c.request_key = e.request_key AND c.call_no = e.call_no
    WHERE NOT c.simple AND e.delivering AND NOT e.cached
)
SELECT DISTINCT d.request_key, d.call_no, d.request_id, d.t0 AS delivered_from, d.model, d.provider
FROM delivered d
JOIN fct_call_books b ON b.request_key = d.request_key AND b.call_no = d.call_no AND b.book = 'bill' AND b.settled
JOIN int_calibrations k ON k.book_provider = b.book_provider AND k.book = 'bill' AND k.day = d.day
JOIN int_bill_spans s ON s.book_provider = b.book_provider AND agrees(s.api_key, d.api_key)
WHERE agrees(d.provider, nullif(b.book_provider, '')) AND (d.receipt IS NOT NULL OR d.request_id IS NOT NULL AND (b.book_provider IN (FROM named) OR b.book_provider NOT IN (FROM strange))
        OR b.book_provider IN (FROM strange) AND d.input_tokens IS NOT NULL AND d.output_tokens IS NOT NULL)
  AND plus_ms(CASE WHEN k.stamp = 'end' THEN coalesce(d.t1, d.t0) ELSE d.t0 END, k.offset_ms) BETWEEN plus_ms(s.since, -k.skew_ms) AND plus_ms(s.until, k.skew_ms)
  AND NOT EXISTS (FROM int_matches m WHERE m.request_key = d.request_key AND m.call_no = d.call_no AND m.book = 'bill' AND (NOT m.lead OR m.match = 'tokens'));
