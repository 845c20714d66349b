package page

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/words"
)

var created = time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC)

// hostile are texts that a log or a bill may hold and that must stay what they are.
var hostile = []string{`<script>document.title="run"</script>`, `"><img src=http://a.example/x onerror=alert(1)>`, `</script><script>alert(1)</script>`, `javascript:alert(1)`,
	`{{.Style}}`, "=cmd|' /C calc'!A0", "\x1b[31mred", "\x00\x07", "\xed\xa0\x80 lone", `<svg/onload=alert(1)>`, `--><b>`, "a\u202eb"}

// october is a small month with one hostile call for each of them.
func october() *report.Workbook {
	at := time.Date(2026, 10, 3, 12, 0, 0, 0, time.UTC)
	parts := report.Parts{Billed: "60", Delivered: "36", Excess: "12", Undelivered: "4", Orphan: "5", Unsettled: "4", Adjustments: "-1"}
	rate := 0.05
	wb := &report.Workbook{Audit: &report.Audit{
		Period: report.Period{From: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), Zone: "UTC"},
		Totals: []report.Total{{ProviderBook: "all/bill", Currency: "USD", Billed: "60", Delivered: "36", Excess: "12", Undelivered: "4", Orphan: "5", Unsettled: "4", Adjustments: "-1",
			ExcessNet: "11", CostPerDelivered: "1.5", AtLeast: true}},
		Verdicts: []report.Verdict{{Book: "bill", Currency: "USD", Verdict: "timeout_retry", Recovery: "own_policy", Charges: 8, Amount: "8", Excess: "8"},
			{Book: "bill", Currency: "USD", Verdict: "duplicate_line", Recovery: "vendor_dispute", Charges: 4, Amount: "4", Excess: "4"},
			{Book: "bill", Currency: "USD", Verdict: "delivered", Recovery: "none", Charges: 36, Amount: "36", Excess: "0"}},
		Rates: report.Rates{TimeoutRate: &rate}, Checks: []report.Check{{Name: "ledger_identity", OK: true}},
		Bounds:   []report.Bound{{Currency: "USD", Lower: "10", Expected: "12", Upper: "15"}},
		Warnings: []report.Warning{{Code: "id_reuse", Text: "<b>1</b> request ids stand on more than one delivered call"}},
		Inputs:   []report.Input{{File: `<a href="x">.csv`, SHA256: strings.Repeat("0a", 32), Format: "csv", Rows: 60}},
		Leads:    []report.Lead{{Kind: "repeated", Calls: 2, Amount: "3", Currency: "USD"}},
		Coverage: []report.Coverage{{Provider: "p", Day: "2026-10-03", Charges: 50, Explained: 48}},
	}}
	wb.Days = []report.DayRow{{Book: "bill", Currency: "USD", Day: "2026-10-03", Charges: 48, Parts: parts, ByVerdict: map[string]report.Money{"timeout_retry": "8", "duplicate_line": "4"}},
		{Book: "bill", Currency: "USD", Day: "2026-10-04", Parts: report.Parts{Billed: "0", Excess: "0"}}}
	wb.Models = []report.ModelRow{{Provider: "p", Book: "bill", Model: hostile[0], Currency: "USD", Parts: parts}}
	wb.Disputes = []report.DisputeRow{{Finding: "f", Vendor: hostile[1], Currency: "USD", Claim: "4", Recovered: "", State: report.StateOpen}}
	for i, s := range hostile {
		end, place := at.Add(30*time.Second), int64(i+1)
		d := report.DuplicatedRow{Place: place, RequestID: s, Call: 1, Provider: s, Book: "bill", Model: s, FirstAt: at, LastAt: end, Attempts: 2, Charges: 2,
			Verdicts: "timeout_retry", Currency: "USD", Paid: "2", Due: "1", Excess: report.Money([]string{"1", "10", "9", "0.5"}[i%4])}
		wb.Duplicated = append(wb.Duplicated, d)
		wb.Dear = append(wb.Dear, report.DearCall{DuplicatedRow: d, Attempts: []report.DearAttempt{{Number: &place, Layer: "app", Outcome: s, Start: at, End: &end},
			{Layer: s, Outcome: "success", Start: end, Success: true}},
			Lines: []report.EvidenceRow{{Place: &place, ChargedAt: at, ChargeID: s, Model: s, Verdict: "timeout_retry", Amount: "1", Excess: "1", Currency: "USD", Reason: "billed_in_full"},
				{Place: &place, ChargedAt: end, ChargeID: "ok", Verdict: "delivered", Amount: "1", Excess: "0", Currency: "USD", Reason: "answered"}}})
	}
	return wb
}

func written(t testing.TB, wb *report.Workbook, lang words.Lang) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, wb, Options{Version: "v0", Created: created, Lang: lang}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPageRefersToNothingOutside(t *testing.T) {
	text := written(t, october(), words.English)
	for _, f := range regexp.MustCompile(`(?i)<(link|img|iframe|object|embed|a|base|form|audio|video|source|use|image)\b[^>]*`).FindAllString(text, -1) {
		t.Errorf("the page has %s", f)
	}
	for _, f := range regexp.MustCompile(`(?i)<[a-z][^<>]*\s(src|href|action|poster|srcset|on[a-z]+)=[^>]*|@import|url\(`).FindAllString(text, -1) {
		t.Errorf("the page has %s", f)
	}
}

func TestHostileTextIsNoMarkup(t *testing.T) {
	text := written(t, october(), words.English)
	if n := strings.Count(text, "<script"); n != 1 {
		t.Errorf("%d scripts, want our own", n)
	}
	for _, bad := range []string{"<svg/onload", "<b>", "<img", "\x1b", "\x00", "\u202e", "\xed"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

func TestSamePage(t *testing.T) {
	first, second := written(t, october(), words.Chinese), written(t, october(), words.Chinese)
	if first != second {
		t.Error("two runs give two pages")
	}
}

func TestPageSaysTheResult(t *testing.T) {
	text := written(t, october(), words.English)
	for _, want := range []string{"Of at least 60.00 USD billed, at least 12.00 USD (20.00 %) should not have been paid.", "2026-10-01 to 2026-10-31", "timeout, billed in full", "proven 10.00, expected 12.00, possible 15.00 USD"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if empty := written(t, &report.Workbook{Audit: &report.Audit{}}, words.English); !strings.Contains(empty, "No request was paid for more than once") {
		t.Error("an empty report does not say that it is")
	}
}

// TestAtLeastIsMarked: where amounts are unknown, each sum that can only grow says so; what is no sum of charges does not.
func TestAtLeastIsMarked(t *testing.T) {
	wb := october()
	page := written(t, wb, words.English)
	for _, want := range []string{`<span class="value">≥ 60.00</span>`, `<td class="n">≥ 36.00</td>`, `<td class="n">-1.00</td>`, `<td class="n">≥ 8.00</td>`, `<td class="n">0.00</td>`, `<dd>≥ 1.50 USD</dd>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	wb.Audit.Totals[0].AtLeast = false
	if strings.Contains(written(t, wb, words.English), "≥ ") {
		t.Error("a page of which all is known says ≥")
	}
}

func TestShortNumbersOfAnAxis(t *testing.T) {
	for a, want := range map[float64]string{0: "0", 0.1 + 0.2: "0.3", 0.00002: "0.00002", 500: "500", 1000: "1k", 2500: "2.5k", 3e6: "3M", 2e13: "20T"} {
		if got := short(a); got != want {
			t.Errorf("short(%v) is %q, expected %q", a, got, want)
		}
	}
}
