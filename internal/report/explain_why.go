package report

import (
	"slices"
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
		return c.t("an attempt")
	}
	n := c.t("attempt")
	if a.Layer != "app" {
		n = c.t("%s attempt", a.Layer)
	}
	if a.Number == nil {
		return c.t("the %s that began at %s", n, c.clock(a.StartedAt))
	}
	return c.t("%s %d", n, *a.Number)
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
		return c.t("no verdict is kept of this charge: it came after the last retrytax reconcile, or the kept audit was narrowed to a period or a scope and the charge lies outside of it")
	case "adjustment":
		return c.whyAdjustment(ch)
	case "duplicate_line":
		return c.t("every field equals those of %s in the same file: the bill holds one line twice, and nothing ran twice", c.originalOf(ch))
	case "orphan":
		return c.whyOrphan(ch, a)
	case "not_billable":
		return c.whyNotBillable(ch, a)
	case "delivered":
		return c.whyDelivered(ch, a)
	case "hedged":
		return c.t("%s ran beside %s with the same prompt, and the other one ended first: this paid for the copy that lost the race%s",
			c.name(c.top(a)), c.name(c.top(c.delivering())), c.byKey(ch))
	case "undelivered":
		return c.t("%s ran and was billed%s, but nothing delivered this call", c.name(a), c.hiddenToo(ch)) + c.byKey(ch)
	case "double_retry", "sdk_retry":
		return c.whyInner(ch, a) + c.byKey(ch)
	case "partial_tokens":
		return c.whyPartial(ch, a) + c.byKey(ch)
	case "timeout_retry":
		return c.whyTimeout(ch, a) + c.byKey(ch)
	}
	return c.t("%s failed (%s) and was billed all the same; %s delivered the call%s",
		c.name(a), c.outcomeOf(a), c.name(c.top(c.delivering())), c.byKey(ch))
}

func (c *ExplainedCall) hiddenToo(ch *ExplainedCharge) string {
	if ch.facts.hidden {
		return c.t(" for a run inside it that the log does not show")
	}
	return ""
}

func (c *ExplainedCall) originalOf(ch *ExplainedCharge) string {
	for _, o := range c.Charges {
		for _, l := range o.Lines {
			if ch.facts.copyOf != nil && l.row == *ch.facts.copyOf {
				return c.t("line %d", l.SourceLine)
			}
		}
	}
	return c.t("an earlier line")
}

func (c *ExplainedCall) whyAdjustment(ch *ExplainedCharge) string {
	text := c.t("a %s is no usage: it is counted, gross, in the month of its date", c.lang.Of(ch.Kind))
	switch {
	case ch.Kind != "refund" && ch.Kind != "credit":
	case isZeroMoney(ch.facts.applied):
		text += c.t("; it lowers no excess, since what it names has none left in this currency")
	default:
		text += c.t("; %s %s of it give back excess of what it names", ch.Currency, ch.facts.applied)
	}
	return text
}

func (c *ExplainedCall) whyOrphan(ch *ExplainedCharge, a *ExplainedAttempt) string {
	switch ch.Reason {
	case "lead":
		if !ch.lostLine() {
			return c.t("%s may explain it (model, tokens and time fit), but not surely enough: others fit as well, or the bill holds much that no log tells; so the charge is a lead and no finding", c.name(a))
		}
		return c.t("%s has no line in the log, only its number is missing between others, and the gap of %s is too short for a timeout: what became of it nobody can tell, so the charge is a lead and no finding",
			c.name(a), c.length(a))
	case "outside_log":
		if ch.facts.fits.spans == 0 {
			return c.t("no line of the log is about its provider and key, so the log cannot explain it and nothing is claimed")
		}
		return c.t("the log covers %s to %s for its provider and key, and the charge lies outside: nothing is claimed", c.clock(ch.facts.fits.logSince), c.clock(ch.facts.fits.logUntil))
	case "other_call":
		return c.t("its request id stands in the log, but it fits no attempt of it: %s; it is taken to be another call's", c.misfit(ch))
	}
	known := c.t("this request id")
	if ch.RequestID == "" {
		known = c.t("its receipt (and the bill gives no request id)")
		if ch.Receipt == "" {
			known = c.t("it (the bill gives neither request id nor receipt)")
		}
	}
	return c.t("the log covers its time, and no line of it knows %s", known)
}

