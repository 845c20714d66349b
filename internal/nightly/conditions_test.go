package nightly

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"retrytax/internal/alert"
	"retrytax/internal/config"
	"retrytax/internal/pipeline"
	"retrytax/internal/report"
)

// books are the totals of a month, "currency billed excess unsettled" by turns.
func books(totals ...[4]string) month {
	m := month{}
	for _, t := range totals {
		for _, party := range []string{"all", "acme"} {
			m.Totals = append(m.Totals, report.Total{ProviderBook: party + "/bill", Currency: t[0], Billed: report.Money(t[1]), Excess: report.Money(t[2]), Unsettled: report.Money(t[3])})
		}
	}
	return m
}

func testRun(t *testing.T, yaml string, before, now *facts) *run {
	t.Helper()
	cfg, err := config.Parse("retrytax.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return &run{o: Options{Config: cfg, Code: func(error) int { return 1 }}, zone: time.UTC, out: &Result{Night: "2026-11-03", Zone: "UTC"},
		state: &state{Before: before, Now: now}, night: &pipeline.Night{}}
}

// The tax of a night is what its months have gained since the night before, whichever day the charges are of.
func TestRetryTax(t *testing.T) {
	before := &facts{Months: map[string]month{"2026-10": books([4]string{"USD", "100", "5", "20"}), "2026-09": books([4]string{"USD", "90", "9", "0"})}}
	now := &facts{Months: map[string]month{"2026-10": books([4]string{"USD", "150", "8", "30"}, [4]string{"CNY", "70", "7", ""}),
		"2026-09": books([4]string{"USD", "92", "10", "0"}), "2026-11": books([4]string{"USD", "10", "1", "0"})}}
	// USD: excess 3 + 1 + 1 = 5; settled bills 120 - 80 + 2 + 10 = 52. CNY: 7 of 70.
	for _, c := range []struct {
		when string
		want []alert.Tax
	}{
		{"", nil},
		{"{retry_tax: {USD: 5}}", nil}, // it must be more
		{"{retry_tax: {USD: 4.99}}", []alert.Tax{{Currency: "USD", Excess: "5.00", Billed: "52.00", Share: "9.6 %", Limit: "USD 4.99"}}},
		{"{retry_tax: {EUR: 0}}", nil},
		{"{retry_tax_share: 0.1}", nil}, // CNY has 10 % sharp
		{"{retry_tax_share: 0.05}", []alert.Tax{{Currency: "CNY", Excess: "7.00", Billed: "70.00", Share: "10 %", Limit: "5 %"},
			{Currency: "USD", Excess: "5.00", Billed: "52.00", Share: "9.6 %", Limit: "5 %"}}},
	} {
		r := testRun(t, "alerts:\n  when: "+c.when+"\n", before, now)
		if d := cmp.Diff(c.want, r.taxes()); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.when, d)
		}
		if d := cmp.Diff([]Tax{{"CNY", "7", "70"}, {"USD", "5", "52"}}, r.out.RetryTax); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.when, d)
		}
	}
	// A correction alone is no tax.
	if r := testRun(t, "alerts: {when: {retry_tax: {USD: 0}, retry_tax_share: 0}}", now, before); len(r.taxes()) != 0 {
		t.Errorf("found %v, expected none", r.taxes())
	}
}

func TestErrorRate(t *testing.T) {
	for _, c := range []struct {
		when             string
		attempts, failed int64
		met              bool
	}{
		{"{}", 100, 31, true}, {"{}", 100, 30, false}, {"{error_rate: 0}", 50, 1, true}, {"{error_rate: 0}", 50, 0, false}, {"{error_rate: 1}", 20, 20, false},
	} {
		r := testRun(t, "alerts: {when: "+c.when+"}", nil, nil)
		r.night.Worst = &pipeline.Minute{At: time.Date(2026, 11, 2, 3, 14, 0, 0, time.UTC), Attempts: c.attempts, Failed: c.failed}
		if got := r.worst(); (got != nil) != c.met {
			t.Errorf("%+v: found %+v", c, got)
		}
	}
}

// Every condition can be turned off, and the first night knows of no news.
func TestConditionsThatAreOff(t *testing.T) {
	now := &facts{Months: map[string]month{"2026-10": books([4]string{"USD", "9", "9", "0"})}, Causes: []string{"hedged"}, Providers: []string{"acme"}}
	off := "alerts: {when: {new_cause: false, new_provider: false, checks_fail: false, missing_input: false, run_fails: false, error_rate: 1}}"
	for _, c := range []struct {
		yaml   string
		before *facts
		want   []string
	}{
		{off, &facts{}, nil},
		{"", &facts{}, []string{"run_fails", "checks_fail", "missing_input", "new_cause", "new_provider"}},
		{"", nil, []string{"run_fails", "checks_fail", "missing_input"}},
	} {
		r := testRun(t, c.yaml, c.before, now)
		r.checks, r.out.Missing, r.errs = []string{"ledger_identity"}, []string{"logs/*"}, []error{&pipeline.InUseError{}}
		r.judge("ingest")
		if !slices.Equal(r.out.Met, c.want) {
			t.Errorf("%q: found %v, expected %v", c.yaml, r.out.Met, c.want)
		}
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[string]string{"0.3": "30 %", "0.151": "15.1 %", "0": "0 %", "1": "100 %", "0.0004": "0.04 %", "0.0125": "1.25 %", "0.123456789": "12.3 %"} {
		if got := percent(decimal.RequireFromString(share)); got != want {
			t.Errorf("percent(%s) = %s, expected %s", share, got, want)
		}
	}
}

// TestAbove: a share that passes its limit is seen to pass it.
func TestAbove(t *testing.T) {
	for _, c := range []struct{ part, whole, limit, want string }{
		{"3001", "10000", "0.3", "30.01 %"}, {"127", "10000", "0.0125", "1.3 %"}, {"1", "1", "0.3", "100 %"}, {"30000001", "100000000", "0.3", "30.000001 %"},
	} {
		if got := above(decimal.RequireFromString(c.part), decimal.RequireFromString(c.whole), decimal.RequireFromString(c.limit)); got != c.want {
			t.Errorf("above(%s, %s, %s) = %s, expected %s", c.part, c.whole, c.limit, got, c.want)
		}
	}
}
