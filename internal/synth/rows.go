package synth

// addDuplicates writes some charges twice, every item of them, as an export
// does that retried a page.
func (s *sim) addDuplicates() {
	if s.Duplicates <= 0 {
		return
	}
	for i, n := 0, len(s.bill); i < n; {
		next := s.chargeEnd(i, n)
		if s.bill[i].Kind == "usage" && s.chance(s.Duplicates) {
			for _, line := range s.bill[i:next] {
				line.Label = newLabel(DuplicateLine, "", line.Amount)
				s.bill = append(s.bill, line)
			}
		}
		i = next
	}
}

// chargeEnd is the index after the last line item of the charge at i.
func (s *sim) chargeEnd(i, n int) int {
	next := i + 1
	for next < n && s.bill[next].ChargeID == s.bill[i].ChargeID && s.bill[next].LineItem != s.bill[i].LineItem {
		next++
	}
	return next
}

// addRefunds gives back some of what was charged for no delivery, and a little
// of the rest, some hours later but within the period.
func (s *sim) addRefunds() {
	if s.Refunds <= 0 {
		return
	}
	for i, n := 0, len(s.bill); i < n; {
		next := s.chargeEnd(i, n)
		p := s.Refunds
		if v := s.bill[i].Label.Verdict; v == Delivered || v == Orphan {
			p /= 10
		}
		if s.chance(p) {
			s.refund(s.bill[i:next])
		}
		i = next
	}
}

// refund returns the whole charge, and names it.
func (s *sim) refund(items []ChargeLine) {
	line := items[0]
	line.Kind, line.LineItem, line.FinishReason, line.Cancelled = "refund", "", "", ""
	line.InputTokens, line.CachedTokens, line.OutputTokens = Unknown, Unknown, Unknown
	line.UnitPrice, line.GenerationMS, line.Attempt, line.VendorRequestID = 0, Unknown, Unknown, ""
	line.Amount = 0
	for _, item := range items {
		line.Amount -= item.Amount
	}
	if s.chance(s.NamesRequest) && line.RequestID != "" {
		line.ChargeID = s.chargeID()
	}
	charged := line.ChargedAt
	line.ChargedAt += s.between(3_600_000, 6*3_600_000)
	if !s.Continues {
		line.ChargedAt = min(line.ChargedAt, max(charged, s.to-1000))
	}
	if line.coarse {
		line.ChargedAt -= line.ChargedAt % 1000
	}
	line.Label = newLabel(Adjustment, "", line.Amount)
	line.call = Unknown
	s.bill = append(s.bill, line)
}

// addCopies writes some log lines twice, up to 40 ms apart, as a bridge between
// two loggers does.
func (s *sim) addCopies() {
	if s.Copies <= 0 {
		return
	}
	for i, n := 0, len(s.log); i < n; i++ {
		if !s.chance(s.Copies) {
			continue
		}
		line := s.log[i]
		shift := s.between(0, 40)
		line.StartedAt += shift
		if line.EndedAt != 0 {
			line.EndedAt += shift
		}
		s.log = append(s.log, line)
		s.calls[line.call].lines++
	}
}
