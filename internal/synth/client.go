package synth

// attempt is one try of the application at a call, with the SDK's tries in it.
type attempt struct {
	number     int // from 0
	model      int
	start, end int64 // end 0: the process died, the log shows none
	outcome    string
	stage      string
	reason     string
	status     int
	retryAfter int64 // ms
	stream     bool
	tries      []*execution
	answer     *execution // whose answer the attempt returned
	lostTo     *attempt   // the attempt that ended first, if this one lost a race
	tail       bool       // it had everything but the end of its stream
}

// finish ends an attempt with the outcome given.
func (a *attempt) finish(at int64, outcome, stage, reason string) {
	a.end, a.outcome, a.stage, a.reason = at, outcome, stage, reason
}

// ran tells whether the attempt can have been executed: it reached the server
// and was not merely refused.
func (a *attempt) ran() bool {
	for _, e := range a.tries {
		if !e.refused() {
			return true
		}
	}
	return false
}

// refused tells whether the attempt ended with a refusal.
func (a *attempt) refused() bool {
	return a.outcome == "rate_limited" || a.outcome == "client_error"
}

// tryOnce runs one application attempt, SDK tries included.
func (s *sim) tryOnce(c *call, number, model int, at int64, healthy bool) *attempt {
	a := &attempt{number: number, model: model, start: at, stream: c.stream}
	if !healthy && s.chance(s.ConnectFails) {
		a.finish(at+s.ConnectTimeout.Milliseconds(), "timeout", "connect", "ConnectTimeout")
		return a
	}
	deadline := at + s.Timeout.Milliseconds()
	if s.Layer != "" {
		at += s.between(1, 8)
	}
	for left := s.SDKRetries; ; left-- {
		e := s.execute(c, model, at, healthy)
		a.tries = append(a.tries, e)
		ended := s.await(a, e, deadline)
		if left == 0 || ended >= deadline || !sdkRetries(a) {
			return a
		}
		at = ended + s.between(400, 1100)<<min(s.SDKRetries-left, 3)
		if at >= deadline {
			s.timeOut(a, e, deadline)
			return a
		}
		*a = attempt{number: number, model: model, start: a.start, stream: a.stream, tries: a.tries}
	}
}

// sdkRetries tells whether the SDK tries again by itself. Rate limits go to the
// application, which knows its budget.
func sdkRetries(a *attempt) bool { return a.outcome == "timeout" || a.outcome == "server_error" }

// await lets the client wait for an execution, and ends the attempt as that try
// ended. It returns when that was.
func (s *sim) await(a *attempt, e *execution, deadline int64) int64 {
	limit := deadline
	if s.SDKRetries > 0 {
		limit = min(limit, e.start+s.SDKTimeout.Milliseconds())
	}
	if e.answer > limit {
		e.leave(limit)
		s.timeOut(a, e, limit)
		return limit
	}
	a.status = e.status
	switch {
	case e.status == 200:
		a.answer = e
		a.finish(e.answer, "success", "done", "")
	case e.status == 429:
		a.finish(e.answer, "rate_limited", "done", "RateLimitError")
		if s.chance(0.5) {
			a.retryAfter = 1000 * s.between(1, 5)
		}
	case e.refused():
		a.finish(e.answer, "client_error", "done", refusalReason(e.status))
	case e.status == 504:
		a.finish(e.answer, "timeout", "read", "GatewayTimeout")
	default:
		a.finish(e.answer, "server_error", "done", "InternalServerError")
	}
	return e.answer
}

func refusalReason(status int) string {
	for _, r := range finalRefusals {
		if r.status == status {
			return r.reason
		}
	}
	return ""
}

// timeOut ends an attempt without an answer.
func (s *sim) timeOut(a *attempt, last *execution, at int64) {
	a.status = 0
	a.finish(at, "timeout", waitStage(a, last, at), "ReadTimeout")
}

// waitStage is how far an answer had come: a stream shows whether it had begun.
func waitStage(a *attempt, last *execution, at int64) string {
	switch {
	case !a.stream:
		return "read"
	case last.first < at && last.status == 200:
		return "stream"
	}
	return "first_byte"
}

// abandon ends an attempt from outside: the tries that had not begun never do,
// and the running one is left. It applies only before the attempt's own end.
func (s *sim) abandon(a *attempt, at int64, outcome, reason string) {
	begun := a.tries[:0]
	for _, e := range a.tries {
		if e.start < at {
			e.leave(at)
			begun = append(begun, e)
		}
	}
	a.tries = begun
	a.answer, a.status, a.retryAfter = nil, 0, 0
	stage := "connect"
	if len(begun) > 0 {
		stage = waitStage(a, begun[len(begun)-1], at)
	}
	a.finish(at, outcome, stage, reason)
}
