package synth

import (
	"slices"
	"time"
)

// edgeMargin is how far the clocks of log and bill may differ before a call at
// the end of the bill counts as begun after it, in ms.
const edgeMargin = 5000

// cutEdges removes what got lost, from the log and from the end of the bill,
// and takes back what the remaining data cannot tell: a charge whose call has no
// line left is unlogged traffic, and one whose call has lost its end, in the log
// or on the bill, is not settled. Every other label stays as true as it was.
//
// newest is the newest usage stamp of each provider on the whole bill, nil if there is more
// of it to come.
func (s *sim) cutEdges(newest map[string]int64) {
	if s.CutAtEnd {
		s.cutLog()
	}
	s.dropLines()
	s.dropCalls()
	s.markOpen(newest)
	logged := make([]bool, s.requests)
	for _, c := range s.calls {
		logged[c.request] = logged[c.request] || c.lines > 0
	}
	for i := range s.bill {
		line := &s.bill[i]
		if line.call == Unknown || line.Label.Verdict == DuplicateLine {
			continue
		}
		switch truth := s.calls[line.call]; {
		case truth.lines == 0 && logged[truth.request] && !s.NoRequestIDs:
			line.Label = newLabel(Orphan, "other_call", 0)
		case truth.lines == 0:
			line.Label = newLabel(Orphan, "no_log", 0)
		default:
			line.Label.Settled = !truth.open && !truth.late
		}
	}
}

// cutLog takes away what had not been written at the end of the period: the lines of
// attempts that begin later, and of those under way, or their ends where beginnings are
// logged.
func (s *sim) cutLog() {
	s.log = slices.DeleteFunc(s.log, func(line AttemptLine) bool {
		if line.EndedAt < s.to && line.StartedAt < s.to {
			return false
		}
		s.calls[line.call].late = true
		if s.Begins && line.StartedAt < s.to && line.Kind == "call" {
			return false
		}
		s.calls[line.call].lines--
		return true
	})
	for i := range s.log {
		if line := &s.log[i]; line.EndedAt >= s.to {
			line.EndedAt, line.ElapsedMS, line.Stage, line.Outcome, line.Reason = 0, Unknown, "", "unknown", ""
			line.HTTPStatus, line.RetryAfterMS, line.VendorRequestID, line.shows = 0, Unknown, "", false
			line.InputTokens, line.CachedTokens, line.OutputTokens = Unknown, Unknown, Unknown
		}
	}
}

// dropLateCharges removes the charges of the last stretch of the period, and what was
// billed after an export at its end.
func (s *sim) dropLateCharges() {
	if s.MissingAtEnd <= 0 && !s.CutAtEnd {
		return
	}
	cut := s.to - s.MissingAtEnd.Milliseconds()
	s.bill = slices.DeleteFunc(s.bill, func(line ChargeLine) bool {
		late := line.ChargedAt > cut
		if late && line.call != Unknown {
			s.calls[line.call].late = true
		}
		return late
	})
}

// dropLines deletes log lines at random, as a collector under load does.
func (s *sim) dropLines() {
	if s.Lost <= 0 {
		return
	}
	s.log = slices.DeleteFunc(s.log, func(line AttemptLine) bool {
		lost := s.chance(s.Lost)
		if lost {
			s.calls[line.call].lines--
		}
		return lost
	})
}

// dropCalls deletes all lines of some calls, as a service does that does not log.
func (s *sim) dropCalls() {
	if s.Unlogged <= 0 {
		return
	}
	dropped := make([]bool, len(s.calls))
	for i := range dropped {
		dropped[i] = s.chance(s.Unlogged)
	}
	s.log = slices.DeleteFunc(s.log, func(line AttemptLine) bool {
		if dropped[line.call] {
			s.calls[line.call].lines--
		}
		return dropped[line.call]
	})
}

// newestStamps is the newest usage stamp of each provider.
func (s *sim) newestStamps() map[string]int64 {
	newest := make(map[string]int64, len(s.Providers))
	for i := range s.bill {
		if line := &s.bill[i]; line.Kind == "usage" {
			newest[line.Provider] = max(newest[line.Provider], line.ChargedAt)
		}
	}
	return newest
}

// markOpen finds the calls whose end the remaining data do not show: the line
// of the answer is gone, the last line promises another attempt, or an attempt
// began after the end of the bill.
func (s *sim) markOpen(newest map[string]int64) {
	last := make([]*AttemptLine, len(s.calls))
	answered := make([]bool, len(s.calls))
	reach := make(map[string]int64, len(s.Providers))
	for _, p := range s.Providers {
		reach[p.Name] = newest[p.Name] - p.Offset.Milliseconds() + edgeMargin + max(0, p.Resolution-time.Millisecond).Milliseconds()
	}
	for i := range s.log {
		line := &s.log[i]
		truth := &s.calls[line.call]
		answered[line.call] = answered[line.call] || line.shows || line.Layer != "app" && line.number == truth.answeredBy
		if newest != nil && line.StartedAt > reach[line.Provider] {
			truth.late = true
		}
		if line.Layer == "app" && line.Kind == "call" && (last[line.call] == nil || line.number >= last[line.call].number) {
			last[line.call] = line
		}
	}
	for i := range s.calls {
		truth := &s.calls[i]
		switch {
		case truth.answeredBy != Unknown:
			truth.open = !answered[i]
		case last[i] != nil:
			truth.open = truth.open || s.promisesMore(last[i])
		}
	}
}

// promisesMore tells whether a line is no end: it can be retried and is not the
// last that is allowed, or it has no end itself.
func (s *sim) promisesMore(line *AttemptLine) bool {
	switch line.Outcome {
	case "timeout", "server_error", "rate_limited":
		return int(line.number)+1 < s.MaxAttempts
	case "unknown":
		return true
	}
	return false
}
