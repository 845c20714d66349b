package main

import "retrytax/internal/source"

// format is one thing that can be read, and how it is told from others.
type format struct {
	Name, What, Marks string
	Role              source.Role
	IDs               string         // what its ids are, and what they join
	Traps             []string       // what is easily read wrong, and what is done about it
	Sample            string         // a file of it
	Vendor            *source.Format // nil where columns are found by their names
}

var formats = []format{
	{Name: "retrytax-attempts", Role: source.Attempts,
		What:  "attempt log in the canonical columns: CSV (comma, semicolon, tab), a sheet of a workbook, JSON lines, JSON array, Parquet (its lines are row numbers)",
		Marks: "columns for a time and for one of outcome, status, http_status, reason; more of an attempt's own columns than of a bill's",
		IDs:   "request_id is one request's, the same for all its attempts; vendor_request_id is the receipt in a response's header; ids are text, and every digit counts",
		Traps: []string{"ts is the time of the line, which is written when the attempt ends: started_at = ts - elapsed",
			"elapsed, duration and latency without a unit are read only where the value carries one (1.5s): name the column elapsed_ms or elapsed_s",
			"x_request_id is the request id only where the file has no other one, else the receipt"},
		Sample: "request_id,attempt,max_attempts,ts,elapsed_ms,outcome,http_status,model\n" +
			"9f2c7a1b4d6e8f03,1,3,2026-10-03T12:00:30.012Z,30012,timeout,,m-large\n" +
			"9f2c7a1b4d6e8f03,2,3,2026-10-03T12:00:36.400Z,5388,success,200,m-large\n"},
	{Name: "retrytax-charges", Role: source.Charges,
		What:  "billing export in the canonical columns: CSV (comma, semicolon, tab), a sheet of a workbook, JSON lines, JSON array, Parquet (its lines are row numbers)",
		Marks: "columns for charged_at and for amount",
		IDs:   "charge_id is one execution's, of one or more lines; request_id is the caller's; vendor_request_id is the receipt; ids are text, and every digit counts",
		Traps: []string{"amounts may carry a currency's sign, points or commas between thousands, brackets for negative ones; 1,234 alone can mean two things and is refused",
			"a blank amount is unknown, not zero; more than 12 decimals are refused, not rounded",
			"a time without a zone takes --source-zone, the file's in the configuration, the provider's, then --zone",
			"an id such as 1.23457E+19 has lost its digits in a spreadsheet and is refused"},
		Sample: "charge_id,request_id,charged_at,model,input_tokens,output_tokens,amount,currency\n" +
			"c1,9f2c7a1b4d6e8f03,2026-10-03T12:00:00.100Z,m-large,1200,400,0.0124,USD\n" +
			"c2,9f2c7a1b4d6e8f03,2026-10-03T12:00:31.000Z,m-large,1200,380,0.0121,USD\n"},
	{Name: "retrytax-bills", Role: source.Bills,
		What:  "totals by the day, key and model, or lines of an invoice, in the canonical columns: CSV (comma, semicolon, tab), a sheet of a workbook, JSON lines, JSON array, Parquet (its lines are row numbers)",
		Marks: "columns for period_start and for one of amount, quantity, requests, where there are none of a log or a billing export; with requests, where no column names single requests",
		IDs:   "none: a total names no request, so no charge of it can be laid to a call",
		Traps: []string{"an audit can join none of its rows: retrytax invoice compares them with the log and the charges",
			"a period that ends with a day holds that day; days are those of --source-zone, the file's zone or --zone"},
		Sample: "provider,period_start,period_end,model,token_type,quantity,requests,amount,currency\n" +
			"acme,2026-10-03,2026-10-04,m-large,input,1200000,1000,3.60,USD\n" +
			"acme,2026-10-03,2026-10-04,m-large,output,400000,1000,4.80,USD\n"},
	{Name: "logfmt", Role: source.Attempts,
		What:  "log lines of key=value pairs, whatever prefix stands before them",
		Marks: "evt=llm_call, or a request id with one of result, outcome, status, reason, attempt, elapsed_ms; other lines are ignored and counted",
		IDs:   "rid (or another alias of request_id) is one request's, the same for all its attempts",
		Traps: []string{"a time of day without a date takes the date from the file's name or --date; the date rolls at midnight",
			"a line that has the marks and cannot be read is rejected, one without them is ignored",
			"a last line without a line end waits for the next run of ingest: it may be half of one"},
		Sample: "ts=2026-10-03T12:00:30.012Z level=WARN evt=llm_call rid=9f2c7a1b4d6e8f03 attempt=1/3 elapsed_ms=30012 stage=read result=retryable reason=ReadTimeout model=m-large\n" +
			"ts=2026-10-03T12:00:36.400Z level=INFO evt=llm_call rid=9f2c7a1b4d6e8f03 attempt=2/3 elapsed_ms=5388 stage=done result=success model=m-large\n"},
	{Name: "python-text", Role: source.Attempts,
		What:  "log lines of a Python client: request_id=… attempt=0 success cost=1.23s, and request_id=… attempt=0 timeout=60.06 error=… status=None",
		Marks: "these words in this order, behind any prefix that has a time: one with a zone counts first, then one with a date; attempts count from 0, status is an earlier attempt's, and refused attempts have no line",
		IDs:   "request_id is one request's, the same for all its attempts",
		Traps: []string{"cost is seconds, not money", "an attempt answered with 429 or 5xx has no line: a number that is missing is no timeout, and its charge is at most a lead",
			"status is that of an earlier attempt"},
		Sample: "2026-10-03 12:01:00,060 WARNING request_id=9f2c7a1b4d6e8f03 attempt=0 timeout=60.06 error=ReadTimeout('timed out') status=None\n" +
			"2026-10-03 12:01:05,300 INFO request_id=9f2c7a1b4d6e8f03 attempt=1 success cost=4.24s\n"},
	{Name: "python-json", Role: source.Attempts,
		What:  "log lines of a time and a JSON object, as logging's %(asctime)s %(message)s writes them",
		Marks: "an object behind a prefix without pairs, with a model or an id and one of status, error, latency_ms; the time ahead of it counts; prompt_len is characters and is not read",
		IDs:   "often none: then a charge is laid to a line by model and time alone, and each line is a call of its own",
		Traps: []string{"prompt_len is characters, not tokens, and is not read", "the time ahead of the object has milliseconds where the one in it often has none"},
		Sample: `2026-10-03 12:00:30,012 {"model": "m-large", "prompt_len": 5210, "status": "timeout", "latency_ms": 30012, "error": "ReadTimeout", "timestamp": "2026-10-03T12:00:30"}` + "\n" +
			`2026-10-03 12:00:36,400 {"model": "m-large", "prompt_len": 5210, "status": "success", "latency_ms": 5388, "error": null, "timestamp": "2026-10-03T12:00:36"}` + "\n"},
}

// packings are what any of them may come in.
var packings = []struct{ name, what string }{
	{"gzip, zstd", "told by their first bytes, whatever the name"},
	{"zip", "each member is a file of its own, bills.zip/a.csv, and can be named so; archives of too much from too little, of encrypted files, of archives, or with names that lead out of them are refused"},
	{"xlsx", "each sheet with a table is a file of its own, bill.xlsx/Sheet1; the header is found below titles; a row is a line; days and times by their number format; an id of more than 15 digits stored as a number is refused, and so is a formula without its value"},
	{"encodings", "UTF-8 with or without a mark, UTF-16, GB18030 with GBK (told by the first 256 KB, and said)"},
	{"tables", "comma, semicolon or tab; quotes, with line breaks in them; sep= of Excel; lines above the header are left out, and said"},
	{"JSON", "objects one a line, one behind the other or over several lines; an array; an array in an envelope such as {\"data\": […]}"},
}
