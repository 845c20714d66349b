package workbook

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"retrytax/internal/report"
)

// hostile are strings that a log or a bill may hold and that must stay what they are: text.
var hostile = []string{
	`=HYPERLINK("http://example.invalid","click")`,
	`+1+cmd|' /C calc'!A0`,
	`-2+3`,
	`@SUM(A1:A9)`,
	"\t=1+1",
	"\r=1+1",
	`<f>1+1</f><script>&amp;"'`,
	"nul\x00bell\x07 bad utf8 \xff end",
	`_x0041_ is not A`,
	`http://example.invalid/?a=1&b=2`,
}

var created = time.Date(2026, time.November, 2, 6, 0, 0, 0, time.UTC)

func zurich(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func ptr[T any](v T) *T { return &v }

// october is a small month whose numbers can be added up in the head: two currencies in the
// bill and a gateway's estimate, ten rows of evidence, each with one hostile string.
func october(t testing.TB) *report.Workbook {
	zone := zurich(t)
	wb := &report.Workbook{Audit: octoberAudit(zone), Method: []report.MethodRow{
		{Section: "Versions", Name: "database", Value: "1.5.6"},
		{Section: "Parameters", Name: "confidence", Value: "0.9"},
		{Section: "Parameters", Name: "partial share", Value: "0.8"},
		{Section: "Inputs", Name: "app.log", Value: "shown by the table of input files"},
	}}
	wb.Evidence = report.RowsOf(octoberEvidence(zone))
	wb.Days = []report.DayRow{
		{Book: "bill", Currency: "EUR", Day: "2026-10-03", Charges: 3, Parts: parts("12.345678901234567", "12.345678901234567", "0", "0", "0", "0", "0"), ExcessShare: ptr(0.0)},
		{Book: "bill", Currency: "USD", Day: "2026-10-02", Charges: 400, Parts: parts("400", "300", "70.5", "20", "4", "5.5", "0"), ExcessShare: ptr(0.17625),
			ByVerdict: map[string]report.Money{"timeout_retry": "60.5", "sdk_retry": "10"}},
		{Book: "bill", Currency: "USD", Day: "2026-10-03", Charges: 0, Parts: parts("0", "0", "0", "0", "0", "0", "0")},
		{Book: "bill", Currency: "USD", Day: "2026-10-04", Charges: 500, Parts: parts("600", "550", "30", "0", "0", "25", "-5"), ExcessShare: ptr(0.05),
			ByVerdict: map[string]report.Money{"timeout_retry": "20", "sdk_retry": "10"}},
		{Book: "estimate", Currency: "USD", Day: "2026-10-02", Charges: 800, Parts: parts("990", "990", "0", "0", "0", "0", "0"), ExcessShare: ptr(0.0)},
	}
	wb.Keys = []report.KeyRow{
		{Provider: "openai", APIKey: "=key", Book: "bill", Currency: "USD", Charges: 600, Parts: parts("700", "600", "60.5", "10", "4", "30.5", "-5"), ExcessShare: ptr(0.0864286)},
		{Provider: "openai", Book: "bill", Currency: "USD", Charges: 300, Parts: parts("300", "250", "40", "10", "0", "0", "0"), ExcessShare: ptr(0.133333)},
		{Provider: "anthropic", APIKey: "k", Book: "bill", Currency: "EUR", Charges: 3, Parts: parts("12.345678901234567", "12.345678901234567", "0", "0", "0", "0", "0"), ExcessShare: ptr(0.0)},
		{Provider: "openai", Book: "estimate", Currency: "USD", Charges: 800, Parts: parts("990", "990", "0", "0", "0", "0", "0"), ExcessShare: ptr(0.0)},
	}
	wb.Models = []report.ModelRow{
		{Provider: "openai", Book: "bill", Model: "gpt-4o", Currency: "USD", Charges: 900, InputTokens: ptr(int64(1234567)), CachedTokens: ptr(int64(0)),
			OutputTokens: ptr(int64(345678)), Parts: parts("1000", "850", "100.5", "20", "4", "30.5", "-5"), ExcessShare: ptr(0.1005)},
		{Provider: "anthropic", Book: "bill", Model: "claude", Currency: "EUR", Charges: 3, Parts: parts("12.345678901234567", "12.345678901234567", "0", "0", "0", "0", "0")},
		{Provider: "openai", Book: "estimate", Model: "gpt-4o", Currency: "USD", Charges: 800, Parts: parts("990", "990", "0", "0", "0", "0", "0")},
	}
	wb.Duplicated = []report.DuplicatedRow{{Place: 1, RequestID: "00000000000000012345", Call: 1, Layers: "app", Provider: "openai", Book: "bill", Model: "gpt-4o",
		FirstAt: time.Date(2026, 10, 25, 0, 30, 0, 123e6, time.UTC), LastAt: time.Date(2026, 10, 25, 1, 30, 0, 0, time.UTC),
		Attempts: 2, Charges: 2, Verdicts: "timeout_retry", Currency: "USD", Paid: "102.5", Due: "2", Excess: "100.5"}}
	wb.Disputes = octoberDisputes(zone)
	wb.Exceptions = report.RowsOf([]report.ExceptionRow{
		{Kind: "orphan", Reason: "no_log", At: ptr(created.Add(-72 * time.Hour)), Provider: "openai", Book: "bill", ChargeID: "ch_9", Amount: "4", Currency: "USD", SourceFile: "bill.csv", SourceLine: ptr(int64(77))},
		{Kind: "unbilled", Reason: "no charge", RequestID: "0123456789abcdef"},
		{Kind: "reject", Reason: "amount: '1,5' is not a number", SourceFile: "bill.csv", SourceLine: ptr(int64(78))},
	})
	return wb
}

func parts(billed, delivered, excess, undelivered, orphan, unsettled, adjustments report.Money) report.Parts {
	return report.Parts{Billed: billed, Delivered: delivered, Excess: excess, Undelivered: undelivered, Orphan: orphan, Unsettled: unsettled, Adjustments: adjustments}
}

// octoberEvidence is one call of ten charges: nine that should not have been paid, together 100.5, of which
// one is unknown, and the one that delivered.
func octoberEvidence(zone *time.Location) []report.EvidenceRow {
	var rows []report.EvidenceRow
	for i, s := range hostile {
		rows = append(rows, evidenceOf(i, s, zone))
	}
	rows[0].Amount, rows[0].Excess = "80.654321098765433", "80.654321098765433"
	rows[1].Amount, rows[1].Excess = "12.345678901234567", "12.345678901234567"
	rows[2].Amount, rows[2].Excess = "", ""
	last := &rows[len(rows)-1]
	last.Verdict, last.Recovery, last.Reason, last.Amount, last.Excess = "delivered", "none", "answered", "2", "0"
	return rows
}

func octoberDisputes(zone *time.Location) []report.DisputeRow {
	at := time.Date(2026, 10, 3, 12, 0, 0, 0, zone)
	return []report.DisputeRow{
		{Finding: "0a1b2c3d4e5f", Vendor: "=openai", ChargeID: "+1", ChargedAt: at, Model: "gpt-4o", Currency: "USD", Amount: "10", Excess: "10", Refunded: "4", Claim: "6",
			Verdict: "duplicate_line", Reason: "same_line", SourceFile: "bill.csv", SourceLine: 9, State: report.StateOpen},
		{Finding: "1a1b2c3d4e5f", Vendor: "=openai", ChargeID: "@c", ChargedAt: at, Model: "gpt-4o", Currency: "USD", Amount: "3", Excess: "3", Refunded: "0", Claim: "3",
			Verdict: "not_billable", Reason: "refused", SourceFile: "bill.csv", SourceLine: 10, State: report.StateRecovered, Recovered: "2.5", Note: "=1+1"},
	}
}

func evidenceOf(i int, s string, zone *time.Location) report.EvidenceRow {
	at := time.Date(2026, 10, 3, 12, 0, i, 412e6, zone)
	return report.EvidenceRow{
		Place: ptr(int64(1)), ChargedAt: at, Provider: "openai", Book: "bill", ChargeID: "1844674407370955161" + string(rune('0'+i)), RequestID: s,
		Attempt: ptr(int64(1)), Model: "gpt-4o", Verdict: "timeout_retry", Recovery: "own_policy", Rerouted: i == 3,
		InputTokens: ptr(int64(1200)), CachedTokens: nil, OutputTokens: ptr(int64(350)), FinishReason: "stop",
		Amount: "1.25", Currency: "USD", Excess: "1.25", Match: "request", Confidence: "1", DeliveredChargeID: "007",
		IdempotencyKey: strings.Repeat("0", 4) + "1", VendorRequestID: "req_" + s, Reason: "billed_in_full",
		AttemptStarted: ptr(at.Add(-30 * time.Second)), AttemptEnded: ptr(at), AttemptOutcome: "timeout", Stage: "read",
		SourceFile: "bill.csv", SourceLine: int64(10 + i),
	}
}

func octoberAudit(zone *time.Location) *report.Audit {
	return &report.Audit{
		Schema: "retrytax.audit/v1",
		Period: report.Period{From: time.Date(2026, 10, 1, 0, 0, 0, 0, zone), To: time.Date(2026, 11, 1, 0, 0, 0, 0, zone), Zone: "Europe/Zurich"},
		Inputs: []report.Input{
			{File: "app.log", SHA256: strings.Repeat("0a", 32), Role: "attempts", Format: "logfmt", Rows: 1000, Loaded: 990, Ignored: 10},
			{File: "bill.csv", SHA256: strings.Repeat("1b", 32), Role: "charges", Format: "openai-usage", Rows: 900, Loaded: 899, Rejected: 1},
		},
		Totals: []report.Total{
			{ProviderBook: "all/bill", Currency: "USD", Billed: "1000", Delivered: "850", Excess: "100.5", Undelivered: "20", Orphan: "4",
				Unsettled: "30.5", Adjustments: "-5", ExcessNet: "95.5", CacheEffect: "-0.25", ReroutePremium: "", CostPerDelivered: "1.05", AtLeast: true},
			{ProviderBook: "all/bill", Currency: "EUR", Billed: "12.345678901234567", Delivered: "12.345678901234567", Excess: "0", Undelivered: "0", Orphan: "0",
				Unsettled: "0", Adjustments: "0", ExcessNet: "0", CacheEffect: "0", ReroutePremium: "0", CostPerDelivered: "4.115226300411522"},
			{ProviderBook: "all/estimate", Currency: "USD", Billed: "990", Delivered: "990", Excess: "0", Undelivered: "0", Orphan: "0",
				Unsettled: "0", Adjustments: "0", ExcessNet: "0"},
			{ProviderBook: "openai/bill", Currency: "USD", Billed: "1000", Delivered: "850", Excess: "100.5", Undelivered: "20", Orphan: "4",
				Unsettled: "30.5", Adjustments: "-5", ExcessNet: "95.5", CacheEffect: "-0.25", CostPerDelivered: "1.05", AtLeast: true},
		},
		Verdicts: []report.Verdict{
			{Book: "bill", Currency: "USD", Verdict: "delivered", Recovery: "none", Charges: 800, Amount: "850", Excess: "0"},
			{Book: "bill", Currency: "USD", Verdict: "timeout_retry", Recovery: "own_policy", Charges: 60, Amount: "70.5", Excess: "70.5"},
			{Book: "bill", Currency: "USD", Verdict: "timeout_retry", Recovery: "vendor_dispute", Charges: 10, Amount: "10", Excess: "10"},
			{Book: "bill", Currency: "USD", Verdict: "sdk_retry", Recovery: "own_policy", Charges: 15, Amount: "20", Excess: "20"},
			{Book: "bill", Currency: "USD", Verdict: "undelivered", Recovery: "own_policy", Charges: 12, Amount: "20", Excess: "0"},
			{Book: "bill", Currency: "USD", Verdict: "orphan", Recovery: "none", Charges: 2, Amount: "4", Excess: "0"},
			{Book: "bill", Currency: "USD", Verdict: "adjustment", Recovery: "none", Charges: 1, Amount: "-5", Excess: "0"},
			{Book: "bill", Currency: "EUR", Verdict: "delivered", Recovery: "none", Charges: 3, Amount: "12.345678901234567", Excess: "0"},
			{Book: "estimate", Currency: "USD", Verdict: "delivered", Recovery: "none", Charges: 800, Amount: "", Excess: "0"},
		},
		Tiers: []report.Tier{
			{Match: "receipt", Book: "bill", Currency: "USD", Charges: 700, Amount: "800", Excess: "90"},
			{Match: "request", Book: "bill", Currency: "USD", Charges: 200, Amount: "200", Excess: "10.5"},
			{Match: "receipt", Book: "bill", Currency: "EUR", Charges: 3, Amount: "12.345678901234567", Excess: "0"},
			{Match: "none", Book: "estimate", Currency: "USD", Charges: 800, Amount: "", Excess: "0"},
		},
		Bounds:   []report.Bound{{Currency: "USD", Lower: "90", Expected: "100.5", Upper: "130"}, {Currency: "EUR", Lower: "0", Expected: "0", Upper: ""}},
		Requests: report.Requests{Total: 850, Succeeded: 830, Failed: 15, Unknown: 5, Duplicated: 70}, Unbilled: report.Unbilled{Calls: 1}, Copies: report.Copies{Attempts: 3},
		Rates:       report.Rates{TimeoutRate: ptr(0.05), StartedFraction: ptr(0.8), ExecutionsPerCall: ptr(1.08), Amplification: ptr(1.02)},
		Leads:       []report.Lead{{Kind: "repeated", Calls: 2, Amount: "3.5", Currency: "USD"}},
		Calibration: []report.Calibration{{Provider: "openai", Stamp: "end", OffsetMS: -120, ResolutionMS: 1000, Pairs: 640}},
		Coverage:    []report.Coverage{{Provider: "openai", APIKey: "key-1", Day: "2026-10-03", Charges: 900, Explained: 898}},
		Warnings: []report.Warning{
			{Code: "rejects", Text: "1 line of bill.csv could not be read: every total of it is at least what is shown."},
			{Code: "id_reuse", Text: "=cmd|' /C calc'!A0 stands for several calls that were all delivered. That is no duplication: a trace id over many calls is the commonest false alarm, so verdicts are given call by call."},
		},
		Checks: []report.Check{{Name: "ledger_adds_up", OK: true}, {Name: "one_verdict_per_charge", OK: true}},
	}
}

// written is the workbook as a file.
func written(t testing.TB, wb *report.Workbook, change func(*Options)) []byte {
	t.Helper()
	opts := Options{Version: "v0.0.0-test", Created: created, Zone: zurich(t)}
	if change != nil {
		change(&opts)
	}
	var out bytes.Buffer
	if err := Write(context.Background(), &out, wb, opts); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
