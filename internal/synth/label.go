package synth

// verdict is a label before the money is known.
type verdict struct {
	name, reason string
	broken       bool // the vendor had promised not to bill this
}

func (v verdict) label(amount Money) Label {
	label := newLabel(v.name, v.reason, amount)
	if v.broken && label.Recovery == OwnPolicy {
		label.Recovery = VendorDispute
	}
	return label
}

// answered is the attempt whose answer the application used, nil if there is
// none. A stream that arrived whole counts, though its end was not seen.
func (c *call) answered() *attempt {
	if c.winner != nil {
		return c.winner
	}
	return c.tail
}

// countRan counts the application attempts that can have been executed.
func (c *call) countRan() int {
	n := 0
	for _, a := range c.attempts {
		if a.ran() {
			n++
		}
	}
	return n
}

// source is the execution that made the answer: with a vendor that
// deduplicates, the first one, whoever fetched its result.
func (e *execution) source() *execution {
	if e != nil && e.replay != nil {
		return e.replay
	}
	return e
}

// own is the one execution that is the application attempt's own: the one whose
// answer it returned, else the first that was billed. All others are the SDK's.
// An attempt that was refused in the end asked for nothing that ran: what ran in
// it was retried out of the application's sight.
func (a *attempt) own() *execution {
	if answer := a.answer.source(); answer != nil && answer.charge != nil {
		return answer
	}
	if a.refused() {
		return nil
	}
	for _, e := range a.tries {
		if e.charge != nil {
			return e
		}
	}
	return nil
}

// judge says what a billed execution was. own is its attempt's own execution,
// ran the number of application attempts of the call that ran.
func (s *sim) judge(c *call, a *attempt, e, own *execution, ran int) verdict {
	answered := c.answered()
	switch {
	case e.refused():
		return verdict{name: NotBillable}
	case c.winner != nil && c.winner.answer.source() == e:
		switch {
		case c.winner != a:
			return verdict{name: Delivered, reason: "stands_in"}
		case c.recovered:
			return verdict{name: Delivered, reason: "recovered"}
		}
		return verdict{name: Delivered}
	case a.tail:
		return verdict{name: Delivered, reason: "tail_lost"}
	case e == own && a.lostTo != nil && a.lostTo.model == a.model:
		return verdict{name: Hedged}
	case e == own && a.lostTo != nil && a.answer != nil:
		return verdict{name: Delivered} // two models were asked, and both answered
	case answered == nil:
		return verdict{name: Undelivered}
	case e != own && ran > 1:
		return verdict{name: DoubleRetry}
	case e != own:
		return verdict{name: SDKRetry}
	case a.outcome == "server_error":
		return verdict{name: ServerErrorRetry}
	case s.visiblyEarly(e, answered):
		return verdict{name: PartialTokens}
	}
	return verdict{name: TimeoutRetry} // timed out, cancelled, or without an end
}

// visiblyEarly tells whether an execution was cut short, because the client left or because
// the server broke off while the SDK was waiting, and the bill shows it: by its flag, by a stamp at the moment when the client left, or by
// clearly fewer tokens than the delivered answer has. A blank finish reason on
// almost a whole answer shows nothing, and counts as billed in full.
func (s *sim) visiblyEarly(e *execution, answered *attempt) bool {
	if !e.charge.early && !e.broke() {
		return false
	}
	if e.charge.cancelled == "true" || e.charge.early && s.Providers[s.vendor[e.model]].StampAtEnd {
		return true
	}
	delivered := answered.answer.source()
	return delivered.charge == nil || 5*e.charge.output <= 4*delivered.charge.output
}
