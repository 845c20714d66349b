package synth

import "github.com/shopspring/decimal"

// judgement is what an audit says of a line.
type judgement struct {
	verdict, recovery string
	settled, lead     bool
	excess            decimal.Decimal
}

// add compares one line.
func (s *Scorecard) add(t *truth, j judgement, excess, settled string) (err error) {
	called, err := readMoney(excess)
	if err != nil {
		return err
	}
	if j.settled, err = readFlag(settled); err != nil {
		return err
	}
	j.excess = called.Decimal()
	right := j.verdict == t.verdict
	s.Judged++
	s.Right += count(right)
	s.Both += count(j.settled && t.settled)
	s.Settled += count(right && j.settled && t.settled)
	s.confuse(t.verdict, j.verdict)
	s.tally(t, j)
	if !j.settled {
		return nil
	}
	hit := decimal.Min(j.excess, t.excess.Decimal())
	s.Called, s.CalledTrue = s.Called.Add(j.excess), s.CalledTrue.Add(hit)
	if t.settled {
		s.Found = s.Found.Add(hit)
	}
	if j.recovery == VendorDispute {
		s.Disputed = s.Disputed.Add(j.excess)
		if t.recovery == VendorDispute {
			s.DisputedTrue = s.DisputedTrue.Add(hit)
		}
	}
	return nil
}

// tally counts a line under its verdicts, if it can be settled, and what is open.
func (s *Scorecard) tally(t *truth, j judgement) {
	amount := t.amount.Decimal()
	if j.lead {
		s.Leads.add(amount)
	}
	if !j.settled {
		s.OpenCalled.add(amount)
	}
	if !t.settled {
		if !j.settled {
			s.OpenRight.add(amount)
		}
		return
	}
	called := Unsettled
	if j.settled {
		called = j.verdict
		s.of(called).Called.add(amount)
	}
	if called == t.verdict {
		s.of(called).Right.add(amount)
		return
	}
	m := s.Mistakes[Mistake{t.verdict, called}]
	m.add(amount)
	s.Mistakes[Mistake{t.verdict, called}] = m
}

// close counts what is true, judged or not.
func (s *Scorecard) close(t *truth) {
	s.Lines++
	if !t.judged {
		s.confuse(t.verdict, "")
	}
	if !t.settled {
		s.OpenTrue.add(t.amount.Decimal())
		return
	}
	s.of(t.verdict).True.add(t.amount.Decimal())
	s.Excess = s.Excess.Add(t.excess.Decimal())
	if t.recovery == VendorDispute {
		s.Disputable = s.Disputable.Add(t.excess.Decimal())
	}
}

func (s *Scorecard) of(verdict string) *Tally {
	if s.Verdicts[verdict] == nil {
		s.Verdicts[verdict] = &Tally{}
	}
	return s.Verdicts[verdict]
}

func (s *Scorecard) confuse(actual, called string) {
	if s.Confusion[actual] == nil {
		s.Confusion[actual] = map[string]int{}
	}
	s.Confusion[actual][called]++
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
