-- int_matches: every charge of the careful kind with the execution that owns or hid it.
--
-- Why:    one place to read the matching from.
-- Reads:  int_receipt_matches, int_number_matches, int_success_matches, int_window_matches,
--         int_hidden_matches, int_token_matches, int_windows, int_executions, int_charges
-- Writes: int_matches
-- Grain:  charge_no; a charge that nothing explains has no row
-- Units:  confidence from 0 to 1, NULL where an id says it; gives, island and open as in
--         int_token_matches
-- Params: none
-- Rule:   design section 3: what a better tier has taken, a later one cannot. A lost line
--         timed out if a timeout lies between, or failed with a status that a later line tells,
--         else its charge is a lead
-- Look at: testdata/queries/int_matches/lost_line_without_a_timeout_is_a_lead
CREATE OR REPLACE TABLE int_matches AS
WITH by_id AS (
    SELECT *, 'receipt' AS match, false AS hidden FROM int_receipt_matches
    UNION ALL SELECT *, 'attempt', false FROM int_number_matches
    UNION ALL SELECT *, 'request', false FROM int_success_matches
    UNION ALL SELECT *, 'request', false FROM int_window_matches
    UNION ALL SELECT *, 'request', true FROM int_hidden_matches
),
tiers AS (
    SELECT *, NULL AS confidence, NULL AS gives, NULL AS island, NULL AS open, false AS unlikely FROM by_id
    UNION ALL
    SELECT charge_no, exec_id, book_provider, book, 'tokens', hidden, confidence, gives, island, open, lead FROM int_token_matches
)
SELECT t.charge_no, t.exec_id, t.book_provider, t.book, t.match, t.hidden, e.request_key, e.call_no, e.top_row,
    t.unlikely OR e.lost AND NOT e.lost_timed_out AND e.outcome IS DISTINCT FROM 'server_error' AND NOT (
        NOT e.start_known AND coalesce(ms_between(c.charged_at, w.closes) >= e.timeout_ms, false)) AS lead,
    t.confidence, t.gives, t.island, t.open
FROM tiers t
JOIN int_executions e ON e.exec_id = t.exec_id
JOIN int_windows w ON w.exec_id = t.exec_id AND w.book_provider = t.book_provider AND w.book = t.book
JOIN int_charges c ON c.charge_no = t.charge_no;
