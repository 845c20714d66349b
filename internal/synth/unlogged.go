package synth

// otherCall is a call by a component that writes no log, under a request id
// that it was handed: another prompt, billed, and nobody's retry.
func (s *sim) otherCall(request int32, id string, from, to int64) {
	e := s.strange(s.between(from, max(from, to)))
	line := s.chargeLine(e, s.inFull(e))
	reason := "no_log"
	if !s.export(e.model).NoRequestIDs {
		line.RequestID, reason = id, "other_call"
	}
	s.post(line, verdict{name: Orphan, reason: reason})
}

// strange is an execution for somebody outside the log. Its prompt is far
// longer than those of the log, so that it is another prompt beyond doubt.
func (s *sim) strange(at int64) *execution {
	e := &execution{model: s.rng.IntN(len(s.Models)), start: at, status: 200, receipt: s.receipt()}
	e.input = 10*s.InputMedian + s.lognormal(s.InputMedian, s.InputSigma)
	s.drawLatency(e, false)
	return e
}

// addUnloggedTraffic adds charges of traffic that nobody logged, some of it
// under an API key that the log never shows.
func (s *sim) addUnloggedTraffic() {
	for range int(s.Orphans * float64(s.Requests)) {
		e := s.strange(s.between(s.from, s.to-1))
		e.input = s.lognormal(s.InputMedian, s.InputSigma)
		line := s.chargeLine(e, s.inFull(e))
		v := verdict{name: Orphan, reason: "no_log"}
		if s.chance(s.ForeignKey) {
			line.APIKey, v.reason = "batch", "outside_log"
		}
		if !s.export(e.model).NoRequestIDs && s.chance(0.7) {
			line.RequestID = s.requestID()
		}
		s.post(line, v)
	}
}
