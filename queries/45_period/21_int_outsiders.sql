-- int_outsiders: charges that nothing explains, at a time that the log does not cover.
--
-- Why:    where there is no log, a charge is no stranger.
-- Reads:  fct_charges, int_calibrations, int_log_spans
-- Writes: int_outsiders
-- Grain:  charge_no
-- Units:  none
-- Params: period_from, period_to
-- Rule:   design section 3, coverage, by provider and key
-- Look at: testdata/queries/int_outsiders/before_the_log_began
CREATE OR REPLACE TABLE int_outsiders AS
WITH strangers AS (
    SELECT charge_no, book_provider, book, billed_key, charged_at FROM fct_charges
    WHERE reason = 'no_log'
      AND charged_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND charged_at < CAST(getvariable('period_to') AS TIMESTAMP)
)
SELECT f.charge_no FROM strangers f
JOIN int_calibrations k ON k.book_provider = f.book_provider AND k.book = f.book AND k.day = day_of(f.charged_at)
LEFT JOIN int_log_spans s ON agrees(s.provider, nullif(f.book_provider, '')) AND agrees(s.api_key, f.billed_key)
    AND plus_ms(f.charged_at, k.resolution_ms) >= plus_ms(s.since, k.offset_ms - k.skew_ms)
    AND f.charged_at <= plus_ms(s.until, k.offset_ms + k.skew_ms)
GROUP BY f.charge_no HAVING count(s.since) = 0;
