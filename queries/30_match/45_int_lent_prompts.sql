-- int_lent_prompts: the input tokens of each execution's prompt, now that attempts have their charges.
--
-- Why:    where neither the log nor an answer tells a prompt, the charge that an attempt took by
--         its time does; what then differs is another call's.
-- Reads:  int_windows, int_prompts, int_charges, int_window_matches, int_calls
-- Writes: int_lent_prompts
-- Grain:  (exec_id, book_provider, book)
-- Units:  tokens
-- Params: none
-- Rule:   design section 3, step b, "a retry repeats its prompt": the attempt's own charge
--         tells its prompt, else the charges of the call's other attempts with the same model,
--         if they tell one. Nothing is lent where attempts may have been laid to a wrong call
-- Look at: testdata/queries/int_lent_prompts/own_charge_tells
CREATE OR REPLACE TABLE int_lent_prompts AS
WITH billed AS (
    SELECT w.exec_id, w.book_provider, w.book, w.request_key, w.call_no, coalesce(w.model_key, c.model_key, '') AS model_key,
        nullif(c.input_tokens, 0) AS input_tokens
    FROM int_window_matches m
    JOIN int_windows w ON w.exec_id = m.exec_id AND w.book_provider = m.book_provider AND w.book = m.book
    JOIN int_charges c ON c.charge_no = m.charge_no
    ANTI JOIN (FROM int_calls WHERE doubtful) d ON d.request_key = w.request_key
    WHERE w.ran
),
calls AS (
    SELECT request_key, call_no, model_key, book_provider, book,
        CASE WHEN min(input_tokens) = max(input_tokens) THEN min(input_tokens) END AS input_tokens
    FROM billed GROUP BY ALL
)
SELECT p.exec_id, p.book_provider, p.book, coalesce(p.input_tokens, b.input_tokens, c.input_tokens) AS input_tokens
FROM int_prompts p
JOIN int_windows w ON w.exec_id = p.exec_id AND w.book_provider = p.book_provider AND w.book = p.book
LEFT JOIN billed b ON b.exec_id = p.exec_id AND b.book_provider = p.book_provider AND b.book = p.book
LEFT JOIN calls c ON c.request_key = w.request_key AND c.call_no = w.call_no AND c.model_key = coalesce(w.model_key, '')
    AND c.book_provider = w.book_provider AND c.book = w.book;
