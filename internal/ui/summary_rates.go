package ui

import (
	"strconv"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
)

// rates are the calls by how they ended, and the ratios that the cost model takes.
func (s *summary) rates() {
	if s.a.Schema == "" && s.a.Requests.Total == 0 {
		return
	}
	r := s.a.Requests
	s.heading("Calls and rates")
	s.item(counted(r.Total, "call", "calls")+": "+count(r.Succeeded)+" delivered, "+count(r.Failed)+" failed, "+
		count(r.Unknown)+" of unknown end; "+count(r.Duplicated)+" with a charge that should not have been paid", "  ", normal)
	x := s.a.Rates
	tab := table{cols: []column{{}, {right: true}, {drop: true}}}
	for _, row := range []struct{ name, value, note string }{
		{"timed out", fraction(x.TimeoutRate), "of all attempts"},
		{"started all the same", fraction(x.StartedFraction), "of timed-out attempts"},
		{"stopped early", fraction(x.PartialFraction), "of their charges"},
		{"executions per call", times(x.ExecutionsPerCall), ""},
		{"executions per delivered call", times(x.ExecutionsPerDelivered), ""},
		{"amplification", times(x.Amplification), "executions per attempt logged"},
	} {
		tab.rows = append(tab.rows, []cell{{row.name, normal}, {row.value, normal}, {row.note, dim}})
	}
	tab.write(s.page)
}

// fraction is a rate in percent. Rates are no money, so a float may carry them.
func fraction(f *float64) string {
	if f == nil {
		return notMeasure
	}
	return percent(decimal.NewFromFloat(*f).Mul(decimal.New(100, 0)))
}

func times(f *float64) string {
	if f == nil {
		return notMeasure
	}
	return strconv.FormatFloat(*f, 'f', 2, 64)
}

// leads are what is likely and not certain: listed by kind, and in no total.
func (s *summary) leads() {
	if len(s.a.Leads) == 0 {
		return
	}
	s.heading("Leads, likely but not certain: in no total above")
	tab := table{cols: []column{{min: 20}, {right: true}, {right: true}}}
	for _, l := range s.a.Leads {
		tab.add(Lookup(Leads, l.Kind).Name, counted(l.Calls, "call", "calls"), leadMoney(l))
	}
	tab.write(s.page)
}

func leadMoney(l report.Lead) string {
	if l.Amount == "" && l.Currency == "" {
		return ""
	}
	return money(l.Currency, l.Amount)
}
