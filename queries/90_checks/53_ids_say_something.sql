-- fail: an id that says nothing is missing, never shared
SELECT row_id, request_id
FROM (SELECT row_id, request_id FROM src_attempts UNION ALL SELECT row_id, request_id FROM src_charges)
WHERE known_id(request_id) IS DISTINCT FROM request_id
