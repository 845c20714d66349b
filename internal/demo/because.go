package demo

import "retrytax/internal/synth"

// because says why lines can be judged so, in a sentence about what the files do not tell.
func because(m synth.Mistake) string {
	for _, r := range reasons {
		if (r.truth == "" || r.truth == m.True) && (r.called == "" || r.called == m.Called) {
			return r.why
		}
	}
	return "a judgement that the files do not explain"
}

// reasons are looked through in order; "" is any verdict.
var reasons = []struct{ truth, called, why string }{
	{"", synth.Unsettled, "the call's end is not in the files, or calls that run side by side under one id cannot be told apart"},
}
