package report

import (
	"time"
)

// changes lists what, had it been otherwise, would have changed a verdict. Each follows
// from the conditions of queries/40_verdicts/20_fct_charges.sql with this charge's values;
// what is not certain from them is not said.
func (c *ExplainedCall) changes(ch *ExplainedCharge) []Change {
	l := &changeList{list: []Change{}}
	switch ch.Verdict {
	case "duplicate_line":
		l.add("line_differs", c.t("one field that differs, such as a line item, would have made it a charge of its own"))
	case "orphan":
		c.orphanChanges(l, ch)
	case "not_billable":
		c.refusalChanges(l, ch)
	case "delivered":
		c.deliveredChanges(l, ch)
	case "hedged":
		c.raceChanges(l, ch)
	case "undelivered":
		l.add("delivery", c.t("an answer of any attempt of this call, or a status query that fetched one, would have made it excess, or the charge of the answer"))
	case "double_retry":
		c.innerChanges(l, ch)
		l.add("one_application_attempt", c.t("had the application made one attempt, it would have been sdk_retry"))
	case "sdk_retry":
		c.innerChanges(l, ch)
		l.add("application_retry", c.t("had the application tried again as well, it would have been double_retry"))
	case "partial_tokens":
		c.partialChanges(l, ch)
	case "timeout_retry":
		c.timeoutChanges(l, ch)
	case "server_error_retry":
		l.add("timeout_status", c.t("had the log called the attempt a timeout (outcome timeout, or status 408, 499 or 504), it would have been %s", c.asTimeout(ch)))
	}
	c.keyChanges(l, ch)
	c.edgeChanges(l, ch)
	return l.list
}

type changeList struct{ list []Change }

func (l *changeList) add(code, text string) { l.list = append(l.list, Change{code, text}) }

// asTimeout is the verdict that a failed attempt's charge would have had after a timeout.
func (c *ExplainedCall) asTimeout(ch *ExplainedCharge) string {
	f := ch.facts
	if !f.finished && (f.cancelled || f.cutShort || (f.fewTokens != nil && *f.fewTokens)) {
		return "partial_tokens"
	}
	return "timeout_retry"
}

func (c *ExplainedCall) orphanChanges(l *changeList, ch *ExplainedCharge) {
	f := ch.facts.fits
	switch ch.Reason {
	case "lead":
		if !ch.lostLine() {
			l.add("shared_id", c.t("with a request id or a receipt that stands on both sides it would be certain"))
			return
		}
		l.add("own_line", c.t("with a log line of its own for %s it would have a verdict", c.name(c.attempt(ch.exec))))
		return
	case "outside_log":
		switch {
		case f.spans == 0:
			l.add("log_of_provider", c.t("a log of the service that uses this provider and key would cover it"))
		case f.logSince != nil && ch.ChargedAt.Before(*f.logSince):
			l.add("log_begins_earlier", c.t("a log that begins by %s would cover it", c.clock(&ch.ChargedAt)))
		default:
			l.add("log_reaches_further", c.t("a log that reaches to %s would cover it", c.clock(&ch.ChargedAt)))
		}
		return
	case "other_call":
		switch {
		case f.attempts == 0:
		case f.model == 0:
			l.add("same_model", c.t("if %s and %s are one model under two names, a line under models: in retrytax.yaml says so, and they would meet", brief(string(ch.Model)), brief(f.loggedModel)))
		case f.input > 0 && f.ran > 0 && f.key > 0 && f.time == 0:
			l.add("in_the_window", c.t("stamped from %s to %s it could have been an attempt's of this id", c.clock(f.opens), c.clock(f.closes)))
		}
	}
	if ch.RequestID == "" && ch.Receipt == "" {
		l.add("shared_id", c.t("with a request id or a receipt in the bill it could be matched for certain"))
	}
	l.add("own_line", c.t("with a log line of its own it would not be an orphan"))
}