// lostLine tells a lead because of a line that the log lost from one by tokens.
func (ch *ExplainedCharge) lostLine() bool { return slices.Contains(ch.Leads, "lost_line") }

// misfit says which condition of the matching an orphan fails first.
func (c *ExplainedCall) misfit(ch *ExplainedCharge) string {
	f := ch.facts.fits
	switch {
	case f.attempts == 0:
		return c.t("its attempts are another provider's, or lines of another layer")
	case f.model == 0:
		return c.t("it was billed for %s, and the attempts called %s", brief(string(ch.Model)), brief(f.loggedModel))
	case f.input == 0 && f.loggedInput != nil && ch.InputTokens != nil:
		return c.t("it was billed for %d input tokens, and the attempts sent %d; a retry repeats its prompt", *ch.InputTokens, *f.loggedInput)
	case f.key == 0:
		return c.t("it carries another idempotency key than the attempts")
	case f.ran == 0:
		return c.t("the attempts were refused or never connected, and it was billed for output")
	case f.time == 0:
		return c.t("it was stamped %s, and what ran can be stamped from %s to %s", c.clock(&ch.ChargedAt), c.clock(f.opens), c.clock(f.closes))
	case f.vacant == 0:
		return c.t("each attempt that it fits owns a charge already, and none of them had room for a run that the log hides")
	}
	return c.t("another charge fits the free attempt better, and none had room for a run that the log hides")
}

func (c *ExplainedCall) whyNotBillable(ch *ExplainedCharge, a *ExplainedAttempt) string {
	what := c.t("was refused")
	if a != nil && a.Status != nil {
		what = c.t("was refused with status %d", *a.Status)
	}
	if ch.Reason == "never_connected" {
		what = c.t("never connected")
	}
	how := c.t("it lies in the attempt's time, has no output, and no attempt that ran could own it")
	switch ch.Match {
	case "receipt":
		how = c.t("the vendor's own id says that the charge is this attempt's")
	case "attempt":
		how = c.t("request id and attempt number say that the charge is this attempt's")
	}
	return c.t("%s %s, so nothing ran for it; %s", c.name(a), what, how)
}

func (c *ExplainedCall) whyDelivered(ch *ExplainedCharge, a *ExplainedAttempt) string {
	switch ch.Reason {
	case "recovered":
		at := ""
		if t := c.top(a); t != nil && t.RecoveredAt != nil {
			at = c.t(" at %s", c.clock(t.RecoveredAt))
		}
		return c.t("%s got no answer by itself, but a status query fetched it%s: the run that it paid for delivered the call", c.name(a), at)
	case "stands_in":
		return c.t("%s delivered the call and has no charge of its own; the vendor billed another run of it, and this charge stands in for the answer's", c.name(c.top(c.delivering())))
	case "tail_lost":
		return c.t("the whole answer had arrived (%s output tokens in log and bill, finish reason %s), only the end of the stream was lost: this paid for an answer", c.number(ch.OutputTokens), brief(string(ch.FinishReason)))
	}
	if t := c.top(a); a != nil && !a.Delivers && t != c.top(c.delivering()) {
		return c.t("%s answered as well, with another model or prompt, so it is no copy: this paid for its answer", c.name(t))
	}
	return c.t("%s delivered the call, and this is its charge (%s)", c.name(c.top(a)), c.matchedBy(ch))
}

func (c *ExplainedCall) matchedBy(ch *ExplainedCharge) string {
	switch ch.Match {
	case "receipt":
		return c.t("the vendor's own id stands on both sides")
	case "attempt":
		return c.t("request id and attempt number stand on both sides")
	case "tokens":
		return c.t("no id is shared; model, tokens and time fit")
	}
	return c.t("same request id; model, tokens and time fit")
}

