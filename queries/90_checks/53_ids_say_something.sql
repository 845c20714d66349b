-- fail: an id that says nothing is missing, never shared
SELECT row_id, request_id
FROM (SELECT row_id, request_id FROM src_attempts UNION ALL SELECT row_id, request_id FROM src_charges)
WHERE (strlen(request_id) < 10 OR request_id < '1' OR suffix(request_id, ' ') OR suffix(request_id, chr(9))) -- any other says something, by its length and ends
  AND known_id(request_id) IS DISTINCT FROM request_id
