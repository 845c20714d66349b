package ui

import (
	"strconv"
	"strings"
	"time"

	"retrytax/internal/report"
)

// lineName is "attempt 2", "sdk 1", "query 1", "copy 1": a line of the log in the time line.
func (e *explanation) lineName(a report.ExplainedAttempt) string {
	name := e.t("attempt")
	switch {
	case a.Role == report.RoleCopy:
		name = e.t("copy of")
	case a.Role == report.RoleQuery:
		name = e.t("query")
	case a.Layer != "app":
		name = short(a.Layer)
	}
	if a.Number != nil {
		name += " " + strconv.FormatInt(*a.Number, 10)
	}
	return name
}

// outcomeText is "timeout, ReadTimeout" or "429, rate limited".
func (e *explanation) outcomeText(a report.ExplainedAttempt) string {
	parts := []string{e.lang.Of(strings.ReplaceAll(short(a.Outcome), "_", " "))}
	switch {
	case a.Role == report.RoleLost:
		parts = []string{e.t("no line in the log")}
	case a.EndedAt == nil && a.Outcome == "unknown":
		parts = []string{e.t("no end in the log")}
	}
	if a.Status != nil {
		parts = append(parts, e.t("status %s", strconv.FormatInt(*a.Status, 10)))
	}
	if a.Reason != "" {
		parts = append(parts, short(string(a.Reason)))
	}
	if a.RecoveredAt != nil {
		parts = append(parts, e.t("answer fetched by a query"))
	}
	if a.Cached {
		parts = append(parts, e.t("a cached answer"))
	}
	return strings.Join(parts, e.t(", "))
}

// attemptStory is all that the log says of one line, and where it stands.
func (e *explanation) attemptStory(c *report.ExplainedCall, a report.ExplainedAttempt) string {
	parts := []string{e.lineName(a), e.timesText(c, a), e.outcomeText(a)}
	if a.Stage != "" {
		parts = append(parts, e.t("stage %s", short(string(a.Stage))))
	}
	if a.Delivers {
		parts = append(parts, e.t("delivered the call"))
	}
	if a.Model != "" {
		parts = append(parts, short(string(a.Model)))
	}
	if t := e.tokensText(a.InputTokens, nil, a.OutputTokens); t != "" {
		parts = append(parts, t)
	}
	if a.Receipt != "" {
		parts = append(parts, e.t("receipt %s", short(string(a.Receipt))))
	}
	if a.SourceFile != "" && a.SourceLine != nil {
		parts = append(parts, sourceText(string(a.SourceFile), *a.SourceLine))
	}
	return strings.Join(parts, " · ")
}

func (e *explanation) timesText(c *report.ExplainedCall, a report.ExplainedAttempt) string {
	switch {
	case a.StartedAt == nil && a.EndedAt == nil:
		return e.t("at an unknown time")
	case a.StartedAt == nil:
		return e.t("began at an unknown time, ended %s", e.clockText(c, *a.EndedAt))
	case a.EndedAt == nil:
		return e.t("began %s", e.clockText(c, *a.StartedAt))
	}
	return e.clockText(c, *a.StartedAt) + " … " + e.clockText(c, *a.EndedAt) + " (" + e.span(a.EndedAt.Sub(*a.StartedAt)) + ")"
}

// clockText is a time of day, with its date where that is not the call's first day.
func (e *explanation) clockText(c *report.ExplainedCall, t time.Time) string {
	if t.Format(time.DateOnly) != c.FirstAt.Format(time.DateOnly) {
		return t.Format(exactFormat)
	}
	return t.Format("15:04:05.000")
}

func sourceText(file string, line int64) string {
	return Cut(Clean(file), nameWidth) + ":" + strconv.FormatInt(line, 10)
}

// tokensText is "1 200 in (200 cached), 300 out".
func (e *explanation) tokensText(in, cached, out *int64) string {
	var parts []string
	if in != nil {
		text := e.tn(*in, "%s in", "%s in")
		if cached != nil && *cached > 0 {
			text += e.tn(*cached, " (%s cached)", " (%s cached)")
		}
		parts = append(parts, text)
	}
	if out != nil {
		parts = append(parts, e.tn(*out, "%s out", "%s out"))
	}
	return strings.Join(parts, ", ")
}

// mark is how a charge is called on the time line and in the list: #1, #2 …
func mark(i int) string { return "#" + strconv.Itoa(i+1) }

func (e *explanation) chargeName(ch report.ExplainedCharge) string {
	if ch.ChargeID == "" {
		return e.t("no charge id")
	}
	return short(string(ch.ChargeID))
}