func (c *ExplainedCall) refusalChanges(l *changeList, ch *ExplainedCharge) {
	a := c.attempt(ch.exec)
	if a == nil {
		return
	}
	if ch.Reason == "refused" && a.Status != nil && !a.refusedLate {
		l.add("billed_status", c.t("had the vendor's profile listed %d under billed_statuses, the attempt would count as one that ran", *a.Status))
	}
	if ch.Reason == "never_connected" {
		l.add("connected", c.t("had the log said that the attempt came further than stage connect, it would count as one that ran"))
	}
	if a.refusedLate && ch.OutputTokens != nil && *ch.OutputTokens == 0 {
		l.add("output", c.t("with output tokens it would have been the charge of a run that the refused attempt hid"))
	}
}

func (c *ExplainedCall) deliveredChanges(l *changeList, ch *ExplainedCharge) {
	a := c.attempt(ch.exec)
	switch ch.Reason {
	case "stands_in":
		l.add("charge_of_the_answer", c.t("had the answer a charge of its own, this one would have been excess, or the answer's"))
	case "recovered":
		l.add("no_query", c.t("without the status query that fetched the answer it would not have been delivered"))
	case "tail_lost":
		l.add("fewer_tokens", c.t("with other output tokens in log and bill, or without a finish reason of completion, the answer would not count as complete"))
	default:
		if d := c.delivering(); a != nil && d != nil && c.top(a) != c.top(d) {
			l.add("same_prompt", c.t("had it had the same model and prompt as %s, and overlapped it, it would have been hedged", c.name(c.top(d))))
		}
	}
}

func (c *ExplainedCall) raceChanges(l *changeList, ch *ExplainedCharge) {
	a, d := c.top(c.attempt(ch.exec)), c.top(c.delivering())
	if a == nil || d == nil {
		return
	}
	if a.Outcome == "success" {
		l.add("other_model", c.t("had the two called different models, both answers would count as delivered"))
		if d.EndedAt != nil && d.Role == RoleAttempt {
			l.add("no_overlap", c.t("had %s begun after %s ended (%s), it would have been a call of its own", c.name(a), c.name(d), c.clock(d.EndedAt)))
		}
		return
	}
	l.add("not_cancelled", c.t("had %s ended first with an answer, its charge would have been the delivered one", c.name(a)))
}

func (c *ExplainedCall) innerChanges(l *changeList, ch *ExplainedCharge) {
	if f := ch.facts; f.hidden && f.orders && f.opens != nil && f.closes != nil {
		top := c.top(c.attempt(ch.exec))
		l.add("outside_the_attempt", c.t("stamped outside the time of %s (before %s, or long after its end) it would have been an orphan, unless another attempt explains it",
			c.name(top), c.clock(f.opens)))
	}
}

// partialChanges: each condition alone is enough, so only a completion changes all of them.
func (c *ExplainedCall) partialChanges(l *changeList, ch *ExplainedCharge) {
	f := ch.facts
	few := f.fewTokens != nil && *f.fewTokens
	l.add("finish_reason", c.t("a finish reason of completion (stop, length …) would have told that it was billed in full: timeout_retry"))
	switch {
	case few && !f.cancelled && !f.cutShort && f.deliveredOutput != nil:
		limit := f.partialPct * *f.deliveredOutput / 100
		l.add("more_output", c.t("more than %d output tokens (%d %% of the %d of the answer; now %s) would have made it timeout_retry", limit, f.partialPct, *f.deliveredOutput, c.percentOf(ch.OutputTokens, f.deliveredOutput)))
	case f.cancelled && !few && !f.cutShort:
		l.add("not_cancelled", c.t("had the bill not said cancelled, it would have been timeout_retry"))
	case f.cutShort && !few && !f.cancelled:
		l.add("ran_on", c.t("had its stamp lain later than the moment at which the client left, it would have been timeout_retry"))
	}
}

