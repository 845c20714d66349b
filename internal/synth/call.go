package synth

import "math"

// call is one prompt that the application wants answered.
type call struct {
	index       int32 // into sim.calls
	requestID   string
	key         string  // idempotency key, one per call and model
	prompt      float64 // input tokens by the first model's tokenizer
	cachedShare float64
	model       int
	stream      bool
	hedged      bool
	running     map[int]*execution // the first execution of each model
	attempts    []*attempt
	winner      *attempt // whose answer was used
	tail        *attempt // whose answer was used though its stream had no end
	recovered   bool     // the winner had timed out, and its answer was fetched later
	queries     []query
	open        bool // the log does not tell how it ended
}

// input is how many tokens the prompt has for a model; a retry repeats it.
func (c *call) input(s *sim, model int) int {
	return max(1, int(math.Round(c.prompt*s.Models[model].TokenRatio)))
}

// ranOn notes the first execution on a model.
func (c *call) ranOn(e *execution) {
	if c.running == nil {
		c.running = make(map[int]*execution, 1)
	}
	if c.running[e.model] == nil {
		c.running[e.model] = e
	}
}

// newCall draws a call under a request id. The prompt may be given.
func (s *sim) newCall(request int32, id string, prompt float64) *call {
	switch {
	case prompt == 0 && s.Prompts > 0:
		prompt = s.prompts[s.rng.IntN(s.Prompts)]
	case prompt == 0:
		prompt = float64(s.lognormal(s.InputMedian, s.InputSigma))
	}
	c := &call{index: int32(len(s.calls)), requestID: id, prompt: prompt, model: s.rng.IntN(len(s.Models))}
	c.stream = s.chance(s.Streamed)
	c.hedged = s.chance(s.Hedge)
	if s.chance(s.CachedPrompts) {
		c.cachedShare = 0.2 + 0.6*s.rng.Float64()
	}
	if s.IdempotencyKeys || s.anyDedup() {
		c.key = s.hexID("idem-", 8)
	}
	s.calls = append(s.calls, callTruth{request: request, answeredBy: Unknown})
	return c
}

func (s *sim) anyDedup() bool {
	for _, p := range s.Providers {
		if p.Dedup {
			return true
		}
	}
	return false
}

// runCall lets the application work on a call until it is answered, given up or
// out of attempts; then it writes the log lines and the charges. It returns
// when the application was done.
func (s *sim) runCall(c *call, at int64) int64 {
	model, healthy := c.model, false
	for len(c.attempts) < s.MaxAttempts {
		last := s.step(c, model, at, healthy)
		at = last.end
		if c.winner != nil || c.tail != nil || last.outcome == "cancelled" || last.outcome == "client_error" {
			break
		}
		if s.crash(c, last) {
			at = last.end
			s.noEnd(last)
			if c.open {
				break
			}
			at += 60_000
			continue
		}
		if at = s.askFirst(c, last); c.winner != nil {
			break
		}
		healthy = last.tail
		at += s.backoff(len(c.attempts)-1, last.retryAfter)
		if s.chance(s.Fallback) {
			model = (model + 1) % len(s.Models)
		}
	}
	s.settleAccounts(c)
	return at
}

// step makes the next attempt, or the next two if it is hedged, and returns the
// one after whose end the application goes on.
func (s *sim) step(c *call, model int, at int64, healthy bool) *attempt {
	a := s.tryOnce(c, len(c.attempts), model, at, healthy)
	c.attempts = append(c.attempts, a)
	if c.hedged && s.raceWanted(c, a) {
		return s.race(c, a)
	}
	if !healthy {
		s.giveUp(a)
		s.loseTail(c, a)
	}
	if a.answer != nil && !a.tail {
		c.winner = a
	}
	return a
}

// giveUp lets the user cancel an attempt under way.
func (s *sim) giveUp(a *attempt) {
	if len(a.tries) > 0 && a.end-a.start > 1000 && s.chance(s.Cancelled) {
		s.abandon(a, s.between(a.start+500, a.end-100), "cancelled", "Cancelled")
	}
}

// loseTail lets a stream arrive whole and its end get lost. Half of the
// applications take the text that they have; the others wait, time out and ask
// again. Only a first attempt without SDK retries: behind others, nobody could
// say who answered.
func (s *sim) loseTail(c *call, a *attempt) {
	if !a.stream || a.answer == nil || a.number > 0 || len(a.tries) > 1 || !s.chance(s.TailLost) {
		return
	}
	a.tail = true
	wait := s.between(3000, 10_000)
	if s.MaxAttempts == 1 || s.chance(0.5) {
		c.tail = a
		a.finish(a.end+wait, "cancelled", "stream", "TailLost")
		return
	}
	a.finish(a.end+wait, "timeout", "stream", "ReadTimeout")
}

// crash lets the process die during an attempt that got no answer; one in two
// calls is taken up again. Deaths during good attempts would only add more of
// the same.
func (s *sim) crash(c *call, a *attempt) bool {
	if len(a.tries) == 0 || a.refused() || a.tail || !s.chance(s.Crashes) {
		return false
	}
	c.open = len(c.attempts) == s.MaxAttempts || s.chance(0.5)
	s.abandon(a, s.between(a.start+20, max(a.start+20, a.end-1)), "unknown", "")
	return true
}

// noEnd takes back what a dead process could not write.
func (s *sim) noEnd(a *attempt) { a.end, a.stage = 0, "" }

// backoff is the pause before retry n, in ms: what the server asked for, else
// doubling from the base up to the cap, between half and one and a half of it.
func (s *sim) backoff(n int, retryAfter int64) int64 {
	if retryAfter > 0 {
		return retryAfter + s.between(10, 300)
	}
	pause := min(float64(s.BackoffCap.Milliseconds()), float64(s.BackoffBase.Milliseconds())*math.Exp2(float64(n)))
	return int64(pause * (0.5 + s.rng.Float64()))
}
