-- int_own_charges: which of the charges under one application attempt is the attempt's own.
--
-- Why:    of each application attempt one execution is its own, the others are its SDK's,
--         whether or not the SDK's lines are logged.
-- Reads:  int_matches, int_executions, int_charges
-- Writes: int_own_charges
-- Grain:  charge_no
-- Units:  none
-- Params: none
-- Rule:   design section 4: the delivering one (or the one that answered,
--         where another attempt was faster), else the first billed. What ran in an attempt
--         that was refused in the end is a hidden retry, in its own line or in lines of an
--         inner layer: there none is its own
-- Look at: testdata/queries/int_own_charges/first_billed_of_two
CREATE OR REPLACE TABLE int_own_charges AS
-- Nearly all charges are alone under their attempt; only the others are put in order.
WITH billed AS MATERIALIZED (
    SELECT m.charge_no, m.top_row, m.book_provider, m.book, m.hidden, e.top_refused, e.delivering, e.succeeded
    FROM int_matches m JOIN int_executions e ON e.exec_id = m.exec_id
    WHERE NOT m.lead AND (e.ran OR e.succeeded)
),
several AS (
    SELECT hash(top_row, book_provider, book) AS id FROM billed GROUP BY id HAVING count(*) > 1
),
ordered AS (
    SELECT b.charge_no, row_number() OVER (PARTITION BY b.top_row, b.book_provider, b.book
        ORDER BY b.delivering AND NOT b.hidden DESC, b.succeeded AND NOT b.hidden DESC, c.charged_at, b.hidden, c.ord) AS place
    FROM (FROM billed WHERE hash(top_row, book_provider, book) IN (SELECT id FROM several)) b JOIN int_charges c ON c.charge_no = b.charge_no
)
SELECT b.charge_no, NOT b.top_refused AND coalesce(o.place, 1) = 1 AS own
FROM billed b LEFT JOIN ordered o ON o.charge_no = b.charge_no;
