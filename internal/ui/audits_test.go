package ui

import (
	"time"

	"retrytax/internal/report"
)

func day(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }

func rate(f float64) *float64 { return &f }

// richAudit has something of everything: two books, two currencies, leads, warnings.
// Each ledger adds up: 9310.22 = 8801.4 + 412.3 + 60.5 + 31.02 + 20 − 15.
func richAudit() (*report.Audit, Extra) {
	a := &report.Audit{
		Schema: "retrytax.audit/v1",
		Period: report.Period{From: day(1), To: day(31), Zone: "UTC"},
		Inputs: []report.Input{
			{File: "app-2026-11.log", Role: "attempts", Rows: 61_204, Loaded: 61_180, Ignored: 20, Rejected: 4},
			{File: "网关.jsonl", Role: "attempts", Rows: 300, Loaded: 290, Known: 10},
			{File: "activity.csv", Role: "charges", Rows: 58_003, Loaded: 58_003},
		},
		Totals: []report.Total{
			{ProviderBook: "all/estimate", Currency: "USD", Billed: "9000", Delivered: "9000", Excess: "0", Undelivered: "0",
				Orphan: "0", Unsettled: "0", Adjustments: "0", ExcessNet: "0"},
			{ProviderBook: "all/bill", Currency: "USD", Billed: "9310.22", Delivered: "8801.4", Excess: "412.3", Undelivered: "60.5",
				Orphan: "31.02", Unsettled: "20", Adjustments: "-15", ExcessNet: "400.3", CacheEffect: "-3.2",
				ReroutePremium: "1.75", CostPerDelivered: "0.151234567", AtLeast: true},
			{ProviderBook: "all/bill", Currency: "CNY", Billed: "12.000000000001", Delivered: "11.9999995",
				Excess: "0.0000005", Undelivered: "0", Orphan: "0.000000000001", Unsettled: "0", Adjustments: "0", ExcessNet: "0.0000005"},
			{ProviderBook: "openrouter/bill", Currency: "USD", Billed: "9000", Excess: "400.05", AtLeast: true},
			{ProviderBook: "云/二/bill", Currency: "USD", Billed: "310.22", Excess: "12.25"},
		},
		Verdicts: []report.Verdict{
			{Book: "bill", Currency: "USD", Verdict: "delivered", Recovery: "none", Charges: 57_000, Amount: "8801.4", Excess: "0"},
			{Book: "bill", Currency: "USD", Verdict: "timeout_retry", Recovery: "own_policy", Charges: 810, Amount: "290.1", Excess: "290.1"},
			{Book: "bill", Currency: "USD", Verdict: "timeout_retry", Recovery: "vendor_dispute", Charges: 3, Amount: "2.2", Excess: "2.2"},
			{Book: "bill", Currency: "USD", Verdict: "partial_tokens", Recovery: "own_policy", Charges: 200, Amount: "70", Excess: "70"},
			{Book: "bill", Currency: "USD", Verdict: "double_retry", Recovery: "own_policy", Charges: 40, Amount: "50", Excess: "50"},
			{Book: "bill", Currency: "USD", Verdict: "undelivered", Recovery: "own_policy", Charges: 80, Amount: "60.5", Excess: "0"},
			{Book: "bill", Currency: "USD", Verdict: "orphan", Recovery: "none", Charges: 41, Amount: "31.02", Excess: "0"},
			{Book: "bill", Currency: "CNY", Verdict: "hedged", Recovery: "own_policy", Charges: 1, Amount: "0.0000005", Excess: "0.0000005"},
			{Book: "estimate", Currency: "USD", Verdict: "delivered", Recovery: "none", Charges: 57_000, Amount: "9000", Excess: "0"},
		},
		Bounds:   []report.Bound{{Currency: "USD", Lower: "380", Expected: "412.3", Upper: "443.32"}},
		Requests: report.Requests{Total: 57_200, Succeeded: 57_000, Failed: 150, Unknown: 50, Duplicated: 998},
		Rates:    report.Rates{TimeoutRate: rate(0.0498), StartedFraction: rate(0.803), ExecutionsPerCall: rate(1.018), Amplification: rate(1.004)},
		Unbilled: report.Unbilled{Calls: 2},
		Copies:   report.Copies{Attempts: 1},
		Leads: []report.Lead{{Kind: "repeated", Calls: 12, Amount: "3.4", Currency: "USD"},
			{Kind: "lost_line", Calls: 1, Currency: "USD"}, {Kind: "new_kind", Calls: 2}},
		Calibration: []report.Calibration{{Provider: "openrouter", Stamp: "end", OffsetMS: -250, ResolutionMS: 1000, Pairs: 4120},
			{Provider: "云/二", Stamp: "start", Pairs: 7}},
		Coverage: []report.Coverage{
			{Provider: "openrouter", APIKey: "prod", Day: "2026-11-08", Charges: 2000, Explained: 1999},
			{Provider: "openrouter", APIKey: "prod", Day: "2026-11-09", Charges: 1000, Explained: 850},
			{Provider: "云/二", Day: "2026-11-09", Charges: 4, Explained: 4},
			{Provider: "openrouter", APIKey: "test", Day: "2026-11-10", Charges: 0, Explained: 0}},
		Warnings: []report.Warning{
			{Code: "rejected_rows", Text: "4 rows of 1 file cannot be read; totals are at least what they say"},
			{Code: "id_reuse", Text: "several calls were delivered under one request id 310 times; this is no duplication, and none of it is counted as such"},
			{Code: "few_pairs", Text: ""}},
		Checks: []report.Check{{Name: "one_verdict_per_charge", OK: true}, {Name: "ledger_identity", OK: true}},
	}
	x := Extra{
		Dearest: []DearCall{
			{RequestID: "req-000123", Model: "acme/chat-large-0901", Attempts: 3, Charges: 3, Excess: "1.234567891", Currency: "USD",
				Verdicts: "timeout_retry ×1, double_retry ×1", FirstAt: time.Date(2026, 11, 3, 12, 0, 3, 0, time.UTC)},
			{RequestID: "请求-000000000000000000000000000000000000000000000000077", Model: "大模型-超长名字-2026-09-01-preview-thinking", Attempts: 2, Charges: 2,
				Excess: "0.9", Currency: "USD", Verdicts: "partial_tokens", FirstAt: time.Date(2026, 11, 4, 1, 2, 3, 0, time.UTC)},
		},
		Written: []string{"out/audit.json", "out/verdicts.csv", "out/rejects.csv", "out/audit.xlsx"},
	}
	return a, x
}