func (c *ExplainedCall) whyInner(ch *ExplainedCharge, a *ExplainedAttempt) string {
	top := c.top(a)
	text := c.t("%s ran inside %s, which has another run as its own: its SDK or gateway tried again", c.name(a), c.name(top))
	switch {
	case a != nil && a.refusedLate && ch.Reason == "hidden_retry":
		text = c.t("%s was refused in the end, but lasted %s: what ran in it before was a retry that the log hides", c.name(a), c.length(a))
	case a != nil && a != top && top.refusedLate:
		text = c.t("%s ran inside %s, which was refused in the end and has no run of its own: its SDK or gateway had tried before", c.name(a), c.name(top))
	case ch.Reason == "hidden_retry":
		text = c.t("%s has another charge as its own; this one has the same model and prompt and is stamped within its time, so the SDK inside it tried again unseen", c.name(top))
	}
	if ch.Verdict == "double_retry" {
		return text + c.t("; and the application made %s attempts that ran: two layers of retries multiplied", c.number(ch.facts.appRan))
	}
	return text + c.t("; the application itself made one attempt")
}

func (c *ExplainedCall) whyPartial(ch *ExplainedCharge, a *ExplainedAttempt) string {
	end := c.gaveUp(a)
	switch ch.Reason {
	case "cancelled":
		return c.t("%s, and the bill says that the run was cancelled: it was billed in part; %s delivered the call", end, c.name(c.top(c.delivering())))
	case "fewer_tokens":
		return c.t("%s, and it was billed for %s output tokens, %s of the %s that the answer has (%d %% or less is in part); %s delivered the call",
			end, c.number(ch.OutputTokens), c.percentOf(ch.OutputTokens, ch.facts.deliveredOutput), c.number(ch.facts.deliveredOutput), ch.facts.partialPct, c.name(c.top(c.delivering())))
	}
	return c.t("%s, and the run was stamped as ended just then: the vendor stopped when the client left, and billed what it had; %s delivered the call",
		end, c.name(c.top(c.delivering())))
}

func (c *ExplainedCall) whyTimeout(ch *ExplainedCharge, a *ExplainedAttempt) string {
	how := c.t("nothing in the bill says that it stopped early")
	if ch.facts.finished {
		how = c.t("the finish reason %s says that it ran to its end", brief(string(ch.FinishReason)))
	}
	return c.t("%s, the vendor ran on and billed it, and %s; %s delivered the call", c.gaveUp(a), how, c.name(c.top(c.delivering())))
}

// gaveUp is "attempt 1 timed out after 30 s".
func (c *ExplainedCall) gaveUp(a *ExplainedAttempt) string {
	l := c.length(a)
	switch {
	case a == nil:
		return c.t("%s timed out", c.name(a))
	case a.Role == RoleLost:
		return c.t("%s has no line in the log (it lasted as long as a timeout)", c.name(a))
	case a.Outcome == "cancelled" && l != "":
		return c.t("%s was cancelled after %s", c.name(a), l)
	case a.Outcome == "cancelled":
		return c.t("%s was cancelled", c.name(a))
	case a.EndedAt == nil:
		return c.t("%s has no end in the log and a later one replaced it, so it counts as timed out", c.name(a))
	case l != "":
		return c.t("%s timed out after %s", c.name(a), l)
	}
	return c.t("%s timed out", c.name(a))
}

func (c *ExplainedCall) length(a *ExplainedAttempt) string {
	if a == nil || a.StartedAt == nil || a.EndedAt == nil {
		return ""
	}
	return c.span(a.EndedAt.Sub(*a.StartedAt).Milliseconds())
}

// byKey names the key that makes a charge the vendor's to give back.
func (c *ExplainedCall) byKey(ch *ExplainedCharge) string {
	if ch.Recovery != "vendor_dispute" || ch.facts.gapMS == nil {
		return ""
	}
	return c.t(". The vendor says that it honours idempotency keys, and billed the key of this charge again %s apart (charge %s): it can be asked",
		c.span(*ch.facts.gapMS), c.orNoID(ch.facts.twin))
}

func (c *ExplainedCall) orNoID(s string) string {
	if s == "" {
		return c.t("without an id")
	}
	return brief(s)
}

func (c *ExplainedCall) outcomeOf(a *ExplainedAttempt) string {
	if a == nil {
		return c.t("in a way that the log does not tell")
	}
	text := strings.ReplaceAll(a.Outcome, "_", " ")
	if a.Status != nil {
		text += c.t(", status %d", *a.Status)
	}
	if a.Reason != "" {
		text += ", " + brief(string(a.Reason))
	}
	return text
}
