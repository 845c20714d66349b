package ui

import (
	"strings"
	"time"

	"retrytax/internal/report"
)

// lane is one row of a time line: a label, what is drawn from one cell to another, and a
// note that stands beside it.
type lane struct {
	label    string
	from, to int
	drawing  string
	note     string
	style    style
}

// timeline draws the attempts of a call, each with its charges under it, on one scale.
func (e *explanation) timeline(c *report.ExplainedCall) {
	lanes := make([]lane, 0, len(c.Attempts)+len(c.Charges))
	labelWidth := 0
	order := e.order(c)
	for _, o := range order {
		labelWidth = max(labelWidth, Width(o.label))
	}
	labelWidth = min(labelWidth, 18)
	s := span(c)
	s.cells = max(e.width-len(tableIndent)-labelWidth-2, 20)
	for _, o := range order {
		l := lane{label: Cut(o.label, labelWidth)}
		if o.attempt != nil {
			e.bar(s, &l, *o.attempt)
		} else {
			e.stamp(s, &l, *o.charge)
		}
		lanes = append(lanes, l)
	}
	labels, ticks := s.axis()
	margin := tableIndent + strings.Repeat(" ", labelWidth+2)
	e.line(margin + e.paint(labels, dim))
	e.line(margin + e.paint(ticks, dim))
	for _, l := range lanes {
		e.lane(l, labelWidth, s.cells)
	}
	e.legend(lanes)
}

// row is an attempt or a charge in the order in which they are drawn.
type row struct {
	label   string
	attempt *report.ExplainedAttempt
	charge  *report.ExplainedCharge
}

// order puts the charges under the line of the log that they are laid to, and what no line
// explains at the end.
func (e *explanation) order(c *report.ExplainedCall) []row {
	var out []row
	done := make([]bool, len(c.Charges))
	for i := range c.Attempts {
		a := &c.Attempts[i]
		indent := ""
		if a.Role == report.RoleInner || a.Role == report.RoleCopy {
			indent = "  "
		}
		out = append(out, row{label: indent + e.lineName(*a), attempt: a})
		for j := range c.Charges {
			if !done[j] && c.Charges[j].OwnedBy(a) {
				done[j] = true
				out = append(out, row{label: indent + "  " + mark(j) + " " + e.chargeName(c.Charges[j]), charge: &c.Charges[j]})
			}
		}
	}
	for j := range c.Charges {
		if !done[j] {
			out = append(out, row{label: mark(j) + " " + e.chargeName(c.Charges[j]), charge: &c.Charges[j]})
		}
	}
	return out
}

// span is what a time line covers: the attempts and their charges; what no attempt explains
// only if it lies so near that the rest stays legible.
func span(c *report.ExplainedCall) scale {
	var from, to time.Time
	widen := func(t *time.Time) {
		if t == nil {
			return
		}
		if from.IsZero() || t.Before(from) {
			from = *t
		}
		if to.IsZero() || t.After(to) {
			to = *t
		}
	}
	for _, a := range c.Attempts {
		widen(a.StartedAt)
		widen(a.EndedAt)
	}
	for _, near := range []bool{true, false} {
		length := max(to.Sub(from), 2*time.Second)
		for i := range c.Charges {
			t := c.Charges[i].DrawnAt
			explained := c.Charges[i].Match != "none" && c.Charges[i].Match != ""
			if explained == near && (explained || from.IsZero() || (t.After(from.Add(-length)) && t.Before(to.Add(length)))) {
				widen(&t)
			}
		}
	}
	if !to.After(from) {
		to = from.Add(time.Second)
	}
	return scale{from: from, to: to}
}

