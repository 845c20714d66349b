-- src_changes: notes for reconcile what this run has added and changed.
--
-- Why:    a night's work must follow the night's rows.
-- Reads:  src_attempts, src_charges, src_superseded, src_listed, src_lent
-- Writes: src_changes
-- Grain:  one row for each change of a row
-- Units:  row_at UTC; a row that was renamed changes under the request id that it had and under the one that it has
-- Params: first_file, run_no
-- Rule:   issue of a database that lives; only in a database that goes on, an audit reconciles all at once
-- Look at: testdata/queries/src_changes/added_and_superseded
INSERT INTO src_changes
SELECT 'attempts', row_id, request_id, NULL, vendor_request_id, idempotency_key, provider, model, coalesce(ended_at, started_at), 'added', setting('run_no')
FROM src_attempts WHERE file_no >= setting('first_file')
UNION ALL
SELECT 'charges', row_id, request_id, charge_id, vendor_request_id, idempotency_key, provider, model, charged_at, 'added', setting('run_no')
FROM src_charges WHERE file_no >= setting('first_file')
UNION ALL
SELECT 'charges', row_id, request_id, charge_id, vendor_request_id, idempotency_key, provider, model, charged_at, 'priced', setting('run_no')
FROM src_charges SEMI JOIN src_listed USING (row_id) WHERE file_no < setting('first_file')
UNION ALL
SELECT 'charges', row_id, request_id, charge_id, vendor_request_id, idempotency_key, provider, model, charged_at,
    CASE WHEN s.newer IS NULL THEN 'restored' ELSE 'superseded' END, setting('run_no')
FROM src_charges JOIN src_superseded s USING (row_id) WHERE (s.was IS NULL) <> (s.newer IS NULL)
UNION ALL
SELECT 'attempts', row_id, unnest([l.was, l.request_id]), NULL, vendor_request_id, idempotency_key, provider, model, coalesce(ended_at, started_at), 'renamed', setting('run_no')
FROM src_attempts JOIN src_lent l USING (row_id) WHERE file_no < setting('first_file')
UNION ALL
SELECT 'charges', row_id, unnest([l.was, l.request_id]), charge_id, vendor_request_id, idempotency_key, provider, model, charged_at, 'renamed', setting('run_no')
FROM src_charges JOIN src_lent l USING (row_id) WHERE file_no < setting('first_file');