func (c *ExplainedCall) timeoutChanges(l *changeList, ch *ExplainedCharge) {
	f := ch.facts
	few := f.fewTokens != nil && *f.fewTokens
	if f.finished {
		if few || f.cancelled || f.cutShort {
			l.add("finish_reason", c.t("without the finish reason %s it would have been partial_tokens: it stopped early by what else the bill says", brief(string(ch.FinishReason))))
		}
		return
	}
	switch {
	case ch.OutputTokens == nil:
		l.add("output", c.t("had the bill told its output tokens, a run that was cut short could be told from one in full"))
	case f.deliveredOutput == nil:
		l.add("delivered_output", c.t("had log or bill told the answer's output tokens, a run that was cut short could be told from one in full"))
	case f.fewTokens != nil:
		l.add("less_output", c.t("output of at most %d tokens (%d %% of the %d of the answer; now %d, %s) would have made it partial_tokens",
			f.partialPct**f.deliveredOutput/100, f.partialPct, *f.deliveredOutput, *ch.OutputTokens, c.percentOf(ch.OutputTokens, f.deliveredOutput)))
	}
	if ch.FinishReason == "" {
		l.add("finish_reason", c.t("a finish reason in the bill would tell in full from in part for certain"))
	}
}

// keyChanges says what is missing for asking the vendor.
func (c *ExplainedCall) keyChanges(l *changeList, ch *ExplainedCharge) {
	f := ch.facts
	excess := ch.Verdict != "orphan" && ch.Verdict != "delivered" && ch.Verdict != "adjustment" && ch.Verdict != ""
	if !excess || ch.Recovery != "own_policy" {
		return
	}
	switch {
	case f.key == "":
		l.add("key", c.t("had all attempts sent one idempotency key to a vendor that honours it, the vendor could be asked: neither log nor bill shows a key"))
	case f.gapMS == nil:
		l.add("same_key", c.t("no other charge carries its idempotency key; with one key for all attempts and a vendor that honours it, the vendor could be asked"))
	case f.idempotency != "honoured" && f.keyLifetimeMS != nil && *f.gapMS <= *f.keyLifetimeMS:
		l.add("honoured", c.t("had the vendor's profile said idempotency: honoured (it says %s), the vendor could be asked: charge %s carries the same key, %s apart", f.idempotency, c.orNoID(f.twin), c.span(*f.gapMS)))
	case f.idempotency == "honoured" && f.keyLifetimeMS != nil:
		l.add("key_lifetime", c.t("had the key lived for %s (its lifetime is %s), the vendor could be asked", c.span(*f.gapMS), c.span(*f.keyLifetimeMS)))
	}
}

func (c *ExplainedCall) edgeChanges(l *changeList, ch *ExplainedCharge) {
	if ch.Settled || ch.Verdict == "" {
		return
	}
	if t := ch.facts.settlesAt; t != nil {
		l.add("bill_reaches_further", c.t("once the bill holds a charge stamped %s or later, the edge is past it", c.clock(t)))
	}
	switch {
	case ch.facts.endless:
		l.add("end", c.t("a log line with the end of the attempt that has none would settle it"))
	case c.State == "unknown" && !ch.facts.doubtful:
		l.add("next_line", c.t("a log that shows the next attempt, or a last one that is final, would settle it"))
	}
	if ch.facts.doubtful {
		l.add("told_apart", c.t("receipts, or input tokens on every line, would tell which retry belongs to which call"))
	}
}

// whyUnsettled says what keeps a charge from being settled; each holds by itself.
func (c *ExplainedCall) whyUnsettled(ch *ExplainedCharge) []string {
	out := []string{}
	if ch.Settled || ch.Verdict == "" {
		return out
	}
	f := ch.facts
	if f.settlesAt != nil && f.newest != nil {
		out = append(out, c.t("an attempt of the call began too near the end of the bill, whose newest charge is stamped %s", c.clock(f.newest)))
	}
	if f.endless {
		out = append(out, c.t("an attempt of the call has no end in the log"))
	}
	switch c.State {
	case "unknown", "submitted", "running":
		out = append(out, c.t("the call is %s: after its last line another attempt may follow", c.lang.Of(string(c.State))))
	}
	if f.doubtful {
		out = append(out, c.t("several calls under this id were tried again at once, and nothing tells which retry is whose"))
	}
	return out
}

// clock is a time of day to the millisecond, with the date where it is not the call's first day.
func (c *ExplainedCall) clock(t *time.Time) string {
	if t == nil {
		return c.t("an unknown time")
	}
	if t.Format(time.DateOnly) != c.FirstAt.Format(time.DateOnly) {
		return t.Format("2006-01-02 15:04:05.000")
	}
	return t.Format("15:04:05.000")
}