// cleanAudit is a day in which nothing was paid twice.
func cleanAudit() (*report.Audit, Extra) {
	return &report.Audit{
		Schema: "retrytax.audit/v1",
		Period: report.Period{From: day(3), To: day(4), Zone: "Asia/Shanghai"},
		Inputs: []report.Input{{File: "app.log", Role: "attempts", Rows: 100, Loaded: 100}, {File: "bill.csv", Role: "charges", Rows: 100, Loaded: 100}},
		Totals: []report.Total{{ProviderBook: "all/bill", Currency: "USD", Billed: "4.12", Delivered: "4.12", Excess: "0", Undelivered: "0",
			Orphan: "0", Unsettled: "0", Adjustments: "0", ExcessNet: "0", CacheEffect: "0", ReroutePremium: "0", CostPerDelivered: "0.0412"}},
		Verdicts: []report.Verdict{{Book: "bill", Currency: "USD", Verdict: "delivered", Recovery: "none", Charges: 100, Amount: "4.12", Excess: "0"}},
		Bounds:   []report.Bound{{Currency: "USD", Lower: "0", Expected: "0", Upper: "0"}},
		Requests: report.Requests{Total: 100, Succeeded: 100},
		Rates:    report.Rates{TimeoutRate: rate(0), ExecutionsPerCall: rate(1), Amplification: rate(1), ExecutionsPerDelivered: rate(1)},
		Coverage: []report.Coverage{{Provider: "openrouter", APIKey: "prod", Day: "2026-11-03", Charges: 100, Explained: 100}},
		Checks:   []report.Check{{Name: "ledger_identity", OK: true}},
	}, Extra{Written: []string{"out/audit.json"}}
}
