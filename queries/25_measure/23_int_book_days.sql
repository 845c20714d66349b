-- int_book_days: what a book holds of a day: how many lines, from when to when, how fine its stamps are.
--
-- Why:    coverage, the edge of the bill, and the width of a stamp, day by day.
-- Reads:  int_charge_lines
-- Writes: int_book_days
-- Grain:  (book_provider, book, api_key, day)
-- Units:  day is the UTC day of charged_at; whole_days … whole_seconds: all stamps are
-- Params: none
-- Rule:   design section 3, calibration and coverage; usage alone makes a book
-- Look at: testdata/queries/int_book_days/refunds_make_no_book
CREATE OR REPLACE TABLE int_book_days AS
SELECT book_provider, book, api_key, day_of(charged_at) AS day, count(*) AS lines, min(charged_at) AS oldest, max(charged_at) AS newest,
    bool_and(epoch_us(charged_at) % 86400000000 = 0) AS whole_days, bool_and(epoch_us(charged_at) % 3600000000 = 0) AS whole_hours,
    bool_and(epoch_us(charged_at) % 60000000 = 0) AS whole_minutes, bool_and(epoch_us(charged_at) % 1000000 = 0) AS whole_seconds
FROM int_charge_lines WHERE kind = 'usage'
GROUP BY ALL;
