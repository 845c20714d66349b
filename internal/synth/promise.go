package synth

// promiseBroken tells whether the vendor had promised to run a repeated key once, and
// billed it again.
func (s *sim) promiseBroken(c *call, e *execution) bool {
	if !s.Providers[s.vendor[e.model]].Promised || c.key == "" {
		return false
	}
	billed := 0
	for _, a := range c.attempts {
		for _, other := range a.tries {
			if other.charge != nil && other.model == e.model {
				billed++
			}
		}
	}
	return billed > 1
}
