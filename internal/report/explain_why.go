package report

import (
	"fmt"
	"strings"
)

// explain fills in the sentences of every charge of a call.
func (c *ExplainedCall) explain() {
	for i := range c.Charges {
		ch := &c.Charges[i]
		if a := c.attempt(ch.exec); a != nil {
			if top := c.attempt(a.top); top != nil && top.Number != nil {
				a = top
			}
			ch.Attempt = a.Number
		}
		ch.Why = c.why(ch)
		ch.Unsettled = c.whyUnsettled(ch)
		ch.Changes = c.changes(ch)
	}
}

// attempt finds a line by its row; nil where the call has none.
func (c *ExplainedCall) attempt(row int64) *ExplainedAttempt {
	for i := range c.Attempts {
		if c.Attempts[i].row == row && row != 0 {
			return &c.Attempts[i]
		}
	}
	return nil
}

// delivering is the attempt that the answer came from; nil where there was none.
func (c *ExplainedCall) delivering() *ExplainedAttempt {
	for i := range c.Attempts {
		if c.Attempts[i].Delivers {
			return &c.Attempts[i]
		}
	}
	return nil
}

// name is "attempt 2", or "sdk attempt 1" for a line of an inner layer.
func (c *ExplainedCall) name(a *ExplainedAttempt) string {
	if a == nil {
		return "an attempt"
	}
	n := "attempt"
	if a.Layer != "app" {
		n = a.Layer + " attempt"
	}
	if a.Number == nil {
		return "the " + n + " that began at " + c.clock(a.StartedAt)
	}
	return fmt.Sprintf("%s %d", n, *a.Number)
}

// top is the outermost line over an attempt.
func (c *ExplainedCall) top(a *ExplainedAttempt) *ExplainedAttempt {
	if a == nil {
		return nil
	}
	if t := c.attempt(a.top); t != nil {
		return t
	}
	return a
}

// why is the rule that gave a charge its verdict, as a sentence about this charge.
func (c *ExplainedCall) why(ch *ExplainedCharge) string {
	a := c.attempt(ch.exec)
	switch ch.Verdict {
	case "":
		return "no verdict is kept of this charge: it came after the last retrytax reconcile, or the kept audit was narrowed to a period or a scope and the charge lies outside of it"
	case "adjustment":
		return c.whyAdjustment(ch)
	case "duplicate_line":
		return "every field equals those of " + c.originalOf(ch) + " in the same file: the bill holds one line twice, and nothing ran twice"
	case "orphan":
		return c.whyOrphan(ch, a)
	case "not_billable":
		return c.whyNotBillable(ch, a)
	case "delivered":
		return c.whyDelivered(ch, a)
	case "hedged":
		return fmt.Sprintf("%s ran beside %s with the same prompt, and the other one ended first: this paid for the copy that lost the race%s",
			c.name(c.top(a)), c.name(c.top(c.delivering())), c.byKey(ch))
	case "undelivered":
		return fmt.Sprintf("%s ran and was billed%s, but nothing delivered this call", c.name(a), hiddenToo(ch)) + c.byKey(ch)
	case "double_retry", "sdk_retry":
		return c.whyInner(ch, a) + c.byKey(ch)
	case "partial_tokens":
		return c.whyPartial(ch, a) + c.byKey(ch)
	case "timeout_retry":
		return c.whyTimeout(ch, a) + c.byKey(ch)
	}
	return fmt.Sprintf("%s failed (%s) and was billed all the same; %s delivered the call%s",
		c.name(a), outcomeOf(a), c.name(c.top(c.delivering())), c.byKey(ch))
}

func hiddenToo(ch *ExplainedCharge) string {
	if ch.facts.hidden {
		return " for a run inside it that the log does not show"
	}
	return ""
}

func (c *ExplainedCall) originalOf(ch *ExplainedCharge) string {
	for _, o := range c.Charges {
		for _, l := range o.Lines {
			if ch.facts.copyOf != nil && l.row == *ch.facts.copyOf {
				return fmt.Sprintf("line %d", l.SourceLine)
			}
		}
	}
	return "an earlier line"
}

func (c *ExplainedCall) whyAdjustment(ch *ExplainedCharge) string {
	text := "a " + ch.Kind + " is no usage: it is counted, gross, in the month of its date"
	switch {
	case ch.Kind != "refund" && ch.Kind != "credit":
	case isZeroMoney(ch.facts.applied):
		text += "; it lowers no excess, since what it names has none left in this currency"
	default:
		text += fmt.Sprintf("; %s %s of it give back excess of what it names", ch.Currency, ch.facts.applied)
	}
	return text
}

