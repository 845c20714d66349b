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
	e := &explanation{page: &page{width: min(max(width, 60), 120), colour: opts.Color, lang: opts.Lang}, x: x}
	e.text("retrytax explain · "+short(x.ID)+" · "+e.kinds(x.As)+" · "+e.t("times in %s", short(x.Zone)), "", bold)
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
func (e *explanation) kinds(as []string) string {
	names := map[string]string{"request": e.t("a request id"), "charge": e.t("a charge id"), "receipt": e.t("a receipt")}
	var out []string
	for _, a := range as {
		out = append(out, names[a])
	}
	return strings.Join(out, e.t(" and "))
}

// span is a duration in the language of the page.
func (e *explanation) span(d time.Duration) string { return report.SpanIn(e.lang, d.Milliseconds()) }

// money is an amount with its currency; one that is not known says so in the language of the page.
func (p *page) money(currency string, m report.Money) string {
	if _, ok := value(m); !ok {
		return currencyName(currency) + string(noBreak) + p.t(unknown)
	}
	return money(currency, m)
}

func (e *explanation) call(c *report.ExplainedCall) {
	e.heading(e.callTitle(c))
	e.item(e.callFacts(c), "  ", dim)
	for _, t := range c.Totals {
		e.item(e.callTotal(t), "  ", normal)
	}
	if c.Unbilled {
		e.item(e.t("delivered, and a bill that covers it shows no charge: unbilled"), "  ", yellow)
	}
	e.blank()
	e.timeline(c)
	if len(c.Attempts) > 0 {
		e.blank()
		e.line("  " + e.t("The log"))
		for _, a := range c.Attempts {
			e.item(e.attemptStory(c, a), "    ", normal)
		}
	}
	if len(c.Charges) > 0 {
		e.blank()
		e.line("  " + e.t("The bill"))
		for i := range c.Charges {
			e.charge(c, i)
		}
	}
}

// callTitle is "Call 2 · request r-7 · succeeded · 2026-10-03 10:00:00.000 … 10:01:01.000 (61 s)".
func (e *explanation) callTitle(c *report.ExplainedCall) string {
	what := e.t("request %s", short(string(c.RequestID)))
	if c.RequestID == "" {
		what = e.t("no request id")
	}
	state := e.t(string(c.State))
	if c.State == "" {
		state = e.t("no line in the log")
	}
	return e.t("Call %s", strconv.FormatInt(c.Number, 10)) + " · " + what + " · " + state + " · " + e.spanText(c.FirstAt, c.LastAt)
}

const exactFormat = "2006-01-02 15:04:05.000"

func (e *explanation) spanText(from, to time.Time) string {
	text := from.Format(exactFormat)
	if to.After(from) {
		end := to.Format("15:04:05.000")
		if to.Format(time.DateOnly) != from.Format(time.DateOnly) {
			end = to.Format(exactFormat)
		}
		text += " … " + end + " (" + e.span(to.Sub(from)) + ")"
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
	parts := []string{e.tn(attempts, "%s attempt", "%s attempts") + e.t(", ") + e.tn(int64(len(c.Charges)), "%s charge", "%s charges")}
	if len(c.Layers) > 1 {
		parts = append(parts, e.t("layers %s", strings.Join(c.Layers, ", ")))
	}
	if len(e.x.As) > 1 || len(c.NamedAs) > 1 {
		parts = append(parts, e.t("found as %s", e.kinds(c.NamedAs)))
	}
	return strings.Join(parts, " · ")
}

// callTotal is "bill: paid USD 0.12 = due 0.03 + excess 0.09".
func (e *explanation) callTotal(t report.CallTotal) string {
	var parts []string
	shown := e.unknownOr
	if n := ledgerPlaces([]report.Money{t.Due, t.Excess, t.Undelivered, t.Unsettled}, t.Paid); n > maxPlaces {
		shown = func(m report.Money) string { // rounded, they would not add up
			if _, ok := value(m); !ok {
				return e.t(unknown)
			}
			return plain(fixed(m, n))
		}
	}
	for _, p := range []struct {
		name   string
		amount report.Money
		always bool
	}{{e.t("due"), t.Due, true}, {e.t("excess"), t.Excess, true}, {e.t("undelivered"), t.Undelivered, false}, {e.t("unsettled"), t.Unsettled, false}} {
		if p.always || !isZero(p.amount) {
			parts = append(parts, p.name+" "+shown(p.amount))
		}
	}
	text := e.t("%s: paid %s", e.lang.Of(short(t.Book)), currencyName(t.Currency)+string(noBreak)+shown(t.Paid)) + " = " + strings.Join(parts, " + ")
	if !isZero(t.Orphan) {
		text += e.t("; beside it, not explained by the log: %s", e.money(t.Currency, t.Orphan))
	}
	if !isZero(t.Adjustments) {
		text += e.t("; refunds, credits, taxes: %s", e.money(t.Currency, t.Adjustments))
	}
	if !isZero(t.Refunded) {
		text += e.t(", of which %s give back excess", e.money(t.Currency, t.Refunded))
	}
	if t.AtLeast {
		text += e.t(" (at least: an amount is unknown)")
	}
	return text
}