// bar draws a line of the log from its beginning to its end. An end that was never written
// is open, an attempt that never connected is a tick.
func (e *explanation) bar(s scale, l *lane, a report.ExplainedAttempt) {
	l.note = e.outcomeText(a)
	fill := "▓"
	switch {
	case a.Role == report.RoleCopy:
		fill = "="
	case a.Role == report.RoleLost:
		fill = "?"
	case a.Role == report.RoleQuery:
		fill = "~"
	case a.Outcome == "success":
		fill, l.style = "█", green
	case !a.Ran:
		fill = "░"
	}
	if a.StartedAt != nil && a.EndedAt != nil {
		l.note += " · " + e.span(a.EndedAt.Sub(*a.StartedAt))
	}
	start, end := a.StartedAt, a.EndedAt
	if start == nil {
		start = end
	}
	if start == nil {
		l.drawing = "?"
		return
	}
	l.from, _ = s.cell(*start)
	if end == nil {
		l.to = s.cells - 1
		l.drawing = strings.Repeat(fill, l.to-l.from) + "▶"
		return
	}
	l.to, _ = s.cell(*end)
	if !a.Ran && a.Stage == "connect" {
		l.to, l.drawing = l.from, "╳"
		return
	}
	l.drawing = strings.Repeat(fill, l.to-l.from+1)
	if a.StartedAt == nil {
		l.drawing = "┤"
	}
}

// stamp draws a charge at its stamp, by the log's clock. A stamp of a whole minute or day is
// an interval; one off the scale is an arrow at the edge.
func (e *explanation) stamp(s scale, l *lane, ch report.ExplainedCharge) {
	l.note = e.money(ch.Currency, ch.Amount)
	if ch.Verdict != "" {
		l.note += " " + e.t(Lookup(Verdicts, string(ch.Verdict)).Name)
	}
	if ch.Verdict != "" && !ch.Settled {
		l.note += e.t(", not settled")
	}
	switch {
	case !isZero(ch.Excess):
		l.style = red
	case ch.Verdict == "delivered":
		l.style = green
	}
	at, on := s.cell(ch.DrawnAt)
	l.from, l.to, l.drawing = at, at, "◆"
	switch {
	case !on && at == 0:
		l.drawing = "«"
		l.note += e.t(", %s before this", e.span(s.from.Sub(ch.DrawnAt)))
	case !on:
		l.drawing = "»"
		l.note += e.t(", %s after this", e.span(ch.DrawnAt.Sub(s.to)))
	case ch.ResolutionMS > 0:
		l.to, _ = s.cell(ch.DrawnAt.Add(time.Duration(ch.ResolutionMS) * time.Millisecond))
		l.drawing += strings.Repeat("╌", l.to-l.from)
	}
}

// lane prints one row; its note stands behind the drawing, before it, or on the next line.
func (e *explanation) lane(l lane, labelWidth, cells int) {
	note, room := l.note, cells-l.to-2
	head := tableIndent + pad(l.label, labelWidth, false) + "  "
	drawing := e.paint(l.drawing, l.style)
	switch w := Width(note); {
	case w <= room:
		e.line(head + strings.Repeat(" ", l.from) + drawing + " " + note)
	case w+1 <= l.from:
		e.line(head + strings.Repeat(" ", l.from-w-1) + note + " " + drawing)
	default:
		e.line(head + strings.Repeat(" ", l.from) + drawing)
		e.line(tableIndent + strings.Repeat(" ", labelWidth+2) + e.paint(Cut(note, cells), dim))
	}
}

// legend explains the signs that were drawn.
func (e *explanation) legend(lanes []lane) {
	var parts []string
	for _, sign := range []struct{ sign, meaning string }{
		{"█", e.t("answered")}, {"▓", e.t("ran without an answer")}, {"░", e.t("refused")}, {"╳", e.t("never connected")}, {"▶", e.t("no end in the log")},
		{"┤", e.t("beginning unknown")}, {"?", e.t("no line in the log")}, {"~", e.t("asked for the state")}, {"=", e.t("a copy of a line")},
		{"◆", e.t("charge")}, {"╌", e.t("as exact as the stamp is")}, {"«", e.t("charge before this")}, {"»", e.t("charge after this")},
	} {
		for _, l := range lanes {
			if strings.Contains(l.drawing, sign.sign) {
				parts = append(parts, sign.sign+string(noBreak)+strings.ReplaceAll(sign.meaning, " ", string(noBreak)))
				break
			}
		}
	}
	e.item(strings.Join(parts, "   "), "  ", dim)
}
