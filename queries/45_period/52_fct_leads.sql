-- fct_leads: likely findings that are not certain enough for the headline.
--
-- Why:    where the data leave doubt, say so and keep the money out of the total.
-- Reads:  fct_verdicts, fct_charges, int_matches, int_executions
-- Writes: fct_leads
-- Grain:  (kind, request_id, row_id)
-- Units:  amount in currency: what would be excess if the lead holds
-- Params: repeat_window_ms, default 30 s
-- Rule:   design section 4: repeated (a delivered call made again, same prompt and size) and
--         retried_under_other_id (an undelivered call followed by a delivered one of the same
--         key, model and input); section 3: a lost line without room for a timeout; a match by tokens
--         below the threshold, if it would be excess
-- Look at: testdata/queries/fct_leads/made_again_under_another_id
CREATE OR REPLACE TABLE fct_leads AS
WITH delivered AS NOT MATERIALIZED ( -- read several times, each time few of its columns; span counts the windows since 1970
    SELECT row_id, request_id, book_provider, book, api_key, model_key, input_tokens, output_tokens, charged_at, currency,
        epoch_us(charged_at) // (1000 * (setting('repeat_window_ms') + 1)) AS span, hash(model_key, input_tokens, output_tokens) AS size
    FROM fct_verdicts WHERE verdict = 'delivered' AND settled AND input_tokens > 0 AND output_tokens > 0 AND amount > 0 AND line_item IS NULL
),
-- Same tokens in and out of one model are rare enough to group by (by hash, which is cheaper), the more so in two
-- spans that touch; only the rows of these have to be ordered by time.
alike AS MATERIALIZED (
    SELECT row_id, size, span FROM delivered d SEMI JOIN (SELECT size FROM delivered GROUP BY size HAVING count(*) > 1) s ON s.size = d.size
),
spans AS (
    SELECT row_id, size, span FROM alike UNION ALL SELECT row_id, size, span + 1 FROM alike
),
near AS MATERIALIZED (
    SELECT DISTINCT row_id FROM spans s SEMI JOIN (SELECT size, span FROM spans GROUP BY size, span HAVING count(*) > 1) n ON n.size = s.size AND n.span = s.span
),
repeated AS (
    SELECT d.row_id, request_id, charged_at, lag(charged_at) OVER same AS before_at, lag(request_id) OVER same AS before_id
    FROM delivered d JOIN near n ON n.row_id = d.row_id
    WINDOW same AS (PARTITION BY book_provider, book, api_key, model_key, input_tokens, output_tokens, currency ORDER BY charged_at, request_id, d.row_id)
),
-- Calls that were paid for nothing, each in the two spans of time, as long as the window, in which its answer may lie.
failed_calls AS (
    SELECT v.row_id, v.request_id, v.book_provider, v.book, v.api_key, v.model_key, v.input_tokens, v.amount, v.currency, e.t1 AS ended_at,
        unnest([epoch_us(e.t1) // (1000 * (setting('repeat_window_ms') + 1)), epoch_us(e.t1) // (1000 * (setting('repeat_window_ms') + 1)) + 1]) AS span
    FROM fct_verdicts v
    JOIN int_matches m ON m.charge_no = v.charge_no
    JOIN int_executions e ON e.exec_id = m.exec_id
    WHERE v.verdict = 'undelivered' AND v.settled AND v.amount > 0 AND v.input_tokens > 0
)
SELECT 'repeated' AS kind, v.request_id, v.row_id, v.amount, v.currency, v.book
FROM fct_verdicts v SEMI JOIN (
    SELECT row_id FROM repeated WHERE before_id IS DISTINCT FROM request_id AND ms_between(before_at, charged_at) <= setting('repeat_window_ms')) r ON r.row_id = v.row_id
UNION ALL
SELECT DISTINCT 'retried_under_other_id', f.request_id, f.row_id, f.amount, f.currency, f.book
FROM failed_calls f JOIN delivered d ON d.input_tokens = f.input_tokens AND d.span = f.span
WHERE d.book_provider = f.book_provider AND d.book = f.book AND d.model_key = f.model_key
  AND d.api_key IS NOT DISTINCT FROM f.api_key AND d.request_id IS DISTINCT FROM f.request_id
  AND d.charged_at >= f.ended_at AND ms_between(f.ended_at, d.charged_at) <= setting('repeat_window_ms')
UNION ALL
SELECT CASE WHEN f.match = 'tokens' THEN 'lead' ELSE 'lost_line' END, v.request_id, v.row_id, v.amount, v.currency, v.book
FROM fct_verdicts v LEFT JOIN fct_charges f ON f.charge_no = v.charge_no
WHERE v.verdict = 'orphan' AND v.match = 'lead' AND coalesce(f.match <> 'tokens' OR f.gives IN ('excess', 'refusal'), true);
