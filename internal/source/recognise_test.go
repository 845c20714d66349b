package source

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each case is the head of a file and what it is taken for: role, syntax, what is read from
// where, then the notes; or the error.
func TestRecognise(t *testing.T) {
	cases := []struct {
		name, file string
		forced     Role
		want       string
	}{
		{"a bill by its own names", "charge_id,charged_at,amount\n", "",
			"charges retrytax-charges csv , charge_id=charge_id charged_at=charged_at amount=amount"},
		{"an activity export", "generation_id,created_at,cost_total,tokens_prompt,streamed,cancelled\n", "",
			"charges retrytax-charges csv , charge_id=generation_id charged_at=created_at amount=cost_total input_tokens=tokens_prompt cancelled=cancelled; unused streamed"},
		{"an attempt log that also knows a cost", "timestamp,Request ID,http-status,latency_ms,cost\n", "",
			"attempts retrytax-attempts csv , ts=timestamp request_id=Request ID http_status=http-status elapsed_ms=latency_ms; unused cost"},
		{"the same, said to be a bill", "timestamp,Request ID,http-status,latency_ms,cost\n", Charges,
			"charges retrytax-charges csv , charged_at=timestamp request_id=Request ID amount=cost; unused http-status latency_ms"},
		{"a spelling of the canonical name wins over aliases, and they over later ones",
			"spend,Amount,date,created_at\n", "",
			"charges retrytax-charges csv , amount=Amount charged_at=created_at; unused spend date; Amount and spend both mean amount: Amount is read; created_at and date both mean charged_at: created_at is read"},
		{"x_request_id alone is the request id", "ts,x-request-id,status\n", "",
			"attempts retrytax-attempts csv , ts=ts request_id=x-request-id status=status"},
		{"x_request_id beside another is the receipt", "ts,rid,x-request-id,status\n", "",
			"attempts retrytax-attempts csv , ts=ts request_id=rid vendor_request_id=x-request-id status=status"},
		{"a duration with units", "ts,rid,status,duration\n1,a,200,1.5s\n", "",
			"attempts retrytax-attempts csv , ts=ts request_id=rid status=status elapsed_s=duration"},
		{"a duration without", "ts,rid,status,duration\n1,a,200,1500\n", "",
			"attempts retrytax-attempts csv , ts=ts request_id=rid status=status; unused duration; duration is not read, since its values carry no unit: name it duration_ms or duration_s"},
		{"tabs", "ts\trid\tstatus\n", "", "attempts retrytax-attempts csv \t ts=ts request_id=rid status=status"},
		{"JSON lines", `{"@timestamp":1,"requestId":"a","error":{"type":"Timeout"},"usage":{"completion_tokens":1}}` + "\n", "",
			"attempts retrytax-attempts jsonl ts=@timestamp request_id=requestId reason=error.type output_tokens=usage.completion_tokens"},
		{"a bill as an envelope", `{"object":"list","data":[{"id":1,"created_at":2,"cost":3}]}`, "",
			"charges retrytax-charges jsonl charge_id=id charged_at=created_at amount=cost"},
		{"log lines", "boot\nts=1 evt=llm_call rid=a result=x\n", "", "attempts logfmt logfmt ts=ts request_id=rid outcome=result"},
		{"the first article's lines", "boot\n2026-11-03 10:01:20,350 request_id=a attempt=1 success cost=18.20s\n", "",
			"attempts python-text logfmt request_id=request_id attempt=attempt elapsed_s=cost elapsed_s=timeout reason=error unlogged=status"},
		{"the same, wrapped by a container's runtime", `{"log":"request_id=a attempt=1 success cost=18.20s\n","time":"2026-11-03T10:04:08Z"}` + "\n", "",
			"attempts python-text logfmt request_id=request_id attempt=attempt elapsed_s=cost elapsed_s=timeout reason=error unlogged=status"},
		{"the third article's lines", `2026-11-03 10:00:31,012 {"model": "m", "prompt_len": 12, "status": 200, "latency_ms": 1, "error": null, "timestamp": "2026-11-03 10:00:31"}` + "\n", "",
			"attempts python-json jsonl model=model status=status elapsed_ms=latency_ms reason=error ts=timestamp; unused prompt_len"},
		{"the third article's lines, said to be a bill", `2026-11-03 10:00:31,012 {"model": "m", "status": 200}` + "\n", Charges,
			"file: found the lines of an attempt log (a time, then JSON), expected a billing export; hint: say --attempts FILE"},
		{"log lines with x_request_id only", "ts=1 x_request_id=a status=200\n", "",
			"attempts logfmt logfmt ts=ts request_id=x_request_id status=status"},
		{"log lines behind pages of others", strings.Repeat("nothing to see here\n", 9000) + "ts=1 evt=llm_call rid=a result=x\n", "",
			"attempts logfmt logfmt ts=ts request_id=rid outcome=result"},
		{"JSON lines behind text", "server started\n" + `{"ts":1,"rid":"a","status":200}`, "",
			"attempts retrytax-attempts jsonl ts=ts request_id=rid status=status"},
		{"a byte order mark", "\uFEFFcharge_id,charged_at,amount\n", "",
			"charges retrytax-charges csv , charge_id=charge_id charged_at=charged_at amount=amount"},

		{"a bill without an amount", "\ncharge_id,created_at,tokens_in\n", "",
			"file:2: found columns charge_id, created_at, tokens_in, expected a column for amount (amount, cost_total, total_cost, total_amount, total_price, total, cost …); hint: say what it is: --attempts FILE or --charges FILE"},
		{"a log that is no bill", "ts=1 evt=llm_call rid=a result=x\n", Charges,
			"file: found the lines of an attempt log (key=value), expected a billing export; hint: say --attempts FILE"},
		{"a total beside prices", "date,price,unit_price,cost,total\n", "",
			"charges retrytax-charges csv , charged_at=date unit_price=unit_price amount=total; unused price cost; total and price both mean amount: total is read; total and cost both mean amount: total is read"},
		{"a price that is all there is", "date,model,Price\n", "",
			"charges retrytax-charges csv , charged_at=date model=model amount=Price; Price is read as the amount of a charge, since no other column is: if it is the price of a unit, name it unit_price"},
		{"an envelope with a total", `{"total":2,"data":[{"id":1,"created_at":2,"total":3}]}`, "",
			"charges retrytax-charges jsonl charge_id=id charged_at=created_at amount=total"},
		{"equal headers that are not read", "note,charged_at,cost,Note,COST,amount\n", "",
			"charges retrytax-charges csv , charged_at=charged_at amount=amount; unused note cost Note COST; amount and cost both mean amount: amount is read; amount and COST both mean amount: amount is read"},

		{"a column that stands twice", "\ncharge_id,charged_at,a,b,amount,c,d,amount\n", "",
			"file:2: found two columns \"amount\" (columns 5 and 8), expected one; hint: rename one"},
		{"a column that stands three times in two spellings", "ts,Request ID,request_id,status,requestid\n", Attempts,
			"file:1: found 3 columns \"Request ID\" and \"request_id\" and \"requestid\" (columns 2, 3 and 5), expected one; hint: rename one"},
		{"totals by the day", "usage_date_utc,model,Token Type,usage_quantity,cost,currency\n", "",
			"bills retrytax-bills csv , period_start=usage_date_utc model=model token_type=Token Type quantity=usage_quantity amount=cost currency=currency"},
		{"totals that count requests", "date,model,requests,amount\n", "",
			"bills retrytax-bills csv , period_start=date model=model requests=requests amount=amount"},
		{"days of charges, which count none", "date,model,amount\n", "",
			"charges retrytax-charges csv , charged_at=date model=model amount=amount"},
		{"charges that count requests are charges by their ids", "date,charge_id,model,requests,amount\n", "",
			"charges retrytax-charges csv , charged_at=date charge_id=charge_id model=model amount=amount; unused requests"},
		{"an invoice without days, said to be one", "item,model,total\n", Bills,
			"bills retrytax-bills csv , line_item=item model=model amount=total"},
		{"totals as an envelope", `{"data":[{"starting_at":"2026-10-03","num_model_requests":3}]}`, "",
			"bills retrytax-bills jsonl period_start=starting_at requests=num_model_requests"},
		{"verdicts of an audit", "provider,charged_at,verdict,recovery,amount,settled,delivered_charge_id\n", "",
			"file:1: found retrytax's own verdicts.csv, expected a billing export; hint: leave the report's folder out of the files"},
		{"rejects of an audit", "source_file;source_line;column;reason;raw\n", Attempts,
			"file:1: found retrytax's own rejects.csv, expected an attempt log; hint: leave the report's folder out of the files"},
		{"a table about something else", "name,colour\nfox,red\n", "",
			"file:1: found columns name, colour, expected for a billing export columns for charged_at and amount, for an attempt log a time and one of outcome, status and reason; hint: retrytax formats retrytax-charges lists the names under which columns are found"},
		{"the same, said to be a bill", "name,colour\n", Charges,
			"file:1: found columns name, colour, expected a column for charged_at (charged_at, billed_at, charge_time, usage_time, created_at, created, timestamp …) and a column for amount (amount, cost_total, total_cost, total_amount, total_price, total, cost …); hint: name the columns as retrytax formats lists them"},
		{"a table without a header", "c1,2026-10-01,5\n", "",
			"file: found text without a header, keys or log marks that are known, expected CSV with a header, JSON lines, or log lines with evt=llm_call or rid=… and attempt=…; hint: retrytax formats lists what can be read"},
		{"prose with commas", "Well, it was a dark night.\nNothing happened.\n", "",
			"file: found text without a header, keys or log marks that are known, expected CSV with a header, JSON lines, or log lines with evt=llm_call or rid=… and attempt=…; hint: retrytax formats lists what can be read"},
		{"prose", "It was a dark night.\nNothing happened, at all.\n", "",
			"file: found text without a header, keys or log marks that are known, expected CSV with a header, JSON lines, or log lines with evt=llm_call or rid=… and attempt=…; hint: retrytax formats lists what can be read"},
		{"a spreadsheet", "PK\x03\x04...", "", "file: found a zip archive, expected CSV, JSON lines or logfmt text; hint: unpack it, and name what comes out; gzip, zstd and zip are read as they are"},
		{"rubbish", "\x01\x02\x00\x07\x08ab", "", "file: found binary data, expected CSV, JSON lines or logfmt text; hint: export it as CSV or JSON lines"},
		{"JSON about something else", `{"a":1}`, "",
			"file:1: found columns a, expected a column for ts (ts, timestamp, time) or started_at (started_at, start_time, start_at) or ended_at (ended_at, end_time, end_at) and a column for outcome (outcome, result, state) or status (status) or reason (reason, error_type, exc_type) or http_status (http_status, status_code, http_status_code); hint: say what it is: --attempts FILE or --charges FILE"},
		{"nothing", "", "", "file: found an empty file, expected records; hint: export it again, or leave it out"},
		{"blank lines", "\n \r\n", "", "file: found only blank lines, expected records; hint: export it again, or leave it out"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			rec, err := Recognise(BytesInput("file", []byte(c.file)), c.forced)
			got := describeRecognised(rec)
			if err != nil {
				var e *Error
				if !errors.As(err, &e) || e.Kind == nil {
					t.Fatalf("an error without a kind: %v", err)
				}
				got = e.Error() + "; hint: " + e.Hint
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func describeRecognised(r Recognised) string {
	parts := []string{fmt.Sprintf("%s %s %s", r.Role, r.Format, r.Syntax)}
	if r.Delimiter != 0 {
		parts[0] += " " + string(rune(r.Delimiter))
	}
	for _, m := range r.Columns {
		parts[0] += " " + m.To + "=" + m.From
	}
	if r.Unused != nil {
		parts = append(parts, "unused "+strings.Join(r.Unused, " "))
	}
	return strings.Join(append(parts, r.Notes...), "; ")
}

// The alias list follows the columns, and no name means two of them.
func TestAliases(t *testing.T) {
	for _, role := range []Role{Attempts, Charges} {
		columns := map[string]string{}
		for i, a := range Aliases(role) {
			if a.Column != ColumnsOf(role)[i] {
				t.Fatalf("%s: alias list has %s in the place of %s", role, a.Column, ColumnsOf(role)[i])
			}
			for _, n := range append([]string{a.Column}, a.Names...) {
				if other, taken := columns[normalise(n)]; taken {
					t.Errorf("%s: %s means %s and %s", role, n, other, a.Column)
				}
				columns[normalise(n)] = a.Column
			}
		}
	}
	for n := range unitless { // the note on a duration without a unit names these two
		for suffix, col := range map[string]string{"_ms": "elapsed_ms", "_s": "elapsed_s"} {
			if got := newNames(Attempts, false).resolve(n + suffix).col; got != columnIndex(Attempts, col) {
				t.Errorf("%s%s is column %d", n, suffix, got)
			}
		}
	}
	for _, same := range []string{"request_id", "Request ID", "requestId", "request-id", "REQUEST.ID"} {
		if got := newNames(Attempts, false).resolve(same).col; got != 0 {
			t.Errorf("%s is column %d", same, got)
		}
	}
	for name, want := range map[string]string{"rid": "request_id", "trace_id": "request_id", "generation_id": "vendor_request_id",
		"latency": "elapsed_s", "cost_ms": "", "id": "", "http_code": "http_status", "exception": "reason", "try": "attempt"} {
		if got := newNames(Attempts, false).resolve(name).col; got != columnIndex(Attempts, want) {
			t.Errorf("%s is column %d, expected %s", name, got, want)
		}
	}
}

// A later record may carry a name that the sample did not show, or a worse one only.
func TestNamesPerRecord(t *testing.T) {
	d := decode(t, `{"ts":1,"rid":"a","status":200}`+"\n"+
		`{"ts":2,"request_id":"b","rid":"c","status":200}`+"\n"+
		`{"ts":3,"rid":"e","request_id":null,"status":200,"latency":"2s"}`+"\n"+
		`{"ts":4,"trace_id":"d","error":"x","latency":2}`+"\n", Options{})
	want := "1: request_id=a ts=1 status=200\n2: request_id=b ts=2 status=200\n3: ts=3 status=200 elapsed_s=2s\n4: request_id=d reason=x ts=4\n"
	if diff := cmp.Diff(want, d.String()); diff != "" {
		t.Error(diff)
	}
}
