package ui

import (
	"strconv"

	"retrytax/internal/report"
)

// measured is where the parameters are from: the period, each with its interval and the number of observations.
func (p *projection) measured(m *report.Measured) {
	p.heading(p.t("Measured: %s, %s days", p.period(m.Period), shortNumber(m.Days, 2)))
	tab := table{cols: []column{{min: 29}, {title: p.t("value"), right: true}, {title: p.t("95 % interval"), right: true}, {title: p.t("observed"), right: true, drop: true}, {title: p.t("hours"), right: true, drop: true}}}
	g := m.All
	row := func(name string, e report.Estimate, show func(string) string) {
		tab.rows = append(tab.rows, []cell{{name, normal}, {p.estimated(e.Value, show), normal}, {p.interval(e, show), dim}, {count(e.Observations), dim}, {count(int64(e.Hours)), dim}})
	}
	amount := func(s string) string { return Amount(report.Money(s)) }
	for k, e := range g.Timeout {
		row(p.t("attempt %s times out", strconv.Itoa(k+1)), e, percentOf)
	}
	for _, l := range g.Layers {
		row(p.t("lines of layer %s time out", short(l.Layer)), l.Estimate, percentOf)
	}
	row(p.t("of these, started"), g.Started, percentOf)
	row(p.t("one is billed, of its answer"), g.Partial, percentOf)
	row(p.t("an answer costs, %s", currencyName(g.Currency)), g.UnitCost, amount)
	row(p.t("one after a timeout"), g.TimedOutCost, amount)
	row(p.t("its output tokens"), g.TimedOutOutput, number)
	row(p.t("output tokens of all"), g.Output, number)
	tab.write(p.page)
	for _, n := range g.Notes {
		p.item(Clean(p.lang.Of(n)), "  ", yellow)
	}
	p.causes(m)
	p.models(m)
}

func (p *projection) estimated(v *string, show func(string) string) string {
	if v == nil {
		return p.t(notMeasure)
	}
	return show(*v)
}

func (p *projection) interval(e report.Estimate, show func(string) string) string {
	if e.Low == nil || e.High == nil {
		return ""
	}
	text := show(*e.Low) + " … " + show(*e.High)
	if e.Few {
		text += p.t(" (few hours)")
	}
	return text
}

// causes sets the simple formula beside what was found.
func (p *projection) causes(m *report.Measured) {
	if len(m.Causes) == 0 {
		return
	}
	p.heading(p.t("Predicted and found in the period, %s", currencyName(m.All.Currency)))
	tab := table{cols: []column{{min: 30}, {right: true}}}
	var all []report.Money
	for _, c := range append(append([]report.Cause{}, m.Causes...), m.Beside...) {
		all = append(all, c.Amount)
	}
	for i, c := range m.Causes {
		sign, st := "+ ", normal
		switch i {
		case 0:
			sign = "  "
		case len(m.Causes) - 1:
			sign, st = "= ", bold
		}
		tab.rows = append(tab.rows, []cell{{sign + p.t(causeNames[c.Cause]), st}, {aligned(c.Amount, all), st}})
	}
	for _, c := range m.Beside {
		tab.rows = append(tab.rows, []cell{{"  " + p.t("beside it, not in the model: %s", p.t(Lookup(Verdicts, c.Cause).Name)), dim}, {aligned(c.Amount, all), dim}})
	}
	tab.write(p.page)
}

var causeNames = map[string]string{
	report.CauseDocumented: "the simple formula, N × p × f × u",
	report.CauseRepeated:   "retries that timed out again, calls lost",
	report.CauseAnswered:   "their charge paid for the answer after all",
	report.CauseDearer:     "timed-out executions are the long ones",
	report.CausePartial:    "stopped early, against their answers",
	report.CauseHidden:     "hidden retries of SDK and gateway",
	report.CauseRest:       "not settled, not covered, unpriced",
	report.CauseFound:      "found by the audit",
}

// models is one line for each model.
func (p *projection) models(m *report.Measured) {
	if len(m.Models) < 2 {
		return
	}
	p.heading(p.t("By model"))
	tab := table{cols: []column{{title: p.t("model"), min: 10}, {title: p.t("calls"), right: true}, {title: p.t("time out"), right: true}, {title: p.t("started"), right: true},
		{title: p.t("billed"), right: true}, {title: p.t("an answer costs"), right: true, drop: true}, {title: p.t("timed out before"), right: true, drop: true}}}
	for _, g := range m.Models {
		name := g.Model
		if name == "" {
			name = p.t("(not told)")
		}
		cash := func(s string) string { return money(g.Currency, report.Money(s)) }
		tab.add(short(name), count(g.Calls), p.estimated(g.Timeout[0].Value, percentOf), estimateOrDash(g.Started, percentOf), estimateOrDash(g.Partial, percentOf),
			estimateOrDash(g.UnitCost, cash), estimateOrDash(g.TimedOutCost, cash))
	}
	tab.write(p.page)
}

func estimateOrDash(e report.Estimate, show func(string) string) string {
	if e.Value == nil {
		return "–"
	}
	return show(*e.Value)
}
