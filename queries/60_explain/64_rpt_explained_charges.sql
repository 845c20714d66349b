-- rpt_explained_charges: every charge of the calls that are told, with the facts on which its verdict rests.
--
-- Why:    why a verdict was given, and what would have changed it, is said from these columns.
-- Reads:  rpt_explained_parts, rpt_explained_fits, rpt_explained_keys, rpt_explained_edges, fct_charges,
--         int_call_books, int_simple_pairs, int_calibrations, int_executions, int_windows
-- Writes: rpt_explained_charges
-- Grain:  charge_no; a copy of a line is a charge of its own
-- Units:  charged_at, opens, closes and expected by the bill's clock, drawn_at by the log's; all UTC
-- Params: partial_output_pct, as in fct_charges
-- Rule:   design section 4; cut_short and few_tokens are the conditions of partial_tokens
-- Look at: testdata/queries/rpt_explained_charges/timed_out_and_retried
CREATE OR REPLACE TABLE rpt_explained_charges AS
WITH summed AS (
    SELECT charge_no, min(place) AS place, min(request_key) AS request_key, min(call_no) AS call_no, min(role) FILTER (WHERE row_id = charge_no) AS role,
        min(copy_of) AS copy_of, min(verdict) AS verdict, min(reason) AS reason, min(recovery) AS recovery, min(match) AS match,
        min(confidence) AS confidence, bool_and(settled) AS settled, bool_or(rerouted) AS rerouted,
        CASE WHEN count(*) = count(amount) THEN sum(amount) END AS amount,
        CASE WHEN count(*) = count(amount) THEN sum(excess) END AS excess, min(exec_id) AS exec_id,
        min(delivered_charge_id) AS delivered_charge_id, min(provider) AS provider, min(book_provider) AS book_provider, min(book) AS book,
        min(charge_id) FILTER (WHERE row_id = charge_no) AS charge_id, max(request_id) AS request_id, max(vendor_request_id) AS receipt,
        min(charged_at) FILTER (WHERE row_id = charge_no) AS charged_at, max(model) AS model, min(currency) AS currency,
        min(kind) AS kind, CAST(sum(input_tokens) FILTER (WHERE role <> 'correction') AS BIGINT) AS input_tokens,
        CAST(sum(cached_input_tokens) FILTER (WHERE role <> 'correction') AS BIGINT) AS cached_input_tokens,
        CAST(sum(output_tokens) FILTER (WHERE role <> 'correction') AS BIGINT) AS output_tokens,
        max(finish_reason) AS finish_reason, coalesce(bool_or(cancelled), false) AS cancelled, max(api_key) AS api_key, sum(refunded) AS refunded,
        sum(applied) AS applied, min(leads) AS leads
    FROM rpt_explained_parts GROUP BY charge_no
)
SELECT s.* REPLACE (coalesce(s.exec_id, p.attempt_row) AS exec_id), plus_ms(s.charged_at, -k.offset_ms) AS drawn_at,
    k.stamp, k.offset_ms, k.resolution_ms, k.measurable, k.orders, k.pairs, k.skew_ms,
    coalesce(f.hidden, false) AS hidden, coalesce(f.own, p.attempt_row IS NOT NULL) AS own, f.finished, coalesce(f.lost_race, false) AS lost_race,
    b.app_ran, coalesce(b.delivered, p.attempt_row IS NOT NULL) AS delivered, b.delivered_output, b.delivering_exec,
    coalesce(f.stand_in = f.charge_no, false) AS stand_in, f.stage, f.outcome, coalesce(f.succeeded, p.attempt_row IS NOT NULL) AS succeeded,
    f.refused, f.never_connected, coalesce(f.ran, p.attempt_row IS NOT NULL) AS ran, coalesce(f.inner_line, false) AS inner_line, coalesce(f.lost, false) AS lost,
    coalesce(f.lead, false) AS lead, w.opens, w.closes, w.expected, w.floor_ms,
    coalesce(f.stamp = 'end' AND NOT f.lost AND abs(ms_between(f.expected, f.charged_at)) <= least(f.noise_ms, 1000) + f.resolution_ms, false) AS cut_short,
    f.output_tokens * 100 <= setting('partial_output_pct') * f.delivered_output AS few_tokens, setting('partial_output_pct') AS partial_pct,
    y.key, y.idempotency, y.key_lifetime_ms, y.twin_charge_id, y.gap_ms,
    e.newest, e.endless, e.doubtful, e.settles_at,
    o.attempts, o.model_fits, o.input_fits, o.key_fits, o.ran_fits, o.time_fits, o.vacant_fits, o.logged_model, o.logged_input,
    o.opens AS fit_opens, o.closes AS fit_closes, o.spans, o.log_since, o.log_until
FROM summed s
LEFT JOIN int_simple_pairs p ON p.charge_row = s.charge_no
LEFT JOIN fct_charges f ON f.charge_no = s.charge_no
LEFT JOIN int_executions x ON x.exec_id = f.exec_id
LEFT JOIN int_calibrations k ON k.book_provider = s.book_provider AND k.book = s.book AND k.day = coalesce(x.day, p.day, day_of(s.charged_at))
LEFT JOIN int_windows w ON w.exec_id = f.exec_id AND w.book_provider = s.book_provider AND w.book = s.book
LEFT JOIN int_call_books b ON b.request_key = f.request_key AND b.call_no = f.call_no AND b.book_provider = s.book_provider AND b.book = s.book
LEFT JOIN rpt_explained_edges e ON e.request_key = s.request_key AND e.call_no = s.call_no AND e.book_provider = s.book_provider AND e.book = s.book
LEFT JOIN rpt_explained_fits o ON o.charge_no = s.charge_no
LEFT JOIN rpt_explained_keys y ON y.charge_no = s.charge_no;
