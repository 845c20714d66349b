package letter

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/words"
)

func row(vendor, charge string, claim report.Money, state report.State) report.DisputeRow {
	return report.DisputeRow{Finding: "ffffffffffff", Vendor: vendor, ChargeID: charge, ChargedAt: time.Date(2026, 10, 3, 12, 0, 0, 0, time.UTC), Model: "m", Currency: "USD",
		Amount: claim, Excess: claim, Refunded: "0", Claim: claim, Verdict: "duplicate_line", Reason: "same_line", SourceFile: "bill.csv", SourceLine: 2, State: state}
}

func audit() *report.Audit {
	return &report.Audit{Period: report.Period{From: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), Zone: "UTC"}}
}

func TestVendorsNamesMakeSafeFiles(t *testing.T) {
	taken := map[string]bool{}
	for _, c := range []struct{ vendor, want string }{
		{"openai", "dispute-openai"}, {"OpenAI", "dispute-openai-2"}, {"../../etc/passwd", "dispute-etc_passwd"}, {"", "dispute-vendor"}, {"..", "dispute-vendor-2"},
		{"a\x00b\nc", "dispute-a_b_c"}, {"C:\\x", "dispute-c__x"}, {strings.Repeat("x", 300), "dispute-" + strings.Repeat("x", 40)}, {"供应商", "dispute-vendor-3"}, {"-rf", "dispute-rf"},
	} {
		if got := fileName(c.vendor, taken); got != c.want {
			t.Errorf("%q makes %q, want %q", c.vendor, got, c.want)
		}
	}
}

// TestTableIsAFileOfStates: what is written is what ReadStates reads, whatever is in it.
func TestTableIsAFileOfStates(t *testing.T) {
	wb := &report.Workbook{Audit: audit(), Disputes: []report.DisputeRow{row("acme", "c1", "2", report.StateFiled), row("acme", "=cmd|' /C calc'!A0", "3", report.StateRecovered)}}
	wb.Disputes[1].Finding = "eeeeeeeeeeee"
	wb.Disputes[1].Recovered, wb.Disputes[1].Note = "2.5", "=1+1\nsecond line"
	for _, bom := range []bool{false, true} {
		files, err := Files(wb, Options{BOM: bom})
		if err != nil || len(files) != 1 {
			t.Fatalf("%d files, %v: nothing is open, so there is no letter", len(files), err)
		}
		states, err := report.ReadStates(bytes.NewReader(files[0].Content))
		if err != nil || len(states) != 2 || states[0].State != report.StateFiled || states[1].Recovered != "2.5" {
			t.Errorf("%+v, %v", states, err)
		}
		if bytes.HasPrefix(files[0].Content, []byte("\ufeff")) != bom {
			t.Errorf("byte order mark: asked for %v", bom)
		}
	}
}

// hostile are texts of the data that a spreadsheet, a renderer of Markdown or a terminal could run.
var hostile = []string{"=cmd|' /C calc'!A0", "+1+1", "@SUM(A1)", "-2+3", "\t=1+1", "\r=1+1", "<script>alert(1)</script>", "![x](http://a.example/p.png)", "[x](javascript:alert(1))",
	"a | b", "`code`", "\x1b[31mred", "\x00\x07", "\xed\xa0\x80", "# head\n\n- list"}

