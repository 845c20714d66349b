package report

import (
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"retrytax/internal/cost"
)

// MeasuredModel is the model's parameters as they were measured in one currency.
type MeasuredModel struct {
	Measured  *Measured
	Currency  string
	Params    cost.Params
	Uncertain []cost.Uncertain
	// Remedies are parameters of remedies that the data tell, by their flags.
	Remedies map[string]decimal.Decimal
	Warnings []Warning
	// Unknown are the parameters that the data do not tell and that matter.
	Unknown []string
}

// Measure makes the model's parameters of the data; currency "" is the one with most charges.
func (d *CostData) Measure(currency string, period Period) *MeasuredModel {
	all := d.Currencies()
	main := currency
	if main == "" && len(all) > 0 {
		main = all[0]
	}
	m := &MeasuredModel{Currency: main, Remedies: map[string]decimal.Decimal{}}
	for _, c := range all {
		if c != main {
			m.warn("other_currency", fmt.Sprintf("the bill holds charges in %s as well, which are in no number here: --currency %s projects them", c, c))
		}
	}
	days := d.Days()
	if days.LessThan(decimal.New(7, 0)) {
		m.warn("short_period", fmt.Sprintf("the calls span %s: a month that is projected from less than a week takes its weekends and incidents on trust", spanOf(days)))
	}
	mainCurrency := main
	if len(all) > 0 {
		mainCurrency = all[0]
	}
	rows := d.only(main, mainCurrency)
	m.Measured = &Measured{Period: period, Days: cost.Text(days.Round(6)), All: groupOf(rows, main, days), Models: []MeasuredGroup{}, Causes: []Cause{}, Beside: []Cause{}}
	d.models(m, rows, days)
	m.params(rows, days)
	d.causes(m, rows)
	d.measuredRemedies(m)
	return m
}

func (m *MeasuredModel) warn(code, text string) {
	m.Warnings = append(m.Warnings, Warning{code, text})
}

// spanOf is how long the calls span: "1 day", "0.08 days".
func spanOf(days decimal.Decimal) string {
	text := cost.Text(days.Round(2))
	if text == "1" {
		return "1 day"
	}
	return text + " days"
}

