package page

import (
	"math"
	"strconv"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// barChart is the retry tax by day, stacked by verdict, in the units of its viewBox.
type barChart struct {
	Title, Currency string
	Width, Height   string
	Bars            []dayBar
	Lines           []gridLine
	Labels          []label
	Legend          []bar
}

type (
	dayBar struct {
		X, Width string
		Title    string
		Pieces   []piece
	}
	piece    struct{ Y, Height, Class string }
	gridLine struct{ Y, TextY, Text string }
	label    struct{ X, Text string }
)

// Geometry of the chart by day.
const (
	chartWidth  = 900.0
	chartHeight = 280.0
	marginLeft  = 62.0
	marginTop   = 10.0
	marginFoot  = 26.0
)

// charts are those of the book and currency that the workbook draws, too.
func (m *maker) charts(v *view) {
	book, currency, ok := m.wb.Main()
	if !ok {
		return
	}
	var days []report.DayRow
	for _, d := range m.wb.Days {
		if d.Book == book && d.Currency == currency {
			days = append(days, d)
		}
	}
	v.Days = m.dayChart(days, currency)
	v.ModelsOf = ui.Clean(currency)
	longest := decimal.Zero
	for _, x := range m.wb.Models {
		if d, ok := value(x.Excess); ok && x.Book == book && x.Currency == currency {
			longest = decimal.Max(longest, d)
		}
	}
	for _, x := range m.wb.Models {
		d, ok := value(x.Excess)
		if !ok || !d.IsPositive() || x.Book != book || x.Currency != currency || len(v.Models) == 12 {
			continue
		}
		v.Models = append(v.Models, bar{Name: ui.Cut(ui.Clean(x.Model), 40), Note: ui.Cut(ui.Clean(x.Provider), 24), Amount: ui.Amount(x.Excess), Share: percent(x.Excess, x.Billed), Width: width(d, longest)})
	}
}

func (m *maker) dayChart(days []report.DayRow, currency string) *barChart {
	if len(days) == 0 {
		return nil
	}
	highest := 0.0
	for _, d := range days {
		x, _ := value(d.Excess)
		highest = max(highest, x.InexactFloat64())
	}
	if highest <= 0 {
		return nil
	}
	c := &barChart{Title: m.t("Retry tax by day%s, %s", "", ui.Clean(currency)), Currency: ui.Clean(currency), Width: num(chartWidth), Height: num(chartHeight)}
	step := niceStep(highest / 4)
	top := math.Ceil(highest/step) * step
	foot := chartHeight - marginFoot
	y := func(amount float64) float64 { return foot - amount/top*(foot-marginTop) }
	for a := 0.0; a <= top+step/2; a += step {
		c.Lines = append(c.Lines, gridLine{num(y(a)), num(y(a) + 4), short(a)})
	}
	slot := (chartWidth - marginLeft) / float64(len(days))
	every := int(math.Ceil(float64(len(days)) / 10)) // a phone has room for ten
	seen := map[string]bool{}
	for i, d := range days {
		x := marginLeft + float64(i)*slot
		b := dayBar{X: num(x + slot*0.14), Width: num(slot * 0.72), Title: d.Day + ": " + m.money(d.Excess, currency)}
		height := 0.0
		for _, w := range ui.Verdicts {
			amount, ok := value(d.ByVerdict[w.Code])
			if !ok || !amount.IsPositive() {
				continue
			}
			seen[w.Code] = true
			next := height + amount.InexactFloat64()
			b.Pieces = append(b.Pieces, piece{num(y(next)), num(y(height) - y(next)), class(w.Code)})
			height = next
		}
		c.Bars = append(c.Bars, b)
		if i%every == 0 && len(d.Day) == 10 {
			c.Labels = append(c.Labels, label{num(x + slot/2), d.Day[5:]})
		}
	}
	for _, w := range ui.Verdicts {
		if seen[w.Code] {
			c.Legend = append(c.Legend, bar{Name: m.t(w.Name), Class: class(w.Code)})
		}
	}
	return c
}

// niceStep is 1, 2 or 5 times a power of ten, at least x.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, n := range []float64{1, 2, 5} {
		if n*power >= x {
			return n * power
		}
	}
	return 10 * power
}

// short is a number of an axis in few characters: 0.05, 20, 5k, 20M.
func short(a float64) string {
	unit := ""
	for _, u := range []string{"k", "M", "G", "T"} {
		if a < 1000 {
			break
		}
		a, unit = a/1000, u
	}
	a, _ = strconv.ParseFloat(strconv.FormatFloat(a, 'g', 6, 64), 64) // without the noise of adding up steps
	return strconv.FormatFloat(a, 'f', -1, 64) + unit
}

// num is a coordinate: short, and the same everywhere.
func num(x float64) string { return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64) }
