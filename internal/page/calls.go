package page

import (
	"fmt"
	"strconv"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// callView is one of the dearest calls with its time line, in the units of its viewBox.
type callView struct {
	rowView
	Width, Height string
	Ticks         []label
	Bars          []timeBar
	Marks         []mark
	Lines         []lineView
	Foot          string
}

type (
	timeBar  struct{ X, Y, Width, TextY, Name, Text, Class string }
	mark     struct{ X, Y, Path, Title, Class string }
	lineView struct {
		Charge, At, Verdict, Amount, Excess, Why, Class string
	}
)

// Geometry of a time line.
const (
	lineWidth  = 900.0
	lineLeft   = 110.0
	lineRight  = 34.0
	barStep    = 24.0
	barHeight  = 14.0
	tickHeight = 22.0
)

func (m *maker) calls(v *view) {
	for _, c := range m.wb.Dear {
		v.Calls = append(v.Calls, m.call(c))
	}
}

// call draws attempts as bars and charges as marks, to scale.
func (m *maker) call(c report.DearCall) callView {
	v := callView{rowView: m.row(c.DuplicatedRow)}
	for _, e := range c.Lines {
		v.Lines = append(v.Lines, m.line(e))
	}
	from, to := span(c)
	if from.IsZero() {
		return v
	}
	length := to.Sub(from)
	if length <= 0 {
		length = time.Second
	}
	at := func(t time.Time) float64 {
		return lineLeft + float64(t.Sub(from))/float64(length)*(lineWidth-lineLeft-lineRight)
	}
	y := tickHeight + 6
	for i, a := range c.Attempts {
		end, open := to, true
		if a.End != nil {
			end, open = *a.End, false
		}
		name := m.t("attempt %s", strconv.Itoa(i+1))
		if a.Number != nil {
			name = m.t("attempt %s", strconv.FormatInt(*a.Number, 10))
		}
		if a.Layer != "app" {
			name = ui.Cut(ui.Clean(a.Layer), 8) + " " + name
		}
		class := "ran"
		switch {
		case a.Success:
			class = "answered"
		case open:
			class = "ran open"
		}
		v.Bars = append(v.Bars, timeBar{X: num(at(a.Start)), Y: num(y), Width: num(max(at(end)-at(a.Start), 2)), TextY: num(y + barHeight - 3), Name: name,
			Text: fmt.Sprintf("%s · %s", ui.Clean(a.Outcome), seconds(end.Sub(a.Start))), Class: class})
		y += barStep
	}
	for _, e := range c.Lines {
		class := "due"
		if d, ok := value(e.Excess); ok && d.IsPositive() {
			class = "bad"
		}
		x := at(e.ChargedAt)
		v.Marks = append(v.Marks, mark{X: num(x), Y: num(y + 4), Path: diamond(x, y+4), Class: class,
			Title: ui.Clean(e.ChargeID) + ": " + m.money(e.Amount, e.Currency) + ", " + m.name(ui.Verdicts, e.Verdict)})
	}
	for i := range 5 {
		t := from.Add(length * time.Duration(i) / 4)
		v.Ticks = append(v.Ticks, label{num(at(t)), t.In(m.o.Zone).Format("15:04:05")})
	}
	v.Width, v.Height, v.Foot = num(lineWidth), num(y+18), num(y+8)
	return v
}

// span is from the first to the last that happened in a call.
func span(c report.DearCall) (from, to time.Time) {
	add := func(t time.Time) {
		if from.IsZero() || t.Before(from) {
			from = t
		}
		if to.IsZero() || t.After(to) {
			to = t
		}
	}
	for _, a := range c.Attempts {
		add(a.Start)
		if a.End != nil {
			add(*a.End)
		}
	}
	for _, e := range c.Lines {
		add(e.ChargedAt)
	}
	return from, to
}

func diamond(x, y float64) string {
	const r = 7
	return fmt.Sprintf("M%s %sL%s %sL%s %sL%s %sZ", num(x), num(y-r), num(x+r), num(y), num(x), num(y+r), num(x-r), num(y))
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
}

func (m *maker) line(e report.EvidenceRow) lineView {
	why := ui.Clean(e.Reason)
	if text, ok := report.RuleWords[e.Reason]; ok {
		why = m.t(text)
	}
	class := ""
	if d, ok := value(e.Excess); ok && d.IsPositive() {
		class = "bad"
	}
	return lineView{Charge: ui.Clean(e.ChargeID), At: e.ChargedAt.In(m.o.Zone).Format("2006-01-02 15:04:05.000"), Verdict: m.name(ui.Verdicts, e.Verdict),
		Amount: m.money(e.Amount, e.Currency), Excess: m.amountOr(e.Excess), Why: why, Class: class}
}
