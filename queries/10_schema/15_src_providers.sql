-- src_providers: what is known about how each provider bills, with its origin.
--
-- Why:    a status that is billed, a stamp at the end or a key that is honoured change
--         verdicts; these facts come from the configuration, not from the data.
-- Reads:  nothing; filled from retrytax.yaml and the built-in profiles
-- Writes: src_providers
-- Grain:  provider; the row '' holds the defaults for all others
-- Units:  *_ms milliseconds; *_origin is user, built-in or default
-- Params: none
-- Rule:   design section 7
-- Look at: testdata/queries/src_providers/empty
CREATE OR REPLACE TABLE src_providers (
    provider        VARCHAR NOT NULL,   -- lower case, as a log or a bill may call it
    canonical       VARCHAR NOT NULL,   -- the one name for all of its aliases
    idempotency     VARCHAR NOT NULL,   -- honoured | ignored | unknown
    key_lifetime_ms BIGINT,
    billed_statuses INTEGER[] NOT NULL,
    stamp           VARCHAR NOT NULL,   -- start | end
    stamp_origin    VARCHAR NOT NULL,
    skew_ms         BIGINT NOT NULL,
    skew_origin     VARCHAR NOT NULL,
    tail_ms         BIGINT NOT NULL,
    lateness_ms     BIGINT NOT NULL,
    unique_ids      BOOLEAN NOT NULL,
    cached_outside  BOOLEAN NOT NULL,   -- the user says that cached tokens are not in the input
    zone            VARCHAR             -- of the bill's times without one
);
