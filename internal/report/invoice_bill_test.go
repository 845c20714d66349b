package report

import "testing"

// TestCountsOfAPartAreUnknown: costs of two days beside counts of the first say nothing of requests and tokens of both.
func TestCountsOfAPartAreUnknown(t *testing.T) {
	n := func(i int64) *int64 { return &i }
	first := billCell{day: "2026-10-20", m: BillModel{Model: "m", Requests: n(10), Input: n(1000), Logged: 10, Answered: 10, AnsweredInput: 1000}}
	second := billCell{day: "2026-10-21", m: BillModel{Model: "m", Logged: 6, Answered: 6, AnsweredInput: 600}}
	for _, c := range []struct {
		cells []billCell
		known bool
	}{{[]billCell{first}, true}, {[]billCell{first, second}, false}, {[]billCell{second, first}, false}, {[]billCell{first, {day: "2026-10-22", m: BillModel{Model: "m"}}}, true}} {
		s := sumCells(c.cells)
		s.diagnose()
		if (s.m.Requests != nil) != c.known || (s.m.Hidden != nil) != c.known || (s.m.Input != nil) != c.known {
			t.Errorf("%d periods: requests %v, hidden %v, input %v, expected them known: %v", len(c.cells), s.m.Requests, s.m.Hidden, s.m.Input, c.known)
		}
		if s.m.Text != "" {
			t.Errorf("%d periods: found %q, expected no diagnosis", len(c.cells), s.m.Text)
		}
		b := &BillAgainstLog{Models: []BillModel{s.m}}
		if b.partly(c.cells) == c.known {
			t.Errorf("%d periods: partly %v", len(c.cells), !c.known)
		}
	}
}
