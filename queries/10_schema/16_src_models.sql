-- src_models: other names of models, from the configuration.
--
-- Why:    a bill may name a model in a way that no pattern can tell.
-- Reads:  nothing; filled from retrytax.yaml
-- Writes: src_models
-- Grain:  alias
-- Units:  none
-- Params: none
-- Rule:   design section 7
-- Look at: testdata/queries/src_models/empty
CREATE OR REPLACE TABLE src_models (
    alias     VARCHAR NOT NULL,   -- lower case
    canonical VARCHAR NOT NULL
);
