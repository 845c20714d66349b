package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each case is a file and what becomes of it.
func TestDecode(t *testing.T) {
	const (
		bill  = "charge_id,charged_at,amount,model\n" // with a model
		jbill = `{"charge_id":"c0","charged_at":"t","amount":"1"}` + "\n"
	)
	cases := []struct{ name, file, want string }{
		{"the log line of the article",
			"ts=12:00:03.412 level=WARN evt=llm_call rid=9f2c7a1b4d6e8f03 attempt=2/3 elapsed_ms=30012 stage=read result=retryable reason=ReadTimeout model=qwen3.8-max-preview\n",
			"1: request_id=9f2c7a1b4d6e8f03 attempt=2 max_attempts=3 elapsed_ms=30012 stage=read outcome=retryable reason=ReadTimeout model=qwen3.8-max-preview ts=12:00:03.412\n"},
		{"a dash and an empty stage in a log line",
			"ts=1 evt=llm_call rid=a result=success reason=- stage= model=m",
			"1: request_id=a outcome=success model=m ts=1\n"},
		{"text before the pairs, whose time is taken",
			"2026-10-01 12:00:03,412 WARNING app: evt=llm_call rid=a attempt=1 result=success\r\n",
			"1: request_id=a attempt=1 outcome=success ts=2026-10-01 12:00:03.412\n"},
		{"a time with a blank and a comma, without quotes",
			"ts=2026-10-01 12:00:03,412 evt=llm_call event=x rid=a, result=success\n",
			"1: request_id=a outcome=success ts=2026-10-01 12:00:03.412\n"},
		{"quotes and escapes in a log line",
			`time=1 rid="a \"b\"" status=504 error="context deadline exceeded" dur=1.5s k='x y'`,
			`1: request_id=a "b" reason=context deadline exceeded ts=1 status=504 elapsed_s=1.5s` + "\n"},
		{"free text is ignored, a broken marked line is rejected",
			"ts=1 evt=llm_call rid=a result=ok\nstarting up\n\nGET /v1?rid=x&attempt=1 a=b\nts=1 evt=llm_call rid=a reason=\"cut off\nevt=llm_call rid=b result=ok\n",
			"1: request_id=a outcome=ok ts=1\n" +
				"5: reject found a quote that is never closed, expected a closing quote [ts=1 evt=llm_call rid=a reason=\"cut off]\n" +
				"6: reject ts: found no time, expected ts=, time= or timestamp= [evt=llm_call rid=b result=ok]\nignored 2\n"},
		{"another event of a log that marks its attempts",
			"ts=1 evt=llm_call rid=a result=ok\nts=1 evt=http_request rid=a status=200\n",
			"1: request_id=a outcome=ok ts=1\nignored 1\n"},

		{"the two lines of the first article's client, and one that is cut short",
			"2026-11-03 10:01:00,112 WARNING app: request_id=a attempt=0 timeout=60.08 error=Pool(host='x', port=443): Max retries (Caused by ConnectTimeoutError(<c>, 'timed out. (connect timeout=5)')) status=503\n" +
				"2026-11-03 10:01:20,350 INFO app: request_id=a attempt=1 success cost=18.20s\n" +
				"2026-11-03 10:02:00,112 WARNING app: request_id=a attempt=0 timeout=60.08 error=Pool(host='x'\n" +
				"2026-11-03 10:02:00,112 INFO app: request_id=a attempt=0 success cost=fast\nrequest_id=a attempt=0 success cost=1.00s\n" +
				"ready in 3 s\n",
			"1: request_id=a attempt=0 stage=connect outcome=timeout reason=Pool(host='x', port=443): Max retries (Caused by ConnectTimeoutError(<c>, 'timed out. (connect timeout=5)')) ts=2026-11-03 10:01:00.112 elapsed_s=60.08 counts_from=0 unlogged=503\n" +
				"2: request_id=a attempt=1 outcome=success ts=2026-11-03 10:01:20.350 elapsed_s=18.20 counts_from=0 unlogged=unknown\n" +
				"3: reject found no status= behind error=, expected status=None or a status of three digits (the line is cut short) [2026-11-03 10:02:00,112 WARNING app: request_id=a attempt=0 timeout=60.08 error=Pool(host='x']\n" +
				"4: reject found cost=fast, expected seconds such as cost=1.23s [2026-11-03 10:02:00,112 INFO app: request_id=a attempt=0 success cost=fast]\n" +
				"5: reject ts: found no time, expected one before request_id= (log with %(asctime)s) [request_id=a attempt=0 success cost=1.00s]\nignored 1\n"},
		{"lines of both articles in one log",
			"ts=2026-11-03T10:00:00Z evt=llm_call rid=b attempt=1/3 result=success\n2026-11-03 10:01:20,350 request_id=a attempt=1 success cost=18.20s\n",
			"1: request_id=b attempt=1 max_attempts=3 outcome=success ts=2026-11-03T10:00:00Z\n2: request_id=a attempt=1 outcome=success ts=2026-11-03 10:01:20.350 elapsed_s=18.20 counts_from=0 unlogged=unknown\n"},
		{"a log of another kind with the same keys",
			"ts=2026-11-03T10:00:00Z request_id=a attempt=1 timeout=30 error=ReadTimeout status=504 model=m\n" +
				"ts=2026-11-03T10:00:00Z request_id=a attempt=2 timeout=30.5 error=ReadTimeout status=504 model=m\n",
			"1: request_id=a attempt=1 reason=ReadTimeout model=m ts=2026-11-03T10:00:00Z status=504\n2: request_id=a attempt=2 reason=ReadTimeout model=m ts=2026-11-03T10:00:00Z status=504\n"},
		{"a time, then JSON: the time ahead counts, unless the one inside has a zone",
			`2026-11-03 10:00:31,012 {"model": "m", "prompt_len": 12, "status": null, "latency_ms": 30010.5, "error": "timed out", "timestamp": "2026-11-03 10:00:31"}` + "\n" +
				`2026-11-03 10:00:31,012 {"model": "m", "status": "200", "timestamp": "2026-11-03T09:00:31Z"}` + "\n" +
				`2026-11-03 10:00:31,012 {"model": "m", "status": 200, "late` + "\n" + `2026-11-03 10:00:31,012 {"colour": "red"}` + "\n" +
				"2026-11-03 10:00:31,012 breaker open\n" + `{"model": "m", "status": 200}` + "\n" + `INFO {"model": "m", "status": 200}` + "\n",
			"1: elapsed_ms=30010.5 reason=timed out model=m ts=2026-11-03 10:00:31.012\n2: model=m ts=2026-11-03T09:00:31Z status=200\n6: model=m status=200\n" +
				`3: reject found the end of the record, expected a closing " (counted from the object's {) [2026-11-03 10:00:31,012 {"model": "m", "status": 200, "late]` + "\n" +
				`7: reject ts: found no time, expected one before the object (log with %(asctime)s) [[redacted] … [34 bytes, sha256 ` + sha(`INFO {"model": "m", "status": 200}`) + "]]\nignored 2\n"},

		{"quoted fields, doubled quotes, a line end inside",
			bill + "c1,t,\"1,5\",\"say \"\"hi\"\"\"\r\n\"c2\",t,2,\"two\nlines\"\nc3,t,3,\n",
			"2: charge_id=c1 charged_at=t model=say \"hi\" amount=1,5\n3: charge_id=c2 charged_at=t model=two\nlines amount=2\n5: charge_id=c3 charged_at=t amount=3\n"},
		{"too few and too many fields",
			bill + "c1,t\nc2,t,1,m,x\nc3,t,3,m\n",
			"4: charge_id=c3 charged_at=t model=m amount=3\n2: reject found 2 fields, expected 4 [c1,t]\n3: reject found 5 fields, expected 4 [c2,t,1,m,x]\n"},
		{"the header again, a row of delimiters, blank lines",
			bill + "c1,t,1,m\n\n" + bill + ",,,\n  \nc2,t,2,m",
			"2: charge_id=c1 charged_at=t model=m amount=1\n7: charge_id=c2 charged_at=t model=m amount=2\nignored 2\n"},
		{"a quote that is never closed does not swallow what follows",
			bill + "c1,t,1,\"m\nc2,t,2,m\nc3,t,3,m\n",
			"3: charge_id=c2 charged_at=t model=m amount=2\n4: charge_id=c3 charged_at=t model=m amount=3\n2: reject found a quote that is never closed, expected a closing quote [c1,t,1,\"m]\n"},
		{"nor does one that a later quote seems to close",
			bill + "c1,t,1,\"m\nc2,t,2,m\nc3,t,3,\"m\"\n",
			"3: charge_id=c2 charged_at=t model=m amount=2\n4: charge_id=c3 charged_at=t model=m amount=3\n2: reject found a quote that is never closed, expected a closing quote [c1,t,1,\"m]\n"},
		{"a quote inside a bare field is text",
			bill + "c1,t,1,5\" disk\n",
			"2: charge_id=c1 charged_at=t model=5\" disk amount=1\n"},
		{"text behind a closing quote",
			bill + "c1,t,1,\"m\"x\n",
			"2: reject found text behind a closing quote, expected a comma [c1,t,1,\"m\"x]\n"},
		{"bytes that are no text",
			bill + "c1,t,1,a\xffb\nc2,t,\x001,m\nc3,t,3,m\n",
			"4: charge_id=c3 charged_at=t model=m amount=3\n2: reject model: found bytes that are not UTF-8, expected UTF-8 (save the file as UTF-8) [c1,t,1,a\uFFFDb]\n" +
				"3: reject amount: found a NUL byte, expected text [c2,t,\uFFFD1,m]\n"},
		{"semicolons, and the line by which Excel names them",
			"sep=;\ncharge_id;charged_at;amount\nc1;t;1,5\n",
			"3: charge_id=c1 charged_at=t amount=1,5\n"},

		{"numbers keep their digits, null is missing, the last key wins",
			`{"id":12345678901234567890,"created_at":1790000001.100,"cost":1e-7,"model":null,"cancelled":true,"cost":2E-7}`,
			"1: charge_id=12345678901234567890 charged_at=1790000001.100 amount=2E-7 cancelled=true\n"},
		{"escapes and nested tokens",
			`{"id":"a\"\u00e9\ud83d\ude00\n","created_at":"t","cost":"1","usage":{"prompt_tokens":5,"details":{"x":[1,{"y":"]"}]}},"messages":[{"content":"hi"}]}`,
			"1: charge_id=a\"é😀\n charged_at=t input_tokens=5 amount=1\n"},
		{"half a last line", jbill + `{"charge_id":"c1","charged_at":"t","prompt":"tell me`,
			"1: charge_id=c0 charged_at=t amount=1\n2: reject found the end of the record, expected a closing \" [{\"charge_id\":\"c1\",\"charged_at\":\"t\",\"prompt\":[redacted]]\n"},
		{"the other half of a line shows nothing", jbill + `me a secret","amount":3}`,
			"1: charge_id=c0 charged_at=t amount=1\n2: reject found text that is no JSON object, expected { [[redacted] … [24 bytes, sha256 " + sha(`me a secret","amount":3}`) + "]]\n"},
		{"half a surrogate pair is no text", jbill + `{"charge_id":"\ud800","charged_at":"t","amount":"1"}`,
			"1: charge_id=c0 charged_at=t amount=1\n2: reject charge_id: found byte 15 ('\\\\'), expected an escape that is a character [{\"charge_id\":\"\\ud800\",\"charged_at\":\"t\",\"amount\":\"1\"}]\n"},
		{"text between the objects of a log, and objects about something else",
			`{"ts":1,"rid":"a","status":200}` + "\nserver started\n" + `{"ts":1,"level":"error","error":"no database"}` + "\n",
			"1: request_id=a ts=1 status=200\nignored 2\n"},
		{"a JSON array over lines", "[\n{\"id\":1,\"created_at\":\"t\",\"cost\":1},\n{\"id\":2,\n\"created_at\":\"t\",\"cost\":x},\n{\"id\":3,\"created_at\":\"t\",\"cost\":3}\n]\n",
			"2: charge_id=1 charged_at=t amount=1\n5: charge_id=3 charged_at=t amount=3\n3: reject amount: found byte 34 ('x'), expected a value [{\"id\":2,\n\"created_at\":\"t\",\"cost\":x}]\n"},
		{"an envelope", `{"object":"list","data":{"total":2,"items":[{"id":1,"created_at":"t","cost":1},{"id":2,"created_at":"t","cost":2}],"next":null}}`,
			"1: charge_id=1 charged_at=t amount=1\n1: charge_id=2 charged_at=t amount=2\n"},
		{"two documents in one file", `{"data":[{"id":1,"created_at":"t","cost":1}]}` + "\n" + `{"data":[{"id":2,"created_at":"t","cost":2}]}`,
			"1: charge_id=1 charged_at=t amount=1\n2: reject found text behind the end of the JSON document, expected the end of the file [{\"data\":[{\"id\":2,\"created_at\":\"t\",\"cost\":2}]}]\n"},
		{"an array that is cut off", "[\n{\"id\":1,\"created_at\":\"t\",\"cost\":1},\n{\"id\":2,\"cre",
			"2: charge_id=1 charged_at=t amount=1\n3: reject found the end of the record, expected a closing \" [{\"id\":2,\"cre]\n"},
		{"objects printed over lines", "{\n  \"id\": 1,\n  \"created_at\": \"t\",\n  \"cost\": 1\n}\n{\n  \"id\": 2,\n  \"created_at\": \"t\",\n  \"cost\": 2\n}\n",
			"1: charge_id=1 charged_at=t amount=1\n6: charge_id=2 charged_at=t amount=2\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, decode(t, c.file, Options{}).String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A line of any length is one reject at most, and the lines around it are read.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 3000)
	head := `{"charge_id":"c1","charged_at":"t","amount":"1"}` + "\n"
	file := head + `{"charge_id":"` + long + `","charged_at":"t","amount":"1"}` + "\n" + head
	for _, block := range []int{64, 1000, 1 << 20} {
		d := decode(t, file, Options{BlockSize: block, maxLine: 1000})
		if len(d.Records) != 2 || d.Lines[1] != 3 || len(d.Rejects) != 1 || d.Rejects[0].Line != 2 ||
			d.Rejects[0].Reason != "found a record of 3046 bytes, expected at most 1000" {
			t.Errorf("block %d: %v %v", block, d.Lines, d.Rejects)
		}
		if d = decode(t, file, Options{BlockSize: block}); len(d.Records) != 3 {
			t.Errorf("block %d: a line of 3 kB is not read: %v", block, d.Rejects)
		}
	}
	if testing.Short() {
		return
	}
	huge := head + `{"charge_id":"` + strings.Repeat("x", 100<<20) + "\"}\n" + head
	d := decode(t, huge, Options{})
	if len(d.Records) != 2 || len(d.Rejects) != 1 || len(d.Rejects[0].Raw) > maxRaw+120 {
		t.Errorf("a line of 100 MiB: %d records, %d rejects", len(d.Records), len(d.Rejects))
	}
}
