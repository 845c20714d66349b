-- fmt_attempts: Envoy's access log as JSON, with the usual keys (Istio's), one line a client's request.
--
-- Why:    a proxy in front of the vendor sees clients leave and upstream tries that no application logs.
-- Reads:  raw_records
-- Writes: fmt_attempts
-- Grain:  record_no
-- Units:  duration is milliseconds; start_time is UTC
-- Params: none
-- Rule:   envoyproxy.io access log usage. Upstream tries 2..n of a request show only in their count: the line is one attempt, which says so in its reason.
--         Flag DC, or code 0, is a client that left (as 499). Where some paths call models, the other lines are ignored.
--         x-stainless-retry-count counts from 0
-- Look at: testdata/formats/envoy-json
-- Format: envoy-json
-- Syntax: json
-- Role:   attempts
-- Signature: start_time, response_code, duration, response_flags or authority or upstream_host or upstream_cluster or response_code_details or bytes_sent or x_envoy_upstream_service_time
-- Columns: start_time, path, response_code, response_flags, duration, x_request_id, client_id = x_client_request_id or req_x_client_request_id,
--         tries = upstream_request_attempt_count, number = x_stainless_retry_count or req_x_stainless_retry_count,
--         receipt = resp_x_request_id or response_x_request_id or upstream_x_request_id
INSERT INTO fmt_attempts BY NAME
WITH told AS (
    SELECT *, bool_or(calls_a_model(path)) OVER () AS by_path FROM raw_records
)
SELECT source_line, record_no, coalesce(client_id, x_request_id) AS request_id, 'gateway' AS layer, number AS attempt, CASE WHEN number IS NOT NULL THEN '0' END AS counts_from,
    utc_text(start_time) AS started_at, duration AS elapsed_ms,
    CASE WHEN response_code = '0' OR regexp_matches(response_flags, '(^|,)DC(,|$)') AND response_code NOT LIKE '2%' THEN '499' ELSE response_code END AS http_status,
    CASE WHEN regexp_matches(response_flags, '(^|,)DC(,|$)') THEN 'timeout' END AS outcome,
    nullif(concat_ws(', ', CASE WHEN response_flags IS NOT NULL THEN 'flags ' || response_flags END, CASE WHEN as_count(tries) > 1 THEN 'upstream tries: ' || tries END), '') AS reason,
    receipt AS vendor_request_id
FROM told WHERE NOT by_path OR calls_a_model(path);