func (c *ExplainedCall) whyOrphan(ch *ExplainedCharge, a *ExplainedAttempt) string {
	switch ch.Reason {
	case "lead":
		return fmt.Sprintf("%s has no line in the log, only its number is missing between others, and the gap of %s is too short for a timeout: what became of it nobody can tell, so the charge is a lead and no finding",
			c.name(a), c.length(a))
	case "outside_log":
		if ch.facts.fits.spans == 0 {
			return "no line of the log is about its provider and key, so the log cannot explain it and nothing is claimed"
		}
		return fmt.Sprintf("the log covers %s to %s for its provider and key, and the charge lies outside: nothing is claimed", c.clock(ch.facts.fits.logSince), c.clock(ch.facts.fits.logUntil))
	case "other_call":
		return "its request id stands in the log, but it fits no attempt of it: " + c.misfit(ch) + "; it is taken to be another call's"
	}
	known := "this request id"
	if ch.RequestID == "" {
		known = "its receipt (and the bill gives no request id)"
		if ch.Receipt == "" {
			known = "it (the bill gives neither request id nor receipt)"
		}
	}
	return "the log covers its time, and no line of it knows " + known
}

// misfit says which condition of the matching an orphan fails first.
func (c *ExplainedCall) misfit(ch *ExplainedCharge) string {
	f := ch.facts.fits
	switch {
	case f.attempts == 0:
		return "its attempts are another provider's, or lines of another layer"
	case f.model == 0:
		return fmt.Sprintf("it was billed for %s, and the attempts called %s", brief(string(ch.Model)), brief(f.loggedModel))
	case f.input == 0 && f.loggedInput != nil && ch.InputTokens != nil:
		return fmt.Sprintf("it was billed for %d input tokens, and the attempts sent %d; a retry repeats its prompt", *ch.InputTokens, *f.loggedInput)
	case f.key == 0:
		return "it carries another idempotency key than the attempts"
	case f.ran == 0:
		return "the attempts were refused or never connected, and it was billed for output"
	case f.time == 0:
		return fmt.Sprintf("it was stamped %s, and what ran can be stamped from %s to %s", c.clock(&ch.ChargedAt), c.clock(f.opens), c.clock(f.closes))
	case f.vacant == 0:
		return "each attempt that it fits owns a charge already, and none of them had room for a run that the log hides"
	}
	return "another charge fits the free attempt better, and none had room for a run that the log hides"
}

func (c *ExplainedCall) whyNotBillable(ch *ExplainedCharge, a *ExplainedAttempt) string {
	what := "was refused"
	if a != nil && a.Status != nil {
		what = fmt.Sprintf("was refused with status %d", *a.Status)
	}
	if ch.Reason == "never_connected" {
		what = "never connected"
	}
	how := "it lies in the attempt's time, has no output, and no attempt that ran could own it"
	switch ch.Match {
	case "receipt":
		how = "the vendor's own id says that the charge is this attempt's"
	case "attempt":
		how = "request id and attempt number say that the charge is this attempt's"
	}
	return fmt.Sprintf("%s %s, so nothing ran for it; %s", c.name(a), what, how)
}

func (c *ExplainedCall) whyDelivered(ch *ExplainedCharge, a *ExplainedAttempt) string {
	switch ch.Reason {
	case "recovered":
		at := ""
		if t := c.top(a); t != nil && t.RecoveredAt != nil {
			at = " at " + c.clock(t.RecoveredAt)
		}
		return fmt.Sprintf("%s got no answer by itself, but a status query fetched it%s: the run that it paid for delivered the call", c.name(a), at)
	case "stands_in":
		return fmt.Sprintf("%s delivered the call and has no charge of its own; the vendor billed another run of it, and this charge stands in for the answer's", c.name(c.top(c.delivering())))
	case "tail_lost":
		return fmt.Sprintf("the whole answer had arrived (%s output tokens in log and bill, finish reason %s), only the end of the stream was lost: this paid for an answer", number(ch.OutputTokens), brief(string(ch.FinishReason)))
	}
	if t := c.top(a); a != nil && !a.Delivers && t != c.top(c.delivering()) {
		return c.name(t) + " answered as well, with another model or prompt, so it is no copy: this paid for its answer"
	}
	return c.name(c.top(a)) + " delivered the call, and this is its charge (" + matchedBy(ch) + ")"
}

func matchedBy(ch *ExplainedCharge) string {
	switch ch.Match {
	case "receipt":
		return "the vendor's own id stands on both sides"
	case "attempt":
		return "request id and attempt number stand on both sides"
	}
	return "same request id; model, tokens and time fit"
}

