-- A quarter of the calls that an id has matched lose their ids. What is made from here on
-- stands in a schema of its own, before main in the search path.
CREATE SCHEMA hidden;
CREATE TABLE hidden.calls AS
SELECT DISTINCT request_key, call_no FROM main.int_matches
WHERE match IN ('receipt', 'attempt', 'request') AND NOT lead AND hash(request_key, call_no) % 4 = 0;
CREATE TABLE hidden.known AS
SELECT m.charge_no FROM main.int_matches m SEMI JOIN hidden.calls c ON c.request_key = m.request_key AND c.call_no = m.call_no
WHERE m.match IN ('receipt', 'attempt', 'request') AND NOT m.lead;
CREATE VIEW hidden.int_charges AS
SELECT c.* REPLACE (CASE WHEN k.charge_no IS NULL THEN c.request_id END AS request_id, CASE WHEN k.charge_no IS NULL THEN c.receipt END AS receipt,
    CASE WHEN k.charge_no IS NULL THEN c.n END AS n, CASE WHEN k.charge_no IS NULL THEN c.charge_id END AS charge_id)
FROM main.int_charges c LEFT JOIN hidden.known k ON k.charge_no = c.charge_no;
CREATE VIEW hidden.int_windows AS
SELECT w.* REPLACE (CASE WHEN c.call_no IS NULL THEN w.receipt END AS receipt)
FROM main.int_windows w LEFT JOIN hidden.calls c ON c.request_key = w.request_key AND c.call_no = w.call_no;
