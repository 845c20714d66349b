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
	// Executions that gave the application no answer and no error: hidden ones, of which it never heard (an SDK tried again), and
	// those of attempts that timed out or were given up. Of these, those that were billed.
	Unanswered, UnansweredBilled int
	Hidden                       int // executions of an attempt but its last
}

// Received is how many requests a vendor took in for one model and key on one day of its clock, refused ones left
// out: what its usage page would count. Those that it never began count.
type Received struct {
	Day      int64 // Unix days
	Provider string
	Model    string
	APIKey   string
}

// countReceived counts an execution that was not refused.
func (s *sim) countReceived(e *execution) {
	if e.refused() {
		return
	}
	if s.received == nil {
		s.received = map[Received]int{}
	}
	vendor := s.Providers[s.vendor[e.model]]
	s.received[Received{(e.start + vendor.Offset.Milliseconds()) / 86_400_000, vendor.Name, s.Models[e.model].Name, s.APIKey}]++
}

// Add adds what was counted elsewhere.
func (r *Rates) Add(o Rates) {
	r.Calls, r.FirstTimeouts, r.Timeouts, r.Started = r.Calls+o.Calls, r.FirstTimeouts+o.FirstTimeouts, r.Timeouts+o.Timeouts, r.Started+o.Started
	r.Abandoned, r.Twins = r.Abandoned+o.Abandoned, r.Twins+o.Twins
	r.Unanswered, r.UnansweredBilled, r.Hidden = r.Unanswered+o.Unanswered, r.UnansweredBilled+o.UnansweredBilled, r.Hidden+o.Hidden
}

// timedOut tells whether an attempt got no answer in time; one whose process died counts.
func (a *attempt) timedOut() bool { return a.outcome == "timeout" || a.end == 0 }

// countRates counts a call that is over.
func (s *sim) countRates(c *call) {
	first := true
	for _, a := range c.attempts {
		s.countUnanswered(a)
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

// countUnanswered counts the executions of an attempt by whether the application heard of them.
func (s *sim) countUnanswered(a *attempt) {
	var last *execution
	for _, e := range a.tries {
		s.countReceived(e)
		if e.refused() {
			continue
		}
		if last != nil {
			s.rates.Hidden++
			s.rates.Unanswered++
			s.rates.UnansweredBilled += count(last.charge != nil)
		}
		last = e
	}
	if last != nil && (a.timedOut() || a.outcome == "cancelled") {
		s.rates.Unanswered++
		s.rates.UnansweredBilled += count(last.charge != nil)
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
