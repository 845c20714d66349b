package ui

import (
	"io"
	"strconv"
	"strings"
	"time"

	"retrytax/internal/report"
)

// explanation is one run of WriteExplanation.
type explanation struct {
	*page
	x *report.Explanation
}

// WriteExplanation prints what the data say of one id, for a person: each call with its
// attempts and charges on one time line, drawn to scale, then what each line of the log and
// each charge is, and why. The error is that of w.
func WriteExplanation(w io.Writer, x *report.Explanation, opts Options) error {
	width := opts.Width
	if width == 0 {
		width = 80
	}
	e := &explanation{page: &page{width: min(max(width, 60), 120), colour: opts.Color}, x: x}
	e.text("retrytax explain · "+short(x.ID)+" · "+kinds(x.As)+" · times in "+short(x.Zone), "", bold)
	for _, n := range x.Notes {
		e.marked(cell{"  ! ", yellow}, Cut(Clean(n), textWidth), "    ", normal)
	}
	for i := range x.Calls {
		e.call(&x.Calls[i])
	}
	_, err := io.WriteString(w, e.b.String())
	return err
}

// kinds is "a request id and a charge id".
func kinds(as []string) string {
	names := map[string]string{"request": "a request id", "charge": "a charge id", "receipt": "a receipt"}
	var out []string
	for _, a := range as {
		out = append(out, names[a])
	}
	return strings.Join(out, " and ")
}

func (e *explanation) call(c *report.ExplainedCall) {
	e.heading(callTitle(c))
	e.item(e.callFacts(c), "  ", dim)
	for _, t := range c.Totals {
		e.item(callTotal(t), "  ", normal)
	}
	if c.Unbilled {
		e.item("delivered, and a bill that covers it shows no charge: unbilled", "  ", yellow)
	}
	e.blank()
	e.timeline(c)
	if len(c.Attempts) > 0 {
		e.blank()
		e.line("  The log")
		for _, a := range c.Attempts {
			e.item(attemptStory(c, a), "    ", normal)
		}
	}
	if len(c.Charges) > 0 {
		e.blank()
		e.line("  The bill")
		for i := range c.Charges {
			e.charge(c, i)
		}
	}
}

// callTitle is "Call 2 · request r-7 · succeeded · 2026-10-03 10:00:00.000 … 10:01:01.000 (61 s)".
func callTitle(c *report.ExplainedCall) string {
	what := "request " + short(string(c.RequestID))
	if c.RequestID == "" {
		what = "no request id"
	}
	state := string(c.State)
	if state == "" {
		state = "no line in the log"
	}
	return "Call " + strconv.FormatInt(c.Number, 10) + " · " + what + " · " + state + " · " + spanText(c.FirstAt, c.LastAt)
}

const exactFormat = "2006-01-02 15:04:05.000"

func spanText(from, to time.Time) string {
	text := from.Format(exactFormat)
	if to.After(from) {
		end := to.Format("15:04:05.000")
		if to.Format(time.DateOnly) != from.Format(time.DateOnly) {
			end = to.Format(exactFormat)
		}
		text += " … " + end + " (" + report.Span(to.Sub(from)) + ")"
	}
	return text
}

// callFacts is "2 attempts, 4 charges · layers app, sdk · this id is its request id".
func (e *explanation) callFacts(c *report.ExplainedCall) string {
	attempts := int64(0)
	for _, a := range c.Attempts {
		if a.Role == report.RoleAttempt || a.Role == report.RoleLost {
			attempts++
		}
	}
	parts := []string{counted(attempts, "attempt", "attempts") + ", " + counted(int64(len(c.Charges)), "charge", "charges")}
	if len(c.Layers) > 1 {
		parts = append(parts, "layers "+strings.Join(c.Layers, ", "))
	}
	if len(e.x.As) > 1 || len(c.NamedAs) > 1 {
		parts = append(parts, "found as "+kinds(c.NamedAs))
	}
	return strings.Join(parts, " · ")
}

// callTotal is "bill: paid USD 0.12 = due 0.03 + excess 0.09".
func callTotal(t report.CallTotal) string {
	var parts []string
	for _, p := range []struct {
		name   string
		amount report.Money
		always bool
	}{{"due", t.Due, true}, {"excess", t.Excess, true}, {"undelivered", t.Undelivered, false}, {"unsettled", t.Unsettled, false}} {
		if p.always || !isZero(p.amount) {
			parts = append(parts, p.name+" "+Amount(p.amount))
		}
	}
	text := short(t.Book) + ": paid " + money(t.Currency, t.Paid) + " = " + strings.Join(parts, " + ")
	if !isZero(t.Orphan) {
		text += "; beside it, not explained by the log: " + money(t.Currency, t.Orphan)
	}
	if !isZero(t.Adjustments) {
		text += "; refunds, credits, taxes: " + money(t.Currency, t.Adjustments)
	}
	if !isZero(t.Refunded) {
		text += ", of which " + money(t.Currency, t.Refunded) + " give back excess"
	}
	if t.AtLeast {
		text += " (at least: an amount is unknown)"
	}
	return text
}
