package synth

// Rates are the parameters of the cost model, counted singly in the truth: what a measurement
// in the log and the bill should find.
type Rates struct {
	Calls         int // with an attempt that was not refused
	FirstTimeouts int // of these, whose first such attempt timed out
	Timeouts      int // attempts that timed out, or died without an end
	Started       int // of these, with an execution that was billed
	// Abandoned is what executions of abandoned attempts cost beside the answer of their call by
	// the same model, Twins what these answers cost.
	Abandoned, Twins Money
}

// Add adds what was counted elsewhere.
func (r *Rates) Add(o Rates) {
	r.Calls, r.FirstTimeouts, r.Timeouts, r.Started = r.Calls+o.Calls, r.FirstTimeouts+o.FirstTimeouts, r.Timeouts+o.Timeouts, r.Started+o.Started
	r.Abandoned, r.Twins = r.Abandoned+o.Abandoned, r.Twins+o.Twins
}

// timedOut tells whether an attempt got no answer in time; one whose process died counts.
func (a *attempt) timedOut() bool { return a.outcome == "timeout" || a.end == 0 }

// countRates counts a call that is over.
func (s *sim) countRates(c *call) {
	first := true
	for _, a := range c.attempts {
		if !a.ran() && !a.timedOut() {
			continue
		}
		if first {
			s.rates.Calls++
			s.rates.FirstTimeouts += count(a.timedOut())
			first = false
		}
		if !a.timedOut() {
			continue
		}
		s.rates.Timeouts++
		for _, e := range a.tries {
			if e.charge != nil {
				s.rates.Started++
				break
			}
		}
	}
}

// countAbandoned counts a billed execution that was judged to be an abandoned one.
func (s *sim) countAbandoned(c *call, e *execution, v verdict) {
	if v.name != TimeoutRetry && v.name != PartialTokens {
		return
	}
	answered := c.answered()
	if answered == nil || answered.answer == nil {
		return
	}
	twin := answered.answer.source()
	if twin.charge == nil || twin.model != e.model {
		return
	}
	s.rates.Abandoned += s.billed(e)
	s.rates.Twins += s.billed(twin)
}

func (s *sim) billed(e *execution) Money {
	m := s.Models[e.model]
	return m.inputCost(e) + m.Output.times(e.charge.output)
}