func TestHostileTextStaysText(t *testing.T) {
	for _, s := range hostile {
		d := row(s, s, "2", report.StateOpen)
		d.Model, d.RequestID, d.Currency, d.Note = s, s, s, s
		files, err := Files(&report.Workbook{Audit: audit(), Disputes: []report.DisputeRow{d}}, Options{})
		if err != nil || len(files) != 2 {
			t.Fatalf("%q: %d files, %v", s, len(files), err)
		}
		records, err := csv.NewReader(bytes.NewReader(files[0].Content)).ReadAll()
		if err != nil || len(records) != 2 {
			t.Fatalf("%q: %d lines, %v", s, len(records), err)
		}
		for i, field := range records[1] {
			if field != "" && strings.ContainsAny(field[:1], "=+-@\t\r") || strings.ContainsAny(field, "\x1b\x00\r\n") {
				t.Errorf("%q: the column %s is %q", s, Header[i], field)
			}
		}
		text := string(files[1].Content)
		for _, bad := range []string{"\x1b", "\x00", "\r", "\n# head", "](http", "](javascript"} {
			if strings.Contains(text, bad) && !strings.Contains(text, "`"+s) {
				t.Errorf("%q: the letter has %q:\n%s", s, bad, text)
			}
		}
		for i, line := range strings.Split(text, "\n") {
			outside := ""
			for j, part := range strings.Split(line, "`") {
				if j%2 == 0 {
					outside += part
				}
			}
			if strings.Contains(strings.ReplaceAll(outside, `\<`, ""), "<") || strings.Contains(strings.ReplaceAll(outside, `\[`, ""), "[") {
				t.Errorf("%q: line %d has live Markdown: %s", s, i+1, line)
			}
		}
	}
}

func TestLetterAsksForWhatIsOpen(t *testing.T) {
	wb := &report.Workbook{Audit: audit(), Disputes: []report.DisputeRow{row("acme", "c1", "2", report.StateOpen), row("acme", "c2", "3", report.StateOpen),
		row("acme", "c3", "10", report.StateFiled), row("acme", "c4", "0", report.StateOpen), row("rival", "c5", "100", report.StateOpen)}}
	files, err := Files(wb, Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := string(files[1].Content)
	for _, want := range []string{"2 charges, 5 USD in all", "`dispute-acme.csv`", "| `c2` | 2026-10-03 12:00:00 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the letter lacks %q:\n%s", want, text)
		}
	}
	for _, not := range []string{"rival", "c5", "c3", "c4"} {
		if strings.Contains(text, not) {
			t.Errorf("the letter has %q:\n%s", not, text)
		}
	}
	if chinese, _ := Files(wb, Options{Lang: words.Chinese}); bytes.Equal(chinese[1].Content, files[1].Content) {
		t.Error("the Chinese letter is the English one")
	}
}

func TestOneChargeIsAskedForAsOne(t *testing.T) {
	wb := &report.Workbook{Audit: audit(), Disputes: []report.DisputeRow{row("acme", "c1", "2", report.StateOpen), row("beta", "b1", "1", report.StateOpen), row("beta", "b2", "1", report.StateOpen)}}
	files, err := Files(wb, Options{})
	if err != nil || len(files) != 4 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for i, want := range map[int]string{1: "One charge, 2 USD, is not due", 3: "2 charges, 2 USD in all, are not due"} {
		if letter := string(files[i].Content); !strings.Contains(letter, want) || strings.Contains(letter, "The largest of them") != (i == 3) {
			t.Errorf("expected %q in\n%s", want, letter)
		}
	}
}

// TestLargestAreOfEachCurrency: a claim of 1000 yen is no larger than one of 2 dollars, and pushes it out of no list.
func TestLargestAreOfEachCurrency(t *testing.T) {
	var rows []report.DisputeRow
	for _, claim := range []report.Money{"1000", "1001", "1002", "1003", "1004", "1005"} {
		d := row("acme", "jpy-"+string(claim), claim, report.StateOpen)
		d.Currency = "JPY"
		rows = append(rows, d)
	}
	rows = append(rows, row("acme", "usd-1", "1", report.StateOpen), row("acme", "usd-2", "2", report.StateOpen))
	var found []string
	for _, d := range largest(rows, 5) {
		found = append(found, d.ChargeID)
	}
	if got, want := strings.Join(found, " "), "jpy-1005 jpy-1004 jpy-1003 jpy-1002 jpy-1001 usd-2 usd-1"; got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
}
