-- int_repeated_keys: charges whose idempotency key stands on another charge as well.
--
-- Why:    a vendor that honours the key should have executed once; this is its to give back.
-- Reads:  int_charges, int_matches, int_executions, src_providers
-- Writes: int_repeated_keys
-- Grain:  charge_no
-- Units:  ms
-- Params: none
-- Rule:   design section 4: the profile says honoured, and the charge repeats a key within
--         the key's lifetime (first article, second pitfall)
-- Empty:  NOT EXISTS (FROM src_providers WHERE idempotency = 'honoured')
-- Look at: testdata/queries/int_repeated_keys/same_key_twice
CREATE OR REPLACE TABLE int_repeated_keys AS
WITH keyed AS (
    SELECT c.charge_no, c.ord, c.book_provider, c.book, c.charged_at, coalesce(c.idempotency_key, e.idempotency_key) AS key,
        coalesce(p.idempotency, d.idempotency) AS idempotency, coalesce(p.key_lifetime_ms, d.key_lifetime_ms) AS lifetime_ms
    FROM int_charges c
    LEFT JOIN int_matches m ON m.charge_no = c.charge_no
    LEFT JOIN int_executions e ON e.exec_id = m.exec_id
    JOIN src_providers d ON d.provider = ''
    LEFT JOIN src_providers p ON p.provider = coalesce(nullif(c.book_provider, ''), e.provider) AND p.provider <> ''
),
spaced AS (
    SELECT *, ms_between(lag(charged_at) OVER k, charged_at) AS since, ms_between(charged_at, lead(charged_at) OVER k) AS until
    FROM keyed WHERE key IS NOT NULL AND idempotency = 'honoured'
    WINDOW k AS (PARTITION BY book_provider, book, key ORDER BY charged_at, ord)
)
SELECT charge_no FROM spaced
WHERE coalesce(since <= lifetime_ms, false) OR coalesce(until <= lifetime_ms, false);
