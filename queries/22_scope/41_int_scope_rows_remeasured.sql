-- int_scope_rows: adds the attempts of days for which stamps, timeouts or numbers were measured anew
-- and came out otherwise.
--
-- Why:    what rests on a measure has to be judged by the new one.
-- Reads:  int_calibrations, int_old_calibrations, int_timeouts, int_old_timeouts, int_highest_numbers,
--         int_old_highest_numbers, int_day_receipts, int_old_day_receipts, int_lines, int_candidate_pairs
-- Writes: int_scope_rows
-- Grain:  (role, row_id)
-- Units:  as int_scope_rows
-- Params: scope_round
-- Rule:   a pair with the same tokens, or matched by receipt or number, rests on no stamp and
--         stays; how many pairs a measure rests on changes nothing. A higher number in the month
--         changes only calls that may end on one from the old to below the new
-- Look at: testdata/queries/int_scope_rows_remeasured/only_what_rests_on_it
INSERT INTO int_scope_rows
WITH stamps AS (
    SELECT book_provider, book, day FROM (
        (SELECT * EXCLUDE (pairs) FROM int_calibrations EXCEPT SELECT * EXCLUDE (pairs) FROM int_old_calibrations)
        UNION ALL
        (SELECT * EXCLUDE (pairs) FROM int_old_calibrations EXCEPT SELECT * EXCLUDE (pairs) FROM int_calibrations))
),
receipts AS (
    SELECT DISTINCT book_provider, day, layer FROM (
        (FROM int_day_receipts EXCEPT FROM int_old_day_receipts) UNION ALL (FROM int_old_day_receipts EXCEPT FROM int_day_receipts))
),
timeouts AS (
    SELECT DISTINCT provider, day FROM (
        (FROM int_timeouts EXCEPT FROM int_old_timeouts) UNION ALL (FROM int_old_timeouts EXCEPT FROM int_timeouts))
),
numbers AS (
    SELECT layer, month, least(coalesce(o.highest, 0), coalesce(n.highest, 0)) AS lower, greatest(coalesce(o.highest, 0), coalesce(n.highest, 0)) AS upper
    FROM int_highest_numbers n FULL JOIN int_old_highest_numbers o USING (layer, month)
    WHERE n.highest IS DISTINCT FROM o.highest
),
found AS (
    SELECT p.attempt_row AS row_id FROM int_candidate_pairs p
    SEMI JOIN stamps s ON s.book_provider = p.book_provider AND s.book = p.book AND s.day = p.day
    LEFT JOIN int_old_calibrations o ON o.book_provider = p.book_provider AND o.book = p.book AND o.day = p.day
    LEFT JOIN int_calibrations n ON n.book_provider = p.book_provider AND n.book = p.book AND n.day = p.day
    WHERE NOT p.same_tokens AND p.match = 'request' OR o.day IS NULL OR n.day IS NULL
    UNION
    SELECT l.row_id FROM int_lines l JOIN (SELECT DISTINCT book_provider, day FROM stamps) s ON s.day = l.day AND agrees(l.provider, nullif(s.book_provider, ''))
    UNION
    SELECT l.row_id FROM int_lines l JOIN receipts r ON r.day = l.day AND r.layer = l.layer AND agrees(l.provider, nullif(r.book_provider, ''))
    UNION
    SELECT l.row_id FROM int_lines l JOIN timeouts t ON t.provider = l.provider AND t.day = l.day
    UNION
    -- the measure of all together counts where the provider has none of its own
    SELECT l.row_id FROM int_lines l JOIN timeouts t ON t.provider = '' AND coalesce(t.day = l.day, true)
    ANTI JOIN int_timeouts o ON o.provider = l.provider AND o.day = l.day
    UNION
    -- only a call whose last number lies between the two ends otherwise (30_match/27_int_calls)
    SELECT l.row_id FROM int_lines l JOIN numbers n ON n.layer = l.layer AND n.month = month_of(l.day)
    JOIN int_lines e ON e.request_key = l.request_key AND e.retryable AND e.max_attempts IS NULL AND e.n >= n.lower AND e.n < n.upper
)
SELECT 'attempts', row_id, setting('scope_round') + 1 FROM found
ANTI JOIN int_scope_rows r ON r.role = 'attempts' AND r.row_id = found.row_id;
