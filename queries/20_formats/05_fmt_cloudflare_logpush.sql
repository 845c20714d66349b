-- fmt_charges: Cloudflare AI Gateway's events as Logpush delivers them (ai_gateway_events), one row a request to a provider.
--
-- Why:    the gateway's logs where they are kept: in a bucket.
-- Reads:  raw_records
-- Writes: fmt_charges, fmt_attempts
-- Grain:  record_no
-- Units:  Metrics.cost is USD, an estimate; Metrics.durationMs is milliseconds; Timestamp is RFC 3339 or Unix time, UTC, and taken for the end, as created_at is
-- Params: none
-- Rule:   Cloudflare's Logpush dataset page. An event has neither an id nor tokens: only the caller's own id in Metadata, and time, name a request. Bodies are encrypted and not
--         read. What was answered from the cache, or refused by the gateway's own limit, ran nowhere; a failure is a charge only where it cost something
-- Look at: testdata/formats/cloudflare-logpush
-- Format: cloudflare-logpush
-- Syntax: json
-- Role:   charges, attempts
-- Signature: Timestamp, Gateway, Provider, StatusCode, Metrics.cost or Metrics.durationMs, Cached
-- Columns: Timestamp, Provider, model = Model or RequestedModel, StatusCode, Cached, RateLimited, cost = Metrics.cost, duration = Metrics.durationMs, Metadata
CREATE OR REPLACE TEMP TABLE fmt_rows AS
SELECT *, caller_tag(Metadata) AS caller, coalesce(TRY_CAST(StatusCode AS INTEGER) BETWEEN 200 AND 299, false) AS answered, coalesce(as_flag(RateLimited), false) AS refused
FROM raw_records WHERE NOT coalesce(as_flag(Cached), false);
INSERT INTO fmt_charges BY NAME
SELECT source_line, record_no, lower(Provider) AS provider, 'estimate' AS book, caller AS request_id, utc_text(Timestamp) AS charged_at, model, double_money(cost) AS amount, 'USD' AS currency
FROM fmt_rows WHERE NOT refused AND (answered OR coalesce(as_money(double_money(cost)) <> 0, cost IS NOT NULL));
INSERT INTO fmt_attempts BY NAME
SELECT source_line, record_no, caller AS request_id, 'gateway' AS layer, utc_text(Timestamp) AS ended_at, duration AS elapsed_ms, CASE WHEN refused THEN '429' ELSE StatusCode END AS http_status,
    CASE WHEN StatusCode IS NULL AND NOT refused THEN 'unknown' END AS status, lower(Provider) AS provider, model
FROM fmt_rows;
DROP TABLE fmt_rows;
