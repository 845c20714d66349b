package synth

// writeAttempt logs an application attempt, and its tries if a layer inside
// the application writes lines as well.
func (s *sim) writeAttempt(c *call, a *attempt) {
	line := AttemptLine{
		RequestID: c.requestID, Attempt: s.shown(a.number), MaxAttempts: int32(s.MaxAttempts), Layer: "app", Kind: "call",
		StartedAt: a.start, EndedAt: a.end, ElapsedMS: Unknown, Stage: a.stage, Outcome: a.outcome, Reason: a.reason,
		HTTPStatus: int32(a.status), RetryAfterMS: Unknown, InputTokens: Unknown, CachedTokens: Unknown,
		OutputTokens: Unknown, Streamed: a.stream, APIKey: s.APIKey, call: c.index, number: int32(a.number), try: int32(a.number),
		status: c.lastStatus(a), shows: c.answered() == a && !c.recovered,
	}
	if a.end != 0 {
		line.ElapsedMS = a.end - a.start
	}
	if a.retryAfter > 0 {
		line.RetryAfterMS = int32(a.retryAfter)
	}
	s.nameModel(&line, c, a.model)
	if len(a.tries) > 0 {
		last := a.tries[len(a.tries)-1]
		s.showAnswer(&line, last, a.end)
	}
	s.showInput(&line, c, a.model)
	if s.OnlyTimeouts && line.Outcome != "success" && line.Outcome != "timeout" {
		return
	}
	s.log = append(s.log, line)
	s.calls[c.index].lines++
	if s.Layer != "" {
		s.writeTries(c, a, line)
	}
}

// shown is an attempt's number as the log writes it, Unknown if it writes none.
func (s *sim) shown(number int) int32 {
	switch {
	case s.NoNumbers:
		return Unknown
	case s.FromZero:
		return int32(number)
	}
	return int32(number + 1)
}

// lastStatus is the last status of an attempt before a that was no success, 0 if none had
// one.
func (c *call) lastStatus(a *attempt) int32 {
	last := 0
	for _, earlier := range c.attempts[:a.number] {
		if earlier.status != 0 && earlier.status != 200 {
			last = earlier.status
		}
	}
	return int32(last)
}

func (s *sim) nameModel(line *AttemptLine, c *call, model int) {
	line.Provider, line.Model = s.Providers[s.vendor[model]].Name, s.Models[model].Name
	if c.key != "" {
		line.IdempotencyKey = c.keyFor(s, model)
	}
}

// showAnswer logs what came with an answer: the receipt from its header, and
// the usage from its end. A stream that broke shows the tokens that arrived; one
// that timed out before its header shows nothing.
func (s *sim) showAnswer(line *AttemptLine, e *execution, end int64) {
	answered := e.left == 0 && end >= e.answer && line.HTTPStatus != 0
	streaming := line.Stage == "stream"
	if s.Receipts && (answered || streaming) {
		line.VendorRequestID = e.receipt
	}
	if s.Tokens == NoTokens || e.status != 200 {
		return
	}
	switch {
	case answered:
		line.InputTokens, line.CachedTokens, line.OutputTokens = int32(e.input), int32(e.cached), int32(e.output)
	case streaming:
		line.OutputTokens = int32(min(e.output, e.made(end)))
	}
}

// showInput logs the prompt's size where the application counts it itself.
func (s *sim) showInput(line *AttemptLine, c *call, model int) {
	if s.Tokens == InputAlways && line.InputTokens == Unknown && line.Stage != "connect" {
		line.InputTokens = int32(c.input(s, model))
	}
}

// writeTries logs each execution inside an application attempt as a line of the
// inner layer. A gateway notices a little later that its client has left.
func (s *sim) writeTries(c *call, a *attempt, outer AttemptLine) {
	for i, e := range a.tries {
		line := outer
		line.Layer, line.MaxAttempts, line.Attempt, line.try = s.Layer, int32(s.SDKRetries+1), s.shown(i), int32(i)
		line.StartedAt = e.start
		line.VendorRequestID, line.InputTokens, line.CachedTokens, line.OutputTokens = "", Unknown, Unknown, Unknown
		if !a.tail && (a.end == 0 || e.over() != a.end) {
			s.showTry(&line, a, e)
		}
		if s.Layer == "gateway" && e.left != 0 && line.EndedAt != 0 {
			line.EndedAt += s.between(1, 50)
		}
		if line.EndedAt != 0 {
			line.ElapsedMS = line.EndedAt - line.StartedAt
		}
		s.showAnswer(&line, e, line.EndedAt)
		s.showInput(&line, c, a.model)
		s.log = append(s.log, line)
		s.calls[c.index].lines++
	}
}

// showTry is how a try ended that did not end its attempt.
func (s *sim) showTry(line *AttemptLine, a *attempt, e *execution) {
	last := e == a.tries[len(a.tries)-1]
	switch {
	case a.end == 0 && last:
		return // the process died with it
	case e.left != 0:
		line.Stage, line.Outcome, line.Reason = waitStage(a, e, e.left), "timeout", "ReadTimeout"
		line.HTTPStatus = 0
	case e.status == 504:
		line.Stage, line.Outcome, line.Reason, line.HTTPStatus = "read", "timeout", "GatewayTimeout", 504
	default:
		line.Stage, line.Outcome, line.Reason = "done", "server_error", "InternalServerError"
		line.HTTPStatus = int32(e.status)
	}
	line.EndedAt, line.RetryAfterMS = e.over(), Unknown
}
