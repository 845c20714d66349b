-- fct_charges: the verdict of every charge of the careful kind.
--
-- Why:    the one place where a charge is called what it is.
-- Reads:  int_charges, int_matches, int_executions, int_own_charges, int_races, int_call_books,
--         int_repeated_keys, int_windows, int_lines, src_attempts
-- Writes: fct_charges
-- Grain:  charge_no
-- Units:  is_closed and settled_at as closed and settles_at of int_call_books, of a charge that
--         nothing explains when it was made
-- Params: partial_output_pct, per cent of the delivered output up to which a bill stopped
--         early, default 80
-- Rule:   design section 4, the table of verdicts: the first rule that holds. There is no
--         ELSE; a check proves that none is needed
-- Look at: testdata/queries/fct_charges/timed_out_and_retried
CREATE OR REPLACE TABLE fct_charges AS
WITH facts AS (
    SELECT c.charge_no, c.book_provider, c.book, c.currency, c.charge_id, c.charged_at, c.amount, c.output_tokens,
        c.request_id AS billed_request, c.api_key AS billed_key, c.model_key AS billed_model, c.cancelled,
        finished(c.finish_reason) AS finished,
        m.exec_id, m.match, m.hidden, m.confidence, m.gives, m.island, m.open, coalesce(m.lead, false) AS lead, m.request_key, m.call_no,
        e.refused, e.never_connected, e.ran, e.succeeded, e.delivering, e.inner_line, e.outcome, e.stage, e.lost,
        e.output_tokens AS logged_output, e.t1, e.model_key, e.provider, e.top_row,
        coalesce(o.own, false) AS own, r.exec_id IS NOT NULL AS lost_race,
        b.app_ran, b.delivered, b.stand_in, b.delivered_charge, b.delivered_output, b.delivering_exec, b.closed, b.settles_at,
        k.charge_no IS NOT NULL AS repeats_key,
        w.stamp, w.noise_ms, w.resolution_ms, w.expected
    FROM int_charges c
    LEFT JOIN int_matches m ON m.charge_no = c.charge_no
    LEFT JOIN int_executions e ON e.exec_id = m.exec_id
    LEFT JOIN int_windows w ON w.exec_id = m.exec_id AND w.book_provider = c.book_provider AND w.book = c.book
    LEFT JOIN int_own_charges o ON o.charge_no = c.charge_no
    LEFT JOIN int_races r ON r.exec_id = m.exec_id
    LEFT JOIN int_call_books b ON b.request_key = m.request_key AND b.call_no = m.call_no
        AND b.book_provider = c.book_provider AND b.book = c.book
    LEFT JOIN int_repeated_keys k ON k.charge_no = c.charge_no
),
-- Of the charges that nothing explains, those whose request the log knows.
unexplained AS (
    SELECT c.request_id FROM int_charges c ANTI JOIN int_matches m ON m.charge_no = c.charge_no WHERE c.request_id IS NOT NULL
),
known_requests AS (
    SELECT request_id FROM int_lines WHERE request_id IN (FROM unexplained)
    UNION
    SELECT request_id FROM src_attempts WHERE request_id IN (FROM unexplained)
),
judged AS (
    SELECT f.*, CASE
        -- No attempt explains it, or only a gap without room for a timeout does.
        WHEN f.exec_id IS NULL OR f.lead THEN 'orphan'
        -- It was refused or never connected, and the charge is this attempt's by receipt, by
        -- number, or by having no output: nothing was executed.
        WHEN NOT f.ran AND NOT f.succeeded THEN 'not_billable'
        WHEN f.refused AND f.output_tokens = 0 THEN 'not_billable'
        -- Its attempt delivered the call, by an answer or by a query after it ...
        WHEN f.own AND NOT f.hidden AND (f.delivering OR f.outcome = 'recovered') THEN 'delivered'
        -- ... or as one of several answers of different models ...
        WHEN f.own AND NOT f.hidden AND f.succeeded AND NOT f.lost_race THEN 'delivered'
        -- ... or the delivering attempt has no charge, and this one stands in for it ...
        WHEN f.stand_in = f.charge_no THEN 'delivered'
        -- ... or the whole answer had arrived and only the end of the stream was lost.
        WHEN f.own AND f.stage = 'stream' AND f.logged_output = f.output_tokens AND coalesce(f.finished, false) THEN 'delivered'
        -- It lost a race against another attempt with the same prompt.
        WHEN f.own AND f.lost_race THEN 'hedged'
        -- Nothing delivered this call.
        WHEN NOT f.delivered THEN 'undelivered'
        -- An execution inside an attempt that has another as its own: the SDK's retry, in a
        -- call that the application retried as well ...
        WHEN NOT f.own AND f.app_ran > 1 THEN 'double_retry'
        -- ... or did not.
        WHEN NOT f.own THEN 'sdk_retry'
        -- The attempt timed out or was cancelled, another delivered: the bill stops early ...
        WHEN f.outcome IN ('timeout', 'cancelled') AND NOT coalesce(f.finished, false) AND (
                f.cancelled
             OR (f.stamp = 'end' AND NOT f.lost AND abs(ms_between(f.expected, f.charged_at)) <= least(f.noise_ms, 1000) + f.resolution_ms)
             OR f.output_tokens * 100 <= setting('partial_output_pct') * f.delivered_output) THEN 'partial_tokens'
        -- ... or runs to the end.
        WHEN f.outcome IN ('timeout', 'cancelled') THEN 'timeout_retry'
        -- The attempt failed in any other way, another delivered.
        WHEN NOT f.succeeded OR f.inner_line OR f.own THEN 'server_error_retry'
        END AS verdict
    FROM facts f
)
-- What no later question asks for is not written: each column of a table costs as much as a join.
SELECT j.* EXCLUDE (currency, charge_id, amount, billed_request, billed_model, cancelled, logged_output, t1, model_key, provider, top_row, delivering_exec,
        closed, settles_at, repeats_key), CASE j.verdict
        WHEN 'orphan' THEN CASE WHEN j.lead THEN 'lead' WHEN kr.request_id IS NOT NULL THEN 'other_call' ELSE 'no_log' END
        WHEN 'not_billable' THEN CASE WHEN j.never_connected THEN 'never_connected' ELSE 'refused' END
        WHEN 'delivered' THEN CASE WHEN j.outcome = 'recovered' AND j.own THEN 'recovered' WHEN j.delivering OR j.succeeded AND j.own THEN 'answered'
                                   WHEN j.stand_in = j.charge_no THEN 'stands_in' ELSE 'tail_lost' END
        WHEN 'hedged' THEN 'lost_race'
        WHEN 'undelivered' THEN 'no_delivery'
        WHEN 'double_retry' THEN CASE WHEN j.inner_line AND NOT j.hidden THEN 'inner_layer' ELSE 'hidden_retry' END
        WHEN 'sdk_retry' THEN CASE WHEN j.inner_line AND NOT j.hidden THEN 'inner_layer' ELSE 'hidden_retry' END
        WHEN 'partial_tokens' THEN CASE WHEN j.cancelled THEN 'cancelled'
                                        WHEN coalesce(j.output_tokens * 100 <= setting('partial_output_pct') * j.delivered_output, false) THEN 'fewer_tokens'
                                        ELSE 'cut_off' END
        WHEN 'timeout_retry' THEN 'billed_in_full'
        WHEN 'server_error_retry' THEN 'failed_and_retried' END AS reason,
    CASE WHEN j.verdict IN ('orphan', 'delivered') THEN 'none'
         WHEN j.verdict = 'not_billable' THEN 'vendor_dispute'
         WHEN j.repeats_key THEN 'vendor_dispute'
         ELSE 'own_policy' END AS recovery,
    j.verdict IN ('not_billable', 'hedged', 'double_retry', 'sdk_retry', 'partial_tokens', 'timeout_retry', 'server_error_retry') AS is_excess,
    j.verdict = 'orphan' OR coalesce(j.closed, false) AS is_closed, CASE WHEN j.verdict = 'orphan' THEN j.charged_at ELSE j.settles_at END AS settled_at,
    d.charge_id AS delivered_charge_id,
    j.verdict IN ('double_retry', 'sdk_retry', 'partial_tokens', 'timeout_retry', 'server_error_retry', 'hedged')
        AND (NOT agrees(coalesce(j.model_key, j.billed_model), coalesce(x.model_key, d.model_key))
             OR NOT agrees(coalesce(j.provider, nullif(j.book_provider, '')), coalesce(x.provider, nullif(d.book_provider, '')))) AS rerouted
FROM judged j
LEFT JOIN known_requests kr ON kr.request_id = j.billed_request
LEFT JOIN int_charges d ON d.charge_no = j.delivered_charge
LEFT JOIN int_executions x ON x.exec_id = j.delivering_exec;
