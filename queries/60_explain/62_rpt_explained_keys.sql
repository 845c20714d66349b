-- rpt_explained_keys: which other charge carries the idempotency key of a charge that is told.
--
-- Why:    whether the vendor can be asked hangs on its profile and on the key; both are shown.
-- Reads:  rpt_explained_parts, int_charges, int_matches, int_executions, src_providers
-- Writes: rpt_explained_keys
-- Grain:  charge_no
-- Units:  gap_ms to the nearest charge of the same key in the same book; NULL if there is none
-- Params: none
-- Rule:   as int_repeated_keys, without the condition on the profile
-- Look at: testdata/queries/rpt_explained_keys/nearest_of_two
CREATE OR REPLACE TABLE rpt_explained_keys AS
WITH keyed AS (
    SELECT c.charge_no, c.charge_id, c.book_provider, c.book, c.charged_at, coalesce(c.idempotency_key, e.idempotency_key) AS key,
        coalesce(nullif(c.book_provider, ''), e.provider) AS provider
    FROM int_charges c
    LEFT JOIN int_matches m ON m.charge_no = c.charge_no
    LEFT JOIN int_executions e ON e.exec_id = m.exec_id
),
told AS (
    SELECT * FROM keyed WHERE charge_no IN (SELECT charge_no FROM rpt_explained_parts)
),
twins AS (
    SELECT t.charge_no, o.charge_id, abs(ms_between(t.charged_at, o.charged_at)) AS gap_ms,
        row_number() OVER (PARTITION BY t.charge_no ORDER BY abs(ms_between(t.charged_at, o.charged_at)), o.charged_at, o.charge_no) AS place
    FROM told t JOIN keyed o ON o.key = t.key AND o.book_provider = t.book_provider AND o.book = t.book AND o.charge_no <> t.charge_no
)
SELECT t.charge_no, t.key, t.provider, coalesce(p.idempotency, d.idempotency) AS idempotency,
    coalesce(p.key_lifetime_ms, d.key_lifetime_ms) AS key_lifetime_ms, w.charge_id AS twin_charge_id, w.gap_ms
FROM told t
JOIN src_providers d ON d.provider = ''
LEFT JOIN src_providers p ON p.provider = t.provider AND p.provider <> ''
LEFT JOIN twins w ON w.charge_no = t.charge_no AND w.place = 1;