func (c *ExplainedCall) whyInner(ch *ExplainedCharge, a *ExplainedAttempt) string {
	top := c.top(a)
	text := fmt.Sprintf("%s ran inside %s, which has another run as its own: its SDK or gateway tried again", c.name(a), c.name(top))
	switch {
	case a != nil && a.refusedLate && ch.Reason == "hidden_retry":
		text = fmt.Sprintf("%s was refused in the end, but lasted %s: what ran in it before was a retry that the log hides", c.name(a), c.length(a))
	case a != nil && a != top && top.refusedLate:
		text = fmt.Sprintf("%s ran inside %s, which was refused in the end and has no run of its own: its SDK or gateway had tried before", c.name(a), c.name(top))
	case ch.Reason == "hidden_retry":
		text = fmt.Sprintf("%s has another charge as its own; this one has the same model and prompt and is stamped within its time, so the SDK inside it tried again unseen", c.name(top))
	}
	if ch.Verdict == "double_retry" {
		return text + fmt.Sprintf("; and the application made %s attempts that ran: two layers of retries multiplied", number(ch.facts.appRan))
	}
	return text + "; the application itself made one attempt"
}

func (c *ExplainedCall) whyPartial(ch *ExplainedCharge, a *ExplainedAttempt) string {
	end := c.gaveUp(a)
	switch ch.Reason {
	case "cancelled":
		return fmt.Sprintf("%s, and the bill says that the run was cancelled: it was billed in part; %s delivered the call", end, c.name(c.top(c.delivering())))
	case "fewer_tokens":
		return fmt.Sprintf("%s, and it was billed for %s output tokens, %s of the %s that the answer has (%d %% or less is in part); %s delivered the call",
			end, number(ch.OutputTokens), percentOf(ch.OutputTokens, ch.facts.deliveredOutput), number(ch.facts.deliveredOutput), ch.facts.partialPct, c.name(c.top(c.delivering())))
	}
	return fmt.Sprintf("%s, and the run was stamped as ended just then: the vendor stopped when the client left, and billed what it had; %s delivered the call",
		end, c.name(c.top(c.delivering())))
}

func (c *ExplainedCall) whyTimeout(ch *ExplainedCharge, a *ExplainedAttempt) string {
	how := "nothing in the bill says that it stopped early"
	if ch.facts.finished {
		how = "the finish reason " + brief(string(ch.FinishReason)) + " says that it ran to its end"
	}
	return fmt.Sprintf("%s, the vendor ran on and billed it, and %s; %s delivered the call", c.gaveUp(a), how, c.name(c.top(c.delivering())))
}

// gaveUp is "attempt 1 timed out after 30 s".
func (c *ExplainedCall) gaveUp(a *ExplainedAttempt) string {
	verb := "timed out"
	switch {
	case a == nil:
	case a.Role == RoleLost:
		return c.name(a) + " has no line in the log (it lasted as long as a timeout)"
	case a.Outcome == "cancelled":
		verb = "was cancelled"
	case a.EndedAt == nil:
		return c.name(a) + " has no end in the log and a later one replaced it, so it counts as timed out"
	}
	if l := c.length(a); l != "" {
		verb += " after " + l
	}
	return c.name(a) + " " + verb
}

func (c *ExplainedCall) length(a *ExplainedAttempt) string {
	if a == nil || a.StartedAt == nil || a.EndedAt == nil {
		return ""
	}
	return Span(a.EndedAt.Sub(*a.StartedAt))
}

// byKey names the key that makes a charge the vendor's to give back.
func (c *ExplainedCall) byKey(ch *ExplainedCharge) string {
	if ch.Recovery != "vendor_dispute" || ch.facts.gapMS == nil {
		return ""
	}
	return fmt.Sprintf(". The vendor says that it honours idempotency keys, and billed the key of this charge again %s apart (charge %s): it can be asked",
		SpanMS(*ch.facts.gapMS), orNoID(ch.facts.twin))
}

func orNoID(s string) string {
	if s == "" {
		return "without an id"
	}
	return brief(s)
}

func outcomeOf(a *ExplainedAttempt) string {
	if a == nil {
		return "in a way that the log does not tell"
	}
	text := strings.ReplaceAll(a.Outcome, "_", " ")
	if a.Status != nil {
		text += fmt.Sprintf(", status %d", *a.Status)
	}
	if a.Reason != "" {
		text += ", " + brief(string(a.Reason))
	}
	return text
}
