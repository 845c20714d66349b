package synth

// runTraffic lets requests arrive over the period as a Poisson process. The
// last ones are worked on to their end, past the end of the period.
func (s *sim) runTraffic() {
	gap := float64(s.to-s.from) / float64(s.Requests)
	if s.Daily {
		gap *= meanBusy // as many more come as the quiet hours turn away
	}
	for t := s.exp(gap); t < float64(s.to-s.from); t += s.exp(gap) {
		at := s.from + int64(t)
		if !s.Daily || s.chance(busy(at)) {
			s.arrive(at)
		}
	}
}

// hourly is how busy each hour of a day (UTC) is, in per cent of the busiest: a company
// that works from 01:00 to 10:00 UTC, and customers who stay up longer.
var hourly = [24]int{45, 62, 85, 100, 95, 80, 86, 98, 92, 80, 66, 58, 52, 46, 34, 24, 17, 12, 9, 8, 9, 12, 18, 30}

// meanBusy is the mean of hourly, as a share.
var meanBusy = func() float64 {
	sum := 0
	for _, h := range hourly {
		sum += h
	}
	return float64(sum) / (24 * 100)
}()

// busy is how busy a time of day is, in (0, 1].
func busy(at int64) float64 { return float64(hourly[at/3_600_000%24]) / 100 }

// arrive works on one request: one call, several in turn, or several at once.
func (s *sim) arrive(at int64) {
	id, request := s.requestID(), s.requests
	s.requests++
	end := at
	switch {
	case s.chance(s.Traces):
		for range s.between(2, int64(max(2, s.TraceCalls))) {
			end = s.runCall(s.newCall(request, id, 0), end) + s.between(200, 5000)
		}
	case s.chance(s.FanOut):
		end = s.fanOut(request, id, at)
	default:
		end = s.runCall(s.newCall(request, id, 0), at)
	}
	if s.chance(s.OtherCalls) {
		s.otherCall(request, id, at, end)
	}
}

// fanOut makes calls side by side under one id, each numbered from the start;
// either of one prompt, to sample it, or of several. It returns the last end.
func (s *sim) fanOut(request int32, id string, at int64) int64 {
	prompt, model := 0.0, -1
	if s.chance(s.SamePrompt) {
		prompt, model = float64(s.lognormal(s.InputMedian, s.InputSigma)), s.rng.IntN(len(s.Models))
	}
	end := at
	for range s.between(2, int64(max(2, s.FanWidth))) {
		c := s.newCall(request, id, prompt)
		if model >= 0 {
			c.model = model
		}
		end = max(end, s.runCall(c, at+s.between(0, 60)))
	}
	return end
}
