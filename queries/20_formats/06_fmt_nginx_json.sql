-- fmt_attempts: nginx's access log as JSON, keys named like its variables, one line a client's request.
--
-- Why:    499 is a client that left, and lists in upstream_status are tries that the client never sees.
-- Reads:  raw_records
-- Writes: fmt_attempts
-- Grain:  record_no
-- Units:  request_time is seconds, msec Unix seconds; upstream_* are lists, one entry a try, "-" for none; escape=json writes numbers as text
-- Params: none
-- Rule:   nginx ngx_http_log_module, ngx_http_upstream_module. The line is written at the end. request_id is made by nginx; a header of the
--         client counts before it. Tries 2..n are told in the reason. Where some paths call models, the other lines are ignored
-- Look at: testdata/formats/nginx-json
-- Format: nginx-json
-- Syntax: json
-- Role:   attempts
-- Signature: status~^[0-9]+$, request_time, upstream_response_time or upstream_status or upstream_addr or body_bytes_sent or remote_addr or request_uri
-- Columns: time = time_iso8601 or msec or timestamp or time or ts, local = time_local, status, request_time, upstream_status,
--         path = request_uri or uri or request or path, client_id = http_x_client_request_id or x_client_request_id or http_x_request_id, request_id,
--         receipt = upstream_http_x_request_id or upstream_x_request_id or upstream_request_id or vendor_request_id or upstream_http_request_id or sent_http_x_request_id,
--         number = http_x_stainless_retry_count or x_stainless_retry_count
INSERT INTO fmt_attempts BY NAME
WITH told AS (
    SELECT *, bool_or(calls_a_model(path)) OVER () AS by_path FROM raw_records
)
SELECT source_line, record_no, coalesce(client_id, request_id) AS request_id, 'gateway' AS layer, number AS attempt, CASE WHEN number IS NOT NULL THEN '0' END AS counts_from,
    coalesce(time, strftime(timezone('UTC', TRY_STRPTIME(local, '%d/%b/%Y:%H:%M:%S %z')), '%Y-%m-%dT%H:%M:%SZ'), local) AS ended_at, request_time AS elapsed_s,
    status AS http_status, CASE WHEN regexp_matches(upstream_status, '[,:] ') THEN 'upstream tries: ' || upstream_status END AS reason,
    CASE WHEN status = '499' OR status = '504' OR status = '408' THEN 'timeout' END AS outcome,
    CASE WHEN NOT contains(receipt, ', ') THEN receipt ELSE regexp_extract(receipt, '[^, ]+$') END AS vendor_request_id
FROM told WHERE NOT by_path OR calls_a_model(path);
