package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"retrytax/internal/report"
)

// lineName is "attempt 2", "sdk 1", "query 1", "copy 1": a line of the log in the time line.
func lineName(a report.ExplainedAttempt) string {
	name := "attempt"
	switch {
	case a.Role == report.RoleCopy:
		name = "copy of"
	case a.Role == report.RoleQuery:
		name = "query"
	case a.Layer != "app":
		name = short(a.Layer)
	}
	if a.Number != nil {
		name += " " + strconv.FormatInt(*a.Number, 10)
	}
	return name
}

// outcomeText is "timeout, ReadTimeout" or "429, rate limited".
func outcomeText(a report.ExplainedAttempt) string {
	parts := []string{strings.ReplaceAll(short(a.Outcome), "_", " ")}
	switch {
	case a.Role == report.RoleLost:
		parts = []string{"no line in the log"}
	case a.EndedAt == nil && a.Outcome == "unknown":
		parts = []string{"no end in the log"}
	}
	if a.Status != nil {
		parts = append(parts, "status "+strconv.FormatInt(*a.Status, 10))
	}
	if a.Reason != "" {
		parts = append(parts, short(string(a.Reason)))
	}
	if a.RecoveredAt != nil {
		parts = append(parts, "answer fetched by a query")
	}
	if a.Cached {
		parts = append(parts, "a cached answer")
	}
	return strings.Join(parts, ", ")
}

// attemptStory is all that the log says of one line, and where it stands.
func attemptStory(c *report.ExplainedCall, a report.ExplainedAttempt) string {
	parts := []string{lineName(a), timesText(c, a), outcomeText(a)}
	if a.Stage != "" {
		parts = append(parts, "stage "+short(string(a.Stage)))
	}
	if a.Delivers {
		parts = append(parts, "delivered the call")
	}
	if a.Model != "" {
		parts = append(parts, short(string(a.Model)))
	}
	if t := tokensText(a.InputTokens, nil, a.OutputTokens); t != "" {
		parts = append(parts, t)
	}
	if a.Receipt != "" {
		parts = append(parts, "receipt "+short(string(a.Receipt)))
	}
	if a.SourceFile != "" && a.SourceLine != nil {
		parts = append(parts, sourceText(string(a.SourceFile), *a.SourceLine))
	}
	return strings.Join(parts, " · ")
}

func timesText(c *report.ExplainedCall, a report.ExplainedAttempt) string {
	switch {
	case a.StartedAt == nil && a.EndedAt == nil:
		return "at an unknown time"
	case a.StartedAt == nil:
		return "began at an unknown time, ended " + clockText(c, *a.EndedAt)
	case a.EndedAt == nil:
		return "began " + clockText(c, *a.StartedAt)
	}
	return clockText(c, *a.StartedAt) + " … " + clockText(c, *a.EndedAt) + " (" + report.Span(a.EndedAt.Sub(*a.StartedAt)) + ")"
}

// clockText is a time of day, with its date where that is not the call's first day.
func clockText(c *report.ExplainedCall, t time.Time) string {
	if t.Format(time.DateOnly) != c.FirstAt.Format(time.DateOnly) {
		return t.Format(exactFormat)
	}
	return t.Format("15:04:05.000")
}

func sourceText(file string, line int64) string {
	return Cut(Clean(file), nameWidth) + ":" + strconv.FormatInt(line, 10)
}

// tokensText is "1 200 in (200 cached), 300 out".
func tokensText(in, cached, out *int64) string {
	var parts []string
	if in != nil {
		text := count(*in) + string(noBreak) + "in"
		if cached != nil && *cached > 0 {
			text += " (" + count(*cached) + string(noBreak) + "cached)"
		}
		parts = append(parts, text)
	}
	if out != nil {
		parts = append(parts, count(*out)+string(noBreak)+"out")
	}
	return strings.Join(parts, ", ")
}

// mark is how a charge is called on the time line and in the list: #1, #2 …
func mark(i int) string { return "#" + strconv.Itoa(i+1) }

func chargeName(ch report.ExplainedCharge) string {
	if ch.ChargeID == "" {
		return "no charge id"
	}
	return short(string(ch.ChargeID))
}

