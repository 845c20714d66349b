-- rpt_explained_fits: how near the attempts of its request came to explaining an orphan.
--
-- Why:    "fits no attempt" is no answer; which of model, prompt, key and time does not fit is.
-- Reads:  rpt_explained_parts, int_charges, int_windows, int_lent_prompts, int_matches, int_log_spans, int_calibrations
-- Writes: rpt_explained_fits
-- Grain:  charge_no, of charges that nothing matched
-- Units:  stamps by the bill's clock, UTC; *_fits count attempts, each on top of the one before
-- Params: none
-- Rule:   design section 3, steps b and c, and coverage: the conditions of int_window_matches
-- Look at: testdata/queries/rpt_explained_fits/other_prompt
CREATE OR REPLACE TABLE rpt_explained_fits AS
WITH orphans AS (
    SELECT c.* FROM int_charges c
    WHERE c.charge_no IN (SELECT charge_no FROM rpt_explained_parts WHERE verdict = 'orphan' AND role = 'item')
),
compared AS (
    SELECT c.charge_no, w.exec_id, w.model_key, p.input_tokens, w.opens, w.closes,
        agrees(w.model_key, c.model_key) AS model_fits, agrees(p.input_tokens, c.input_tokens) AS input_fits,
        agrees(w.idempotency_key, c.idempotency_key) AS key_fits, w.ran AND NOT w.cached AS ran,
        plus_ms(c.charged_at, w.resolution_ms) >= w.opens AND c.charged_at <= w.closes AS time_fits,
        m.charge_no IS NULL AS vacant
    FROM orphans c
    JOIN int_windows w ON w.request_id = c.request_id AND w.book_provider = c.book_provider AND w.book = c.book
    LEFT JOIN int_lent_prompts p ON p.exec_id = w.exec_id AND p.book_provider = w.book_provider AND p.book = w.book
    LEFT JOIN int_matches m ON m.exec_id = w.exec_id AND m.book_provider = w.book_provider AND m.book = w.book AND NOT m.hidden
),
fits AS (
    SELECT charge_no, count(*) AS attempts, count(*) FILTER (WHERE model_fits) AS model_fits,
        count(*) FILTER (WHERE model_fits AND input_fits) AS input_fits,
        count(*) FILTER (WHERE model_fits AND input_fits AND key_fits) AS key_fits,
        count(*) FILTER (WHERE model_fits AND input_fits AND key_fits AND ran) AS ran_fits,
        count(*) FILTER (WHERE model_fits AND input_fits AND key_fits AND ran AND time_fits) AS time_fits,
        count(*) FILTER (WHERE model_fits AND input_fits AND key_fits AND ran AND time_fits AND vacant) AS vacant_fits,
        min(model_key) AS logged_model, min(input_tokens) AS logged_input,
        min(opens) FILTER (WHERE model_fits AND input_fits AND key_fits AND ran) AS opens,
        max(closes) FILTER (WHERE model_fits AND input_fits AND key_fits AND ran) AS closes
    FROM compared GROUP BY charge_no
),
spans AS (
    SELECT c.charge_no, count(s.since) AS spans,
        min(plus_ms(s.since, k.offset_ms - k.skew_ms)) AS log_since, max(plus_ms(s.until, k.offset_ms + k.skew_ms)) AS log_until
    FROM orphans c
    JOIN int_calibrations k ON k.book_provider = c.book_provider AND k.book = c.book
    LEFT JOIN int_log_spans s ON agrees(s.provider, nullif(c.book_provider, '')) AND agrees(s.api_key, c.api_key)
    GROUP BY c.charge_no
)
SELECT o.charge_no, coalesce(f.attempts, 0) AS attempts, coalesce(f.model_fits, 0) AS model_fits, coalesce(f.input_fits, 0) AS input_fits,
    coalesce(f.key_fits, 0) AS key_fits, coalesce(f.ran_fits, 0) AS ran_fits, coalesce(f.time_fits, 0) AS time_fits,
    coalesce(f.vacant_fits, 0) AS vacant_fits, f.logged_model, f.logged_input, f.opens, f.closes,
    coalesce(s.spans, 0) AS spans, s.log_since, s.log_until
FROM orphans o
LEFT JOIN fits f ON f.charge_no = o.charge_no
LEFT JOIN spans s ON s.charge_no = o.charge_no;
