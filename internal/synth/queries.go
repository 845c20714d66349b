package synth

// query is a look at the state of an attempt that had timed out.
type query struct {
	of         *attempt
	start, end int64
	outcome    string
	reason     string
	status     int
}

// askEvery is the pause between two looks, in ms.
const askEvery = 2000

// askFirst lets the application ask for the state of an attempt that timed out before it
// sends another one, every two seconds. What has ended by then is fetched, and answers the
// call. It returns when the application goes on. Only an attempt with one execution can be
// asked about: the SDK has told nobody of the others.
func (s *sim) askFirst(c *call, a *attempt) int64 {
	if a.outcome != "timeout" || a.tail || len(a.tries) != 1 || a.tries[0].status != 200 || !s.chance(s.AsksFirst) {
		return a.end
	}
	e := a.tries[0]
	e.asked, e.never = true, s.chance(s.NeverStarted)
	deadline := a.end + s.AskWait.Milliseconds()
	if e.never {
		c.queries = append(c.queries, s.look(a, a.end, "client_error", "NotFound", 404))
		return c.queries[len(c.queries)-1].end
	}
	at := a.end
	for at < e.end && at < deadline {
		at += askEvery
	}
	if at < e.end {
		c.queries = append(c.queries, s.look(a, at, "unknown", "StillRunning", 202))
		return c.queries[len(c.queries)-1].end
	}
	found := s.look(a, at, "success", "", 200)
	c.queries = append(c.queries, found)
	a.answer, c.winner, c.recovered = e, a, true
	return found.end
}

func (s *sim) look(a *attempt, at int64, outcome, reason string, status int) query {
	start := at + s.between(5, 30)
	return query{a, start, start + s.between(30, 120), outcome, reason, status}
}

// writeQuery logs a look. It executes nothing, so it shows no tokens.
func (s *sim) writeQuery(c *call, q query) {
	line := AttemptLine{
		RequestID: c.requestID, Attempt: s.shown(q.of.number), MaxAttempts: int32(s.MaxAttempts), Layer: "app", Kind: "query",
		StartedAt: q.start, EndedAt: q.end, ElapsedMS: q.end - q.start, Stage: "done", Outcome: q.outcome, Reason: q.reason,
		HTTPStatus: int32(q.status), RetryAfterMS: Unknown, InputTokens: Unknown, CachedTokens: Unknown, OutputTokens: Unknown,
		APIKey: s.APIKey, call: c.index, number: int32(q.of.number), try: int32(q.of.number), shows: q.outcome == "success",
	}
	s.nameModel(&line, c, q.of.model)
	s.log = append(s.log, line)
	s.calls[c.index].lines++
}
