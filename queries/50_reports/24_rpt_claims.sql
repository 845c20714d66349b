-- rpt_claims: what matches by tokens claimed of charges whose id is known, and what was right.
--
-- Why:    whether a confidence means what it says shows on the user's own data.
-- Reads:  int_known_claims
-- Writes: rpt_claims
-- Grain:  tenth of the confidence
-- Units:  from_confidence is the lower end of the tenth; claimed and right_share are means
-- Params: none
-- Rule:   design section 3, confidence
-- Look at: testdata/queries/rpt_claims/two_tenths
CREATE OR REPLACE TABLE rpt_claims AS
SELECT tenth / 10.0 AS from_confidence, charges, round(claimed / charges, 3) AS claimed, ratio("right", charges) AS right_share
FROM int_known_claims;
