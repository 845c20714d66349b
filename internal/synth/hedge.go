package synth

// raceWanted tells whether a second attempt is sent while the first one runs.
// Vendors that deduplicate would let both wait for the same answer: no race.
func (s *sim) raceWanted(c *call, first *attempt) bool {
	return len(first.tries) > 0 && first.end-first.start > s.HedgeWait.Milliseconds() &&
		len(c.attempts) < s.MaxAttempts && !s.dedups(first.model)
}

// race sends the second attempt. The first good answer wins, at a tie the lower
// number; the loser is cancelled, or runs to its own end. If neither answers,
// the application goes on after the later one.
func (s *sim) race(c *call, first *attempt) *attempt {
	model := first.model
	if s.chance(s.HedgeOther) {
		model = (model + 1) % len(s.Models)
	}
	second := s.tryOnce(c, len(c.attempts), model, first.start+s.HedgeWait.Milliseconds(), false)
	c.attempts = append(c.attempts, second)
	winner, loser := first, second
	if second.answer != nil && (first.answer == nil || second.end < first.end) {
		winner, loser = second, first
	}
	if winner.answer == nil {
		if first.end > second.end {
			return first
		}
		return second
	}
	c.winner = winner
	s.lose(winner, loser)
	return winner
}

// lose ends the loser of a race. One that failed before the race was decided
// has simply failed.
func (s *sim) lose(winner, loser *attempt) {
	if loser.end < winner.end {
		return
	}
	if at := winner.end + s.between(1, 20); at < loser.end && s.chance(s.HedgeCancel) {
		s.abandon(loser, at, "cancelled", "HedgeLost")
	}
	if loser.answer != nil || loser.outcome == "cancelled" {
		loser.lostTo = winner
	}
}
