-- fmt_attempts: LiteLLM's error logs (LiteLLM_ErrorLogs), one row a failed attempt upstream.
--
-- Why:    where a gateway keeps its failures apart from what it reckons the cost of.
-- Reads:  raw_records
-- Writes: fmt_attempts
-- Grain:  record_no
-- Units:  times are UTC, in a CSV dump without a zone
-- Params: none
-- Rule:   BerriAI/litellm schema.prisma. The table has no column for the caller's id: it is taken from request_kwargs where it stands there (litellm_trace_id, or the spend_logs_metadata of its metadata)
-- Look at: testdata/formats/litellm-errors
-- Format: litellm-errors
-- Syntax: csv, json
-- Role:   attempts
-- Signature: request_id, startTime, endTime, exception_type, litellm_model_name or request_kwargs
-- Columns: request_id, startTime, endTime, model_group, litellm_model_name, request_kwargs, exception_type, status_code
INSERT INTO fmt_attempts BY NAME
SELECT source_line, record_no, coalesce(caller_id(json_text(request_kwargs, '$.metadata.spend_logs_metadata')), json_text(request_kwargs, '$.litellm_trace_id')) AS request_id, 'gateway' AS layer,
    utc_text(startTime) AS started_at, utc_text(endTime) AS ended_at, 'error' AS status, exception_type AS reason, CASE WHEN regexp_full_match(status_code, '[1-5][0-9][0-9]') THEN status_code END AS http_status,
    nullif(regexp_extract(litellm_model_name, '^([a-z0-9_-]+)/', 1), '') AS provider, coalesce(litellm_model_name, model_group) AS model, request_id AS vendor_request_id
FROM raw_records;
