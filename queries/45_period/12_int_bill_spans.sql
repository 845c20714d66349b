-- int_bill_spans: which time the bill covers, by provider and key.
--
-- Why:    a delivered call outside it is not unbilled, its bill is missing.
-- Reads:  int_book_days
-- Writes: int_bill_spans
-- Grain:  (book_provider, api_key, since); api_key NULL where the lines name none
-- Units:  UTC by the bill's clock
-- Params: none
-- Rule:   design section 3, coverage; a silence of more than 31 days is not covered
-- Look at: testdata/queries/int_bill_spans/a_month_without_a_bill
CREATE OR REPLACE TABLE int_bill_spans AS
WITH ordered AS (
    SELECT *, coalesce(oldest > max(newest) OVER (PARTITION BY book_provider, api_key ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        + INTERVAL 31 DAY, true) AS begins
    FROM int_book_days WHERE book = 'bill'
),
numbered AS (
    SELECT *, count(*) FILTER (WHERE begins) OVER (PARTITION BY book_provider, api_key ORDER BY day) AS span FROM ordered
)
SELECT book_provider, api_key, min(oldest) AS since, max(newest) AS until FROM numbered GROUP BY book_provider, api_key, span;
