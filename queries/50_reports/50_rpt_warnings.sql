-- rpt_warnings: what the reader of the numbers must know.
--
-- Why:    a number travels with what qualifies it.
-- Reads:  rpt_inputs, fct_verdicts, fct_calls, rpt_calibrations, fct_log_faults,
--         fct_refunds, src_attempts, src_charges, src_files, src_meta, int_token_matches, int_token_books, int_strange_charges
-- Writes: rpt_warnings
-- Grain:  code
-- Units:  n counts what text speaks of
-- Params: over_database; paid_book; report_zone; period_asked, period_from, period_to
-- Rule:   design sections 3, 4 and 6
-- Look at: testdata/queries/rpt_warnings/id_reuse_is_said_once, rows_of_a_pruned_time
CREATE OR REPLACE TABLE rpt_warnings AS
WITH reused AS (
    SELECT count(*) AS ids, coalesce(sum(n), 0) AS calls FROM (
        SELECT request_id, count(*) AS n FROM fct_calls WHERE NOT simple AND state = 'succeeded' AND request_id IS NOT NULL GROUP BY request_id HAVING count(*) > 1)
),
collisions AS (
    SELECT count(*) AS n FROM (
        SELECT v.book_provider, v.book, v.charge_id FROM fct_verdicts v
        WHERE NOT v.simple AND v.charge_id IS NOT NULL AND v.kind = 'usage' AND v.amount >= 0 AND v.verdict <> 'duplicate_line'
        GROUP BY v.book_provider, v.book, v.charge_id HAVING min(v.charge_no) <> max(v.charge_no))
),
-- The lines of the period, if one was asked for.
log_lines AS NOT MATERIALIZED (
    SELECT request_id, vendor_request_id, clock_doubt FROM src_attempts WHERE (getvariable('period_asked') IS NULL OR (coalesce(started_at, ended_at) >= CAST(getvariable('period_from') AS TIMESTAMP) AND coalesce(started_at, ended_at) < CAST(getvariable('period_to') AS TIMESTAMP)))
),
bill_lines AS NOT MATERIALIZED (
    SELECT superseded_by, clock_doubt FROM src_charges WHERE (getvariable('period_asked') IS NULL OR (charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND charged_at < CAST(getvariable('period_to') AS TIMESTAMP)))
),
coverage AS (
    SELECT count(*) AS charges, count(*) FILTER (WHERE matched) AS explained FROM fct_verdicts
    WHERE kind = 'usage' AND verdict <> 'duplicate_line' AND book = getvariable('paid_book')
),
-- Files of a gateway that are log and bill in one, while other logs show none of its request ids.
gateways AS (
    SELECT f.file, f.file_no FROM src_files f
    WHERE f.role = 'attempts' AND f.sha256 IN (SELECT sha256 FROM src_files WHERE role = 'charges')
      AND EXISTS (FROM src_attempts WHERE layer <> 'gateway')
),
gateway_lines AS (
    SELECT g.file, g.file_no, a.request_id FROM gateways g JOIN src_attempts a ON a.file_no = g.file_no
    WHERE a.layer = 'gateway' AND (getvariable('period_asked') IS NULL OR (coalesce(started_at, ended_at) >= CAST(getvariable('period_from') AS TIMESTAMP) AND coalesce(started_at, ended_at) < CAST(getvariable('period_to') AS TIMESTAMP)))
),
apart AS (
    SELECT count(*) AS n, string_agg(DISTINCT file, ', ' ORDER BY file) AS names FROM gateway_lines
    WHERE file_no NOT IN (SELECT g.file_no FROM gateway_lines g JOIN src_attempts a ON a.request_id = g.request_id WHERE a.layer <> 'gateway')
),
doubts AS (
    SELECT count(*) FILTER (WHERE clock_doubt = 'skipped') AS skipped, count(*) FILTER (WHERE clock_doubt = 'repeated') AS repeated
    FROM (SELECT clock_doubt FROM log_lines UNION ALL SELECT clock_doubt FROM bill_lines)
),
-- Charges that thousands of a day are like, or more open attempts than can be weighed.
ambiguous AS (
    SELECT count(*) AS n FROM (
        SELECT charge_no FROM int_token_matches WHERE crowded
        UNION
        SELECT charge_no FROM int_strange_charges
        QUALIFY count(*) OVER (PARTITION BY book_provider, book, day, model_key, input_tokens) > 2000)
),
listed AS (
    SELECT 10 AS place, 'rejected_rows' AS code, sum(rejected) AS n,
        sum(rejected) || ' of ' || counted(sum(read), 'row', 'rows') || ' could not be read; totals are "at least" (rejects.csv)' AS text FROM rpt_inputs WHERE role IN ('attempts', 'charges')
    UNION ALL
    SELECT 16, 'totals_of_bills', sum(loaded), counted(sum(loaded), 'row of bills is a total by the day, key or model, which no attempt can be joined with; it is', 'rows of bills are totals by the day, key or model, which no attempt can be joined with; they are') || ' in no number here: retrytax invoice holds them against charges and log' FROM rpt_inputs WHERE role = 'bills'
    UNION ALL
    SELECT 11, 'unknown_amounts', count(*), counted(count(*), 'charge line has', 'charge lines have') || ' no amount; totals are "at least"' FROM fct_verdicts WHERE amount IS NULL
    UNION ALL
    SELECT 15, 'listed_amounts', count(*), counted(count(*), 'charge line names no amount and is', 'charge lines name no amount and are') || ' priced by a list (' || coalesce(max(l.file), '') || '): the vendor may ask for another' FROM fct_verdicts v
    SEMI JOIN (SELECT row_id FROM src_charges WHERE amount IS NULL AND listed_amount IS NOT NULL) s ON s.row_id = v.row_id
    CROSS JOIN (SELECT string_agg(file, ', ' ORDER BY file) AS file FROM rpt_inputs WHERE role = 'prices') l
    UNION ALL
    SELECT 12, 'unknown_currency', count(*), counted(count(*), 'charge line names', 'charge lines name') || ' no currency (XXX); give it with --currency' FROM fct_verdicts WHERE currency = 'XXX'
    UNION ALL
    SELECT 13, 'skipped_times', skipped, counted(skipped, 'local time does not exist: the clocks skipped it; it was', 'local times do not exist: the clocks skipped them; they were') || ' read as an hour later. Check --zone and --source-zone' FROM doubts
    UNION ALL
    SELECT 14, 'repeated_times', repeated, counted(repeated, 'local time', 'local times') || ' happened twice, before and after the clocks went back; one of the two was taken, an hour may be wrong. Write times with their offset' FROM doubts
    UNION ALL
    SELECT 20, 'id_reuse', ids, counted(ids, 'request id stands', 'request ids stand') || ' on more than one delivered call (' || calls || ' calls): the ids are reused, these calls are not duplicates of each other' FROM reused
    UNION ALL
    SELECT 21, 'id_collision', n, counted(n, 'charge id stands', 'charge ids stand') || ' on charges of different content; each was counted as a charge of its own' FROM collisions
    UNION ALL
    SELECT 30, 'overlapping_files', sum(known), counted(sum(known), 'row stood in another file already and was', 'rows stood in another file already and were') || ' counted once' FROM rpt_inputs
    UNION ALL
    SELECT 32, 'joined_exports', count(*), counted(count(*), 'file holds several exports one behind the other (the header stands in it again);', 'files hold several exports one behind the other (the header stands in them again);') || ' rows that repeat were counted once' FROM rpt_inputs WHERE joined
    UNION ALL
    SELECT 33, 'repeated_file', count(*), counted(count(*), 'file holds at least half of its charge lines twice', 'files hold at least half of their charge lines twice') || ': if exports were joined by hand, the vendor did not bill twice' FROM (
        SELECT file_no FROM fct_verdicts GROUP BY file_no HAVING count(*) >= 4 AND count(*) FILTER (WHERE verdict = 'duplicate_line') * 2 >= count(*))
    UNION ALL
    SELECT 31, 'superseded_rows', count(*), counted(count(*), 'charge line was', 'charge lines were') || ' replaced by a newer export' FROM bill_lines WHERE superseded_by IS NOT NULL
    UNION ALL
    SELECT 40, 'estimate_only', count(*) FILTER (WHERE book = 'estimate'),
        'only an estimate is loaded, no bill: what abandoned calls cost is not measurable from it' FROM fct_verdicts HAVING count(*) FILTER (WHERE book = 'bill') = 0
    UNION ALL
    SELECT 41, 'no_overlap', charges, 'no charge is explained by any line of the log: check period, zone, provider and the request id''s column' FROM coverage WHERE charges > 0 AND explained = 0
    UNION ALL
    SELECT 42, 'low_coverage', charges - explained, (charges - explained) || ' of ' || counted(charges, 'charge', 'charges') || CASE WHEN charges - explained = 1 THEN ' is' ELSE ' are' END || ' explained by no line of the log' FROM coverage WHERE explained > 0 AND explained * 10 < charges * 9
    UNION ALL
    SELECT 43, 'attempts_without_ids', count(*) FILTER (WHERE request_id IS NULL AND vendor_request_id IS NULL),
        count(*) FILTER (WHERE request_id IS NULL AND vendor_request_id IS NULL) || ' of ' || counted(count(*), 'log line', 'log lines') || CASE WHEN count(*) FILTER (WHERE request_id IS NULL AND vendor_request_id IS NULL) = 1 THEN ' carries neither a request id nor a receipt, so charges can be laid to it' ELSE ' carry neither a request id nor a receipt, so charges can be laid to them' END || ' by tokens and time only; log the X-Request-ID that you send, or the id of the answer'
    FROM log_lines
    UNION ALL
    SELECT 44, 'gateway_apart', n, counted(n, 'line', 'lines') || ' of a gateway that is log and bill in one (' || names || ') name no request of the other logs, so each counts as a call of its own, which its charge delivered. If the other logs show the same calls, name the file with --charges: it is then held against them' FROM apart
    UNION ALL
    SELECT 50, 'few_pairs', count(*), counted(count(*), 'book has too few plain calls to measure its stamps', 'books have too few plain calls to measure their stamps') || '; the defaults were used (stamp at the start, 5 s)'
    FROM rpt_calibrations WHERE NOT measurable AND lines >= 30
    UNION ALL
    SELECT 51, 'weak_calibration', count(*), counted(count(*), 'book has', 'books have') || ' stamps that stray more than a minute; time does not order charges there' FROM rpt_calibrations WHERE NOT orders
    UNION ALL
    SELECT 52, 'ambiguous', n, counted(n, 'charge is alike in model and prompt with so many at the same time that it is', 'charges are alike in model and prompt with so many at the same time that they are') || ' ambiguous: what cannot be told apart is a lead, in no total' FROM ambiguous
    UNION ALL
    SELECT 53, 'tokens_not_used', count(*), counted(count(*), 'charge that no id explains was', 'charges that no id explains were') || ' not matched by tokens and time: over a database that is done for bills that do not know the request ids of more than one charge in ten; retrytax audit FILES does it for all' FROM fct_verdicts v
    ANTI JOIN int_token_books b ON b.book_provider = coalesce(v.provider, '') AND b.book = v.book
    WHERE verdict = 'orphan' AND reason = 'no_log' AND getvariable('over_database') IS NOT NULL
    UNION ALL
    SELECT 54, 'pruned', count(*), counted(count(*), 'charge line lies', 'charge lines lie') || ' before ' || CAST(CAST(timezone(getvariable('report_zone'), timezone('UTC', max(m.pruned_before))) AS DATE) AS VARCHAR) || ', where prune has taken rows out: what is left is what later calls need, and no whole month; retrytax report --period MONTH gives the report that was kept'
    FROM fct_verdicts v JOIN src_meta m ON v.charged_at < m.pruned_before WHERE getvariable('over_database') IS NOT NULL
    UNION ALL
    SELECT 60, 'lost_lines', count(*), counted(count(*), 'attempt is missing from the log, as a gap', 'attempts are missing from the log, as gaps') || ' in the numbers show' || CASE WHEN count(*) = 1 THEN 's' ELSE '' END FROM fct_log_faults WHERE kind = 'lost'
    UNION ALL
    SELECT 62, 'unlogged_refusals', count(*), counted(count(*), 'attempt was', 'attempts were') || ' answered with an error (429 or 5xx) and wrote no line, as this client does; a charge of such an attempt is named only where a later line tells a 5xx'
    FROM fct_log_faults WHERE kind = 'unlogged'
    UNION ALL
    SELECT 61, 'copied_lines', count(*), counted(count(*), 'line of the log repeats another line and was not counted as an attempt', 'lines of the log repeat another line and were not counted as attempts') FROM fct_log_faults WHERE kind = 'copy'
    UNION ALL
    SELECT 70, 'unapplied_refunds', count(*), counted(count(*), 'refund names', 'refunds name') || ' no excess, or more than there is' FROM fct_refunds WHERE refunded > applied
    UNION ALL
    SELECT 80, 'open_edge', count(*), counted(count(*), 'charge line belongs to a call that the data do not close yet; it is', 'charge lines belong to calls that the data do not close yet; they are') || ' unsettled' FROM fct_verdicts WHERE NOT settled
)
SELECT place, code, CAST(n AS BIGINT) AS n, text FROM listed WHERE n > 0;
