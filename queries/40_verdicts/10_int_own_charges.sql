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
SELECT m.charge_no,
    NOT e.top_refused AND row_number() OVER (PARTITION BY m.request_key, m.call_no, m.top_row, m.book_provider, m.book
        ORDER BY e.delivering AND NOT m.hidden DESC, e.succeeded AND NOT m.hidden DESC, c.charged_at, m.hidden, c.ord) = 1 AS own
FROM int_matches m
JOIN int_executions e ON e.exec_id = m.exec_id
JOIN int_charges c ON c.charge_no = m.charge_no
WHERE NOT m.lead AND (e.ran OR e.succeeded);