// models is the same of every model by itself.
func (d *CostData) models(m *MeasuredModel, rows []costRow, days decimal.Decimal) {
	groups := map[string][]costRow{}
	for _, x := range rows {
		if x.measure != "layer" {
			key := x.provider + "\x00" + x.model
			groups[key] = append(groups[key], x)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		g := groupOf(groups[key], m.Currency, days)
		g.Provider, g.Model = groups[key][0].provider, groups[key][0].model
		m.Measured.Models = append(m.Measured.Models, g)
	}
}

// params takes the parameters from the estimates. What does not matter, since nothing timed out, gets the
// value that would cost most.
func (m *MeasuredModel) params(rows []costRow, days decimal.Decimal) {
	p := cost.Params{Kept: decimal.New(1, 0), Partial: decimal.New(1, 0), Started: decimal.New(1, 0)}
	for k := 1; k <= len(m.Measured.All.Timeout); k++ {
		e := estimate(rows, "timeout", k, "")
		name := cost.NameTimeout
		if k > 1 {
			name = cost.NameRepeat
		}
		p.Timeout = append(p.Timeout, e.Value)
		m.doubt(name, k-1, e)
		if k == 1 {
			p.Requests = decimal.NewFromInt(e.Observations).DivRound(days, 6)
		}
		if k > 1 && e.Observations < 30 {
			m.warn("few_repeats", fmt.Sprintf("attempt %d is known of %d calls only: how often it times out is a guess", k, e.Observations))
		}
	}
	p.Layers = []cost.Layer{{Name: "app", Retries: len(p.Timeout) - 1}}
	started, partial, unit, long := estimate(rows, "started", 0, ""), estimate(rows, "partial", 0, ""), estimate(rows, "unit_cost", 0, ""), estimate(rows, "timed_out_cost", 0, "")
	matters := p.Timeout[0].IsPositive()
	if started.Measured {
		p.Started = started.Value
	} else if matters {
		m.Unknown = append(m.Unknown, cost.NameStarted)
	}
	if partial.Measured {
		p.Partial = partial.Value
	} else if matters && p.Started.IsPositive() {
		m.warn("partial", "which part of its price an abandoned execution is billed could not be measured: taken to be all of it (--partial says otherwise)")
	}
	if p.UnitCost = unit.Value; !unit.Measured {
		m.Unknown = append(m.Unknown, cost.NameUnitCost)
	}
	if long.Measured {
		p.TimedOutCost = decimal.NewNullDecimal(long.Value)
	}
	m.doubt(cost.NameStarted, 0, started)
	m.doubt(cost.NamePartial, 0, partial)
	m.doubt(cost.NameUnitCost, 0, unit)
	m.doubt(cost.NameTimedOut, 0, long)
	m.Params = p
}

// doubt notes a parameter's interval. The unit cost of answers is no doubt about the extra, where
// that of timed-out calls is known.
func (m *MeasuredModel) doubt(name string, place int, e cost.Estimate) {
	if e.HasInterval {
		m.Uncertain = append(m.Uncertain, cost.Uncertain{Param: name, Place: place, Value: e.Value, Low: e.Low, High: e.High})
	}
}

// causes splits the difference between N × p × f × u and what was found, step by step; each step replaces one
// assumption by what was measured, so that the steps add up exactly (design section 5).
func (d *CostData) causes(m *MeasuredModel, rows []costRow) {
	found, hidden := decimal.Zero, decimal.Zero
	beside := map[string]decimal.Decimal{}
	unpriced := int64(0)
	for _, x := range d.found {
		if x.currency != m.Currency {
			continue
		}
		unpriced += x.unpriced
		switch x.verdict {
		case "timeout_retry", "partial_tokens":
			found = found.Add(x.excess)
		case "sdk_retry", "double_retry":
			hidden = hidden.Add(x.excess)
		default:
			beside[x.verdict] = beside[x.verdict].Add(x.excess)
		}
	}
	answered := estimate(rows, "owned_timeout", 0, "")
	if kept := decimal.New(1, 0).Sub(answered.Value); answered.Measured && kept.IsPositive() {
		m.Params.Kept = kept
	}
	if base := m.Params.UnitCost.Mul(decimal.NewFromInt(m.Measured.All.Calls)).Mul(m.Params.Kept); base.IsPositive() {
		m.Params.Hidden = hidden.DivRound(base, 12)
	}
	if unpriced > 0 {
		m.warn("unpriced", fmt.Sprintf("%d excess lines have no amount: what was found is at least what is shown", unpriced))
	}
	if len(m.Unknown) > 0 {
		return // there is nothing to predict with
	}
	timeouts := estimate(rows, "timeout", 1, "")
	first := timeouts.Value.Mul(decimal.NewFromInt(timeouts.Observations)).Round(0)
	retried := decimal.NewFromInt(estimate(rows, "retried_timeout", 0, "").Observations)
	f, u, g := m.Params.Started, m.Params.UnitCost, m.Params.Partial
	long := u
	if m.Params.TimedOutCost.Valid {
		long = m.Params.TimedOutCost.Decimal
	}
	documented := first.Mul(f).Mul(u).Round(12)
	repeated := retried.Mul(f).Mul(u).Round(12)
	spared := repeated.Mul(m.Params.Kept).Round(12)
	dearer := spared
	if u.IsPositive() {
		dearer = spared.Mul(long).DivRound(u, 12)
	}
	// g − 1 comes of executions that ran longer than the one that answered, and of those cut short.
	partial := dearer.Mul(g).Round(12)
	cut := decimal.Zero
	if pairs := estimate(rows, "partial", 0, ""); pairs.Measured {
		amount, twin := sums(rows, "in_part")
		_, all := sums(rows, "partial")
		cut = dearer.Mul(amount.Sub(twin)).DivRound(all, 12)
	}
	for _, c := range []struct {
		cause  string
		amount decimal.Decimal
	}{
		{CauseDocumented, documented}, {CauseRepeated, repeated.Sub(documented)}, {CauseAnswered, spared.Sub(repeated)},
		{CauseDearer, dearer.Sub(spared).Add(partial.Sub(dearer).Sub(cut))}, {CausePartial, cut},
		{CauseHidden, hidden}, {CauseRest, found.Sub(partial)}, {CauseFound, found.Add(hidden)},
	} {
		m.Measured.Causes = append(m.Measured.Causes, Cause{c.cause, moneyOf(c.amount), m.Currency})
	}
	for _, v := range slices.Sorted(maps.Keys(beside)) {
		m.Measured.Beside = append(m.Measured.Beside, Cause{v, moneyOf(beside[v]), m.Currency})
	}
}

// measuredRemedies is the coverage of idempotency keys, where a profile says that a vendor honours them, the
// share that finishes within the wait, where the bill tells how long executions took, and what a longer timeout
// and streaming would have spared (timeoutRemedies).
func (d *CostData) measuredRemedies(m *MeasuredModel) {
	d.timeoutRemedies(m)
	excess, honoured, timed, finished := decimal.Zero, decimal.Zero, decimal.Zero, decimal.Zero
	for _, x := range d.remedies {
		if x.currency != m.Currency {
			continue
		}
		excess, timed, finished = excess.Add(x.excess), timed.Add(x.timed), finished.Add(x.finished)
		if x.honours {
			honoured = honoured.Add(x.excess)
		}
	}
	if honoured.IsPositive() {
		m.Remedies["idempotency-coverage"] = honoured.DivRound(excess, 6)
	}
	if timed.IsPositive() && timed.GreaterThanOrEqual(excess.DivRound(decimal.New(2, 0), 12)) {
		m.Remedies["status-share"] = finished.DivRound(timed, 6)
	}
}

// timeoutRemedies measures, over the timeouts that a bill would show, which share a wait of twice the length would
// have answered (where the bill times at least half of the executions that they own), and which share ran to its end, so
// that its stream would have been moving: a first-frame and an idle timeout would have let it.
func (d *CostData) timeoutRemedies(m *MeasuredModel) {
	share := func(measure string) (decimal.Decimal, bool) {
		part, whole := sums(d.rows, measure)
		if !whole.IsPositive() {
			return decimal.Zero, false
		}
		return part.DivRound(whole, 6), true
	}
	if v, ok := share("ran_on"); ok && v.IsPositive() {
		m.Remedies["streaming-avoids"] = v
	}
	timed, _ := share("timed")
	v, ok := share("in_time")
	if !ok || timed.LessThan(decimal.New(5, -1)) {
		return
	}
	m.Remedies["longer-timeout-avoids"] = v
	if waited, ok := share("waited_ms"); ok {
		m.Remedies[waitsMore] = waited.DivRound(decimal.New(1000, 0), 3)
	}
}

// waitsMore is the flag by which the wait of a longer timeout is given; measured it is the wait that there is, once more.
const waitsMore = "longer-timeout-adds"

// sums is what stands above and below the line of a measure.
func sums(rows []costRow, measure string) (part, whole decimal.Decimal) {
	for _, x := range rows {
		if x.measure == measure {
			part, whole = part.Add(x.Part), whole.Add(x.Whole)
		}
	}
	return part, whole
}
