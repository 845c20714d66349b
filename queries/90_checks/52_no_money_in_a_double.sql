-- fail: no column that holds money is a floating point number
SELECT table_name, column_name, data_type
FROM duckdb_columns()
WHERE data_type IN ('DOUBLE', 'FLOAT') AND NOT internal
  AND regexp_matches(column_name, 'amount|excess|billed|delivered$|undelivered|orphan$|unsettled|adjustments|price|premium|effect|paid|due|lower|upper|expected|applied|refunded|per_delivered')
  AND NOT (table_name = 'rpt_rates' OR column_name = 'excess_share')