// charge is one charge, what it turned out to be and why.
func (e *explanation) charge(c *report.ExplainedCall, i int) {
	ch := c.Charges[i]
	e.marked(cell{"  " + pad(mark(i), 3, false) + " ", bold}, chargeName(ch)+" · "+money(ch.Currency, ch.Amount)+" · "+verdictText(ch), "      ", normal)
	sub := func(label, text string) {
		e.marked(cell{"      " + label, dim}, text, "        ", normal)
	}
	sub("", e.billText(c, ch))
	if ch.Verdict != "" {
		sub("", matchText(ch)+" · "+settledText(ch))
	}
	sub("why: ", Cut(Clean(ch.Why), textWidth))
	for _, l := range ch.Leads {
		w := Lookup(Leads, l)
		sub("lead: ", w.Name+": "+w.Meaning)
	}
	for n, change := range ch.Changes {
		if n == 0 {
			sub("", "what would have changed it:")
		}
		e.marked(cell{"      - ", dim}, Cut(Clean(change.Text), textWidth), "        ", normal)
	}
}

// verdictText is "timeout, billed in full (timeout_retry, billed_in_full) · excess USD 0.03, fix retries".
func verdictText(ch report.ExplainedCharge) string {
	if ch.Verdict == "" {
		return "not in this report"
	}
	text := Lookup(Verdicts, string(ch.Verdict)).Name + " (" + string(ch.Verdict) + ", " + short(string(ch.Reason)) + ")"
	if !isZero(ch.Excess) {
		text += " · excess " + money(ch.Currency, ch.Excess)
	}
	if ch.Recovery != "none" {
		text += " · " + Lookup(Recoveries, string(ch.Recovery)).Name + " (" + string(ch.Recovery) + ")"
	}
	if ch.Rerouted {
		text += " · rerouted to another model or provider"
	}
	return text
}

// billText is where and when a charge stands in the bill, and what it is for.
func (e *explanation) billText(c *report.ExplainedCall, ch report.ExplainedCharge) string {
	parts := []string{stampText(c, ch)}
	if ch.Provider != "" || ch.Book != "bill" {
		parts = append(parts, strings.TrimSpace(short(string(ch.Provider))+" "+short(ch.Book)))
	}
	if ch.Model != "" {
		parts = append(parts, short(string(ch.Model)))
	}
	if t := tokensText(ch.InputTokens, ch.CachedTokens, ch.OutputTokens); t != "" {
		parts = append(parts, t)
	}
	if ch.FinishReason != "" {
		parts = append(parts, "finish reason "+short(string(ch.FinishReason)))
	}
	if ch.RequestID != c.RequestID && ch.RequestID != "" {
		parts = append(parts, "billed under request "+short(string(ch.RequestID)))
	}
	if ch.Receipt != "" {
		parts = append(parts, "receipt "+short(string(ch.Receipt)))
	}
	for _, l := range ch.Lines {
		text := sourceText(l.SourceFile, l.SourceLine)
		if len(ch.Lines) > 1 {
			text += " (" + strings.TrimSpace(short(string(l.LineItem))+" "+Amount(l.Amount)) + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " · ")
}

// stampText says when a charge was stamped, and what that means where it was measured.
func stampText(c *report.ExplainedCall, ch report.ExplainedCharge) string {
	text := "stamped " + clockText(c, ch.ChargedAt)
	if ch.ResolutionMS > 0 {
		text += fmt.Sprintf(" (to %s exactly)", report.SpanMS(ch.ResolutionMS))
	}
	if !ch.Stamp.Measured {
		return text
	}
	text += " at the " + ch.Stamp.At + " of the run"
	switch off := ch.Stamp.OffsetMS; {
	case off >= 500:
		text += ", clock " + report.SpanMS(off) + " ahead"
	case off <= -500:
		text += ", clock " + report.SpanMS(-off) + " behind"
	}
	return text
}

func matchText(ch report.ExplainedCharge) string {
	if ch.Verdict == "duplicate_line" || ch.Verdict == "adjustment" {
		return "not matched: no run of its own"
	}
	text := "matched " + Lookup(Matches, string(ch.Match)).Name + " (" + string(ch.Match) + ")"
	if ch.Match == "none" {
		text = "not matched (none)"
	}
	if ch.Match == "lead" {
		text = "likely, not certain (lead)"
	}
	if ch.Confidence != "" {
		text += ", confidence " + string(ch.Confidence)
	}
	return text
}

func settledText(ch report.ExplainedCharge) string {
	switch {
	case ch.Settled:
		return "settled"
	case len(ch.Unsettled) > 0:
		return "not settled: " + Cut(Clean(strings.Join(ch.Unsettled, "; ")), textWidth)
	}
	return "not settled"
}
