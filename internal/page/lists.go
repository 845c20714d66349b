package page

import (
	"strconv"
	"strings"

	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// lists are the claims, the limits, the rates, the warnings, the table of calls and the words.
func (m *maker) lists(v *view) {
	for _, c := range m.wb.Claims() {
		v.Claims = append(v.Claims, claim{ui.Clean(c.Vendor), m.t(string(c.State)), ui.Count(c.Findings), m.money(c.Claim, c.Currency), m.money(c.Recovered, c.Currency)})
	}
	m.limits(v)
	r := m.a.Rates
	rate := func(name string, f *float64, share bool) {
		text := m.t("not measurable")
		switch {
		case f != nil && share:
			text = strconv.FormatFloat(*f*100, 'f', 2, 64) + " %"
		case f != nil:
			text = strconv.FormatFloat(*f, 'f', 3, 64)
		}
		v.Rates = append(v.Rates, pair{m.t(name), text})
	}
	rate("Timeout rate", r.TimeoutRate, true)
	rate("Started fraction", r.StartedFraction, true)
	rate("Partial fraction", r.PartialFraction, true)
	rate("Executions per call", r.ExecutionsPerCall, false)
	rate("Amplification", r.Amplification, false)
	rate("Executions per delivered call", r.ExecutionsPerDelivered, false)
	for _, w := range m.a.Warnings {
		v.Warnings = append(v.Warnings, pair{m.name(ui.Warnings, w.Code), ui.Clean(m.o.Lang.Of(w.Text))})
	}
	for i, d := range m.wb.Duplicated {
		if i >= rowsShown {
			v.More = int64(len(m.wb.Duplicated) - rowsShown)
			break
		}
		v.Rows = append(v.Rows, m.row(d))
	}
	for _, w := range ui.Verdicts {
		v.Terms = append(v.Terms, pair{m.t(w.Name), m.t(w.Meaning)})
	}
	v.Inputs = m.a.Inputs
}

func (m *maker) row(d report.DuplicatedRow) rowView {
	return rowView{Place: strconv.FormatInt(d.Place, 10), Request: ui.Clean(d.RequestID), Provider: ui.Clean(d.Provider), Model: ui.Clean(d.Model),
		Paid: m.sum(d.Paid, d.DueAtLeast || d.ExcessAtLeast), Due: m.sum(d.Due, d.DueAtLeast), Excess: m.sum(d.Excess, d.ExcessAtLeast), Currency: ui.Clean(d.Currency), Causes: m.causes(d.Verdicts),
		First: d.FirstAt.In(m.o.Zone).Format("2006-01-02 15:04:05"), SortExcess: string(d.Excess), SortPaid: string(d.Paid), SortDue: string(d.Due), Charges: d.Charges}
}

// causes are the verdicts of a call in words.
func (m *maker) causes(verdicts string) string {
	var out []string
	for v := range strings.SplitSeq(verdicts, ", ") {
		code, times, more := strings.Cut(v, " ×")
		text := m.name(ui.Verdicts, code)
		if more {
			text += " ×" + times
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// limits is what keeps the numbers from being the whole truth; the Summary of the workbook says the same.
func (m *maker) limits(v *view) {
	for _, l := range m.wb.Limits(m.o.Lang, m.money, func(kind string) string { return m.name(ui.Leads, kind) }, ui.Count) {
		v.Limits = append(v.Limits, pair{l.Topic, ui.Clean(l.Text)})
	}
}
