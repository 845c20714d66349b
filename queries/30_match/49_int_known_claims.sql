-- int_known_claims: how sure tier 4 is of charges whose id is known, had it been hidden, and how often it is right.
--
-- Why:    a probability is worth what it has proved to be on the user's own data.
-- Reads:  nothing; filled after the verdicts, where tier 4 was used at all
-- Writes: int_known_claims
-- Grain:  tenth, of the confidence
-- Units:  tenth from 0 to 9; claimed is the sum of the confidences, right counts
-- Params: none
-- Rule:   our choice: the ids of a quarter of the calls that have one are hidden, and all is matched again
-- Look at: testdata/queries/int_known_claims/empty
CREATE OR REPLACE TABLE int_known_claims (
    tenth   INTEGER NOT NULL,
    charges BIGINT NOT NULL,
    claimed DOUBLE NOT NULL,
    "right" BIGINT NOT NULL
);
