-- src_lent: gives failed tries without the caller's own id the one that the other rows of their trace have.
--
-- Why:    a failed try has its trace alone; its call has a name. The row that tells it may come in another file, the night after.
-- Reads:  src_nameless, src_names, src_attempts, src_charges
-- Writes: src_lent (temporary)
-- Grain:  row_id: those whose request id changes
-- Units:  none
-- Params: none
-- Rule:   a trace with one name lends it; with several it lends none, and takes back what it has lent, so that the
--         order of deliveries changes nothing. Rows are told to be the same by what they say themselves (src_contents)
-- Look at: testdata/queries/src_lent/the_name_came_later
CREATE OR REPLACE TEMP TABLE src_lent AS
WITH traces AS (
    SELECT DISTINCT format, trace_id FROM src_nameless
),
names AS (
    SELECT format, trace_id, min(name) AS name FROM src_names SEMI JOIN traces USING (format, trace_id)
    GROUP BY format, trace_id HAVING count(*) = 1
),
due AS (
    SELECT row_id, n.request_id AS was, coalesce(name, n.trace_id) AS request_id FROM src_nameless n LEFT JOIN names USING (format, trace_id)
)
SELECT row_id, was, request_id FROM due WHERE was <> request_id;
UPDATE src_attempts SET request_id = l.request_id FROM src_lent l WHERE src_attempts.row_id = l.row_id;
UPDATE src_charges SET request_id = l.request_id FROM src_lent l WHERE src_charges.row_id = l.row_id;
UPDATE src_nameless SET request_id = l.request_id FROM src_lent l WHERE src_nameless.row_id = l.row_id;