// charge is one charge, what it turned out to be and why.
func (e *explanation) charge(c *report.ExplainedCall, i int) {
	ch := c.Charges[i]
	e.marked(cell{"  " + pad(mark(i), 3, false) + " ", bold}, e.chargeName(ch)+" · "+e.money(ch.Currency, ch.Amount)+" · "+e.verdictText(ch), "      ", normal)
	sub := func(label, text string) {
		e.marked(cell{"      " + label, dim}, text, "        ", normal)
	}
	sub("", e.billText(c, ch))
	if ch.Verdict != "" {
		sub("", e.matchText(ch)+" · "+e.settledText(ch))
	}
	sub(e.t("why: "), Cut(Clean(ch.Why), textWidth))
	for _, l := range ch.Leads {
		w := Lookup(Leads, l)
		sub(e.t("lead: "), e.t(w.Name)+": "+e.t(w.Meaning))
	}
	for n, change := range ch.Changes {
		if n == 0 {
			sub("", e.t("what would have changed it:"))
		}
		e.marked(cell{"      - ", dim}, Cut(Clean(change.Text), textWidth), "        ", normal)
	}
}

// verdictText is "timeout, billed in full (timeout_retry, billed_in_full) · excess USD 0.03, fix retries".
func (e *explanation) verdictText(ch report.ExplainedCharge) string {
	if ch.Verdict == "" {
		return e.t("not in this report")
	}
	text := e.t(Lookup(Verdicts, string(ch.Verdict)).Name) + " (" + string(ch.Verdict) + ", " + short(string(ch.Reason)) + ")"
	if !isZero(ch.Excess) {
		text += " · " + e.t("excess %s", e.money(ch.Currency, ch.Excess))
	}
	if ch.Recovery != "none" {
		text += " · " + e.t(Lookup(Recoveries, string(ch.Recovery)).Name) + " (" + string(ch.Recovery) + ")"
	}
	if ch.Rerouted {
		text += " · " + e.t("rerouted to another model or provider")
	}
	return text
}

// billText is where and when a charge stands in the bill, and what it is for.
func (e *explanation) billText(c *report.ExplainedCall, ch report.ExplainedCharge) string {
	parts := []string{e.stampText(c, ch)}
	if ch.Provider != "" || ch.Book != "bill" {
		parts = append(parts, strings.TrimSpace(short(string(ch.Provider))+" "+e.lang.Of(short(ch.Book))))
	}
	if ch.Model != "" {
		parts = append(parts, short(string(ch.Model)))
	}
	if t := e.tokensText(ch.InputTokens, ch.CachedTokens, ch.OutputTokens); t != "" {
		parts = append(parts, t)
	}
	if ch.FinishReason != "" {
		parts = append(parts, e.t("finish reason %s", short(string(ch.FinishReason))))
	}
	if ch.RequestID != c.RequestID && ch.RequestID != "" {
		parts = append(parts, e.t("billed under request %s", short(string(ch.RequestID))))
	}
	if ch.Receipt != "" {
		parts = append(parts, e.t("receipt %s", short(string(ch.Receipt))))
	}
	for _, l := range ch.Lines {
		text := sourceText(l.SourceFile, l.SourceLine)
		if len(ch.Lines) > 1 {
			text += " (" + strings.TrimSpace(short(string(l.LineItem))+" "+e.unknownOr(l.Amount)) + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " · ")
}

// stampText says when a charge was stamped, and what that means where it was measured.
func (e *explanation) stampText(c *report.ExplainedCall, ch report.ExplainedCharge) string {
	text := e.t("stamped %s", e.clockText(c, ch.ChargedAt))
	if ch.ResolutionMS > 0 {
		text += e.t(" (to %s exactly)", report.SpanIn(e.lang, ch.ResolutionMS))
	}
	if !ch.Stamp.Measured {
		return text
	}
	if ch.Stamp.At == "end" {
		text += e.t(" at the end of the run")
	} else {
		text += e.t(" at the start of the run")
	}
	switch off := ch.Stamp.OffsetMS; {
	case off >= 500:
		text += e.t(", clock %s ahead", report.SpanIn(e.lang, off))
	case off <= -500:
		text += e.t(", clock %s behind", report.SpanIn(e.lang, -off))
	}
	return text
}

func (e *explanation) matchText(ch report.ExplainedCharge) string {
	if ch.Verdict == "duplicate_line" || ch.Verdict == "adjustment" {
		return e.t("not matched: no run of its own")
	}
	text := e.t("matched %s", e.t(Lookup(Matches, string(ch.Match)).Name)) + " (" + string(ch.Match) + ")"
	if ch.Match == "none" {
		text = e.t("not matched (none)")
	}
	if ch.Match == "lead" {
		text = e.t("likely, not certain (lead)")
	}
	if ch.Confidence != "" {
		text += e.t(", confidence %s", string(ch.Confidence))
	}
	return text
}

func (e *explanation) settledText(ch report.ExplainedCharge) string {
	switch {
	case ch.Settled:
		return e.t("settled")
	case len(ch.Unsettled) > 0:
		return e.t("not settled: %s", Cut(Clean(strings.Join(ch.Unsettled, "; ")), textWidth))
	}
	return e.t("not settled")
}
