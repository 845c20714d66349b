package nightly

import (
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"retrytax/internal/alert"
	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// judge is the events of the night: the conditions of the configuration that were met, in the
// order in which they are told. failedAt is the step at which it went wrong, if it did.
func (r *run) judge(failedAt string) []alert.Event {
	when := r.o.Config.Alerts.When
	var events []alert.Event
	add := func(on bool, e alert.Event) {
		if on {
			events = append(events, e)
			r.out.Met = append(r.out.Met, string(e.Condition))
		}
	}
	event := func(c alert.Condition, names ...string) alert.Event {
		return alert.NewEvent(c, r.out.Night, r.out.Zone, names...)
	}
	if code := r.failure(); code != 0 {
		e := event(alert.RunFails, r.out.Unread...)
		e.Code = code
		if len(r.errs) > 0 {
			e.Step = failedAt
		}
		add(when.RunFails.Value, e)
	}
	add(when.ChecksFail.Value && len(r.checks) > 0, event(alert.ChecksFail, r.checks...))
	add(when.MissingInput.Value && len(r.out.Missing) > 0, event(alert.MissingInput, r.out.Missing...))
	if len(r.errs) == 0 {
		e := event(alert.RetryTax)
		e.Taxes = r.taxes()
		add(len(e.Taxes) > 0, e)
	}
	if m := r.worst(); m != nil {
		e := event(alert.ErrorRate)
		e.Minute = m
		add(true, e)
	}
	if was, is := r.state.Before, r.state.Now; was != nil && is != nil {
		causes, providers := newcomers(was.Causes, is.Causes), newcomers(was.Providers, is.Providers)
		add(when.NewCause.Value && len(causes) > 0, event(alert.NewCause, causes...))
		add(when.NewProvider.Value && len(providers) > 0, event(alert.NewProvider, providers...))
	}
	return events
}

// failure is the exit code of what went wrong, but for checks, which are a condition of their own.
func (r *run) failure() int {
	worst := ui.OK
	for _, err := range append(r.unreadErrors(), r.errs...) {
		if code := r.o.Code(err); code != ui.ChecksFailed {
			worst = ui.Worst(worst, code)
		}
	}
	return worst
}

// taxes are the currencies in which what was settled since the night before passes a limit. All
// currencies come into the result.
func (r *run) taxes() (over []alert.Tax) {
	when := r.o.Config.Alerts.When
	sums := since(r.state.Before, r.state.Now)
	for _, code := range slices.Sorted(maps.Keys(sums)) {
		s := sums[code]
		if s.excess.IsZero() && s.billed.IsZero() {
			continue
		}
		r.out.RetryTax = append(r.out.RetryTax, Tax{Currency: code, Excess: money(s.excess), Billed: money(s.billed)})
		t := alert.Tax{Currency: code, Excess: ui.Amount(money(s.excess)), Billed: ui.Amount(money(s.billed))}
		if s.billed.IsPositive() {
			t.Share = percent(s.excess.DivRound(s.billed, 3))
		}
		if limit, ok := when.RetryTax[code]; ok && s.excess.GreaterThan(limit) {
			t.Limit = code + " " + limit.String()
		} else if share := when.RetryTaxShare; share.IsSet() && s.billed.IsPositive() && s.excess.GreaterThan(s.billed.Mul(share.Value)) {
			t.Limit, t.Share = percent(share.Value), above(s.excess, s.billed, share.Value)
		}
		if t.Limit != "" {
			over = append(over, t)
		}
	}
	return over
}

// sum is what was settled in one currency.
type sum struct{ excess, billed decimal.Decimal }

// since is what the months have gained in settled money since the night before, by currency.
// A correction can make it negative.
func since(was, is *facts) map[string]sum {
	out := map[string]sum{}
	add := func(f *facts, sign int64) {
		if f == nil {
			return
		}
		for _, m := range f.Months {
			for _, t := range m.Totals {
				if provider, _ := splitBook(t.ProviderBook); provider != "all" {
					continue
				}
				s := out[t.Currency]
				s.excess = s.excess.Add(decimalOf(t.Excess).Mul(decimal.NewFromInt(sign)))
				s.billed = s.billed.Add(decimalOf(t.Billed).Sub(decimalOf(t.Unsettled)).Mul(decimal.NewFromInt(sign)))
				out[t.Currency] = s
			}
		}
	}
	add(is, 1)
	add(was, -1)
	return out
}

// worst is the minute with the highest error rate, if that passes the limit.
func (r *run) worst() *alert.Minute {
	limit := r.o.Config.Alerts.When.ErrorRate
	if r.night == nil || r.night.Worst == nil || !limit.IsSet() {
		return nil
	}
	m := r.night.Worst
	failed, all := decimal.NewFromInt(m.Failed), decimal.NewFromInt(m.Attempts)
	if !failed.GreaterThan(all.Mul(limit.Value)) {
		return nil
	}
	return &alert.Minute{At: m.At.In(r.zone).Format("2006-01-02 15:04"), Attempts: m.Attempts, Failed: m.Failed, Rate: above(failed, all, limit.Value), Limit: percent(limit.Value)}
}

// newcomers are what is in now and was not before.
func newcomers(before, now []string) (out []string) {
	for _, n := range now {
		if !slices.Contains(before, n) {
			out = append(out, n)
		}
	}
	return out
}

// percent writes a share with one decimal, and with as many as it has where it is a limit's of a few: 30 %, 1.25 %.
func percent(share decimal.Decimal) string {
	exact := share.Shift(2)
	if -exact.Exponent() <= 4 || exact.IsInteger() {
		return exact.String() + " %"
	}
	return exact.StringFixed(1) + " %"
}

// above writes a share of a whole that passes a limit, with as many decimals as it takes to see that it does.
func above(part, whole, limit decimal.Decimal) string {
	share := part.Shift(2).DivRound(whole, 12)
	for places := int32(1); places < 12 && !share.IsInteger(); places++ {
		if text := share.Round(places); text.GreaterThan(limit.Shift(2)) {
			return text.StringFixed(places) + " %"
		}
	}
	return share.String() + " %"
}

func money(d decimal.Decimal) report.Money { return report.Money(d.String()) }

// decimalOf reads an amount; what is unknown adds nothing, and its total says "at least".
func decimalOf(m report.Money) decimal.Decimal {
	d, err := decimal.NewFromString(string(m))
	if err != nil {
		return decimal.Zero
	}
	return d
}

func ratio(a, b int64) float64 {
	f, _ := decimal.NewFromInt(a).DivRound(decimal.NewFromInt(max(b, 1)), 6).Float64()
	return f
}
