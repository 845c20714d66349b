-- int_prompts: the input tokens of each execution's prompt, from the log or from the bill.
--
-- Why:    a log without tokens still has its delivered charge, and a retry repeats its prompt.
-- Reads:  int_windows, int_charges, int_receipt_matches, int_number_matches, int_success_matches
-- Writes: int_prompts
-- Grain:  (exec_id, book_provider, book)
-- Units:  tokens
-- Params: none
-- Rule:   design section 3, step b; what was matched already lends its input to the call's
--         other attempts with the same model
-- Look at: testdata/queries/int_prompts/log_without_tokens
CREATE OR REPLACE TABLE int_prompts AS
WITH matched AS (
    SELECT charge_no, exec_id, book_provider, book FROM int_receipt_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_number_matches
    UNION ALL SELECT charge_no, exec_id, book_provider, book FROM int_success_matches
),
billed AS (
    SELECT w.request_key, w.call_no, coalesce(w.model_key, c.model_key, '') AS model_key, w.book_provider, w.book,
        max(nullif(c.input_tokens, 0)) AS input_tokens
    FROM matched m
    JOIN int_windows w ON w.exec_id = m.exec_id AND w.book_provider = m.book_provider AND w.book = m.book
    JOIN int_charges c ON c.charge_no = m.charge_no
    WHERE w.ran
    GROUP BY ALL
)
SELECT w.exec_id, w.book_provider, w.book, coalesce(w.input_tokens, b.input_tokens) AS input_tokens
FROM int_windows w
LEFT JOIN billed b ON b.request_key = w.request_key AND b.call_no = w.call_no AND b.model_key = coalesce(w.model_key, '')
    AND b.book_provider = w.book_provider AND b.book = w.book;
