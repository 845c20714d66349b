-- fail: no attempt owns a charge of another provider
SELECT m.charge_no, m.exec_id, m.book_provider, e.provider
FROM int_matches m JOIN int_executions e ON e.exec_id = m.exec_id
WHERE m.book_provider <> '' AND e.provider <> m.book_provider
