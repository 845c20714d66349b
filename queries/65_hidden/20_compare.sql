-- What tier 4 says without the ids, against what they say.
INSERT INTO main.int_known_claims
SELECT CAST(least(floor(t.confidence * 10), 9) AS INTEGER), count(*), sum(CAST(round(t.confidence * 1000) AS BIGINT)) / 1000,
    count(*) FILTER (WHERE t.gives = CASE WHEN f.verdict = 'delivered' THEN 'answer' WHEN f.verdict = 'not_billable' THEN 'refusal'
        WHEN f.verdict = 'undelivered' THEN 'undelivered' ELSE 'excess' END)
FROM hidden.int_token_matches t SEMI JOIN hidden.known k ON k.charge_no = t.charge_no JOIN main.fct_charges f ON f.charge_no = t.charge_no
GROUP BY 1 ORDER BY 1;
