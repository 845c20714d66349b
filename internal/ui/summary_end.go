package ui

import (
	"regexp"
	"strings"
)

// textWidth is how much of a warning's text is shown: it may name things from data.
const textWidth = 600

// warnings each show their code, by which the documentation explains them.
func (s *summary) warnings() {
	if len(s.a.Warnings) == 0 {
		return
	}
	s.heading("Warnings")
	for _, w := range s.a.Warnings {
		text := Cut(Clean(s.lang.Of(w.Text)), textWidth)
		if text == "" {
			text = Lookup(Warnings, w.Code).Name
		}
		s.marked(cell{"  ! ", yellow}, short(w.Code)+": "+text, "    ", normal)
	}
}

// checks is one line if all is well, and the list of what is not.
func (s *summary) checks() {
	s.blank()
	failed := s.failing()
	switch {
	case len(s.a.Checks) == 0:
		s.text("no checks were run", "", yellow)
	case len(failed) == 0:
		s.text(counted(int64(len(s.a.Checks)), "check", "checks")+" passed", "", green)
	default:
		s.text(count(int64(len(failed)))+" of "+counted(int64(len(s.a.Checks)), "check", "checks")+" failed", "", red)
		for _, c := range failed {
			s.marked(cell{"  ✗ ", red}, short(c.Name)+": "+counted(c.Rows, "row", "rows"), "    ", normal)
		}
	}
}

// end is where things are and what to do with them.
func (s *summary) end() {
	if len(s.x.Written) > 0 {
		names := make([]string, len(s.x.Written))
		for i, name := range s.x.Written {
			names[i] = Clean(name)
		}
		s.text("written: "+strings.Join(names, ", "), "  ", normal)
	}
	next := Clean(s.x.Next)
	switch {
	case next == "":
		next = s.suggestion()
	case s.x.See:
		next = s.suggestion() + "; " + next
	}
	s.marked(cell{"next: ", bold}, next, "  ", normal)
}

// reSafeID is what can be pasted into a shell as it is.
var reSafeID = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:@/-]{0,99}$`)

// suggestion is the one step that helps most. An id is put into a command only if it is
// harmless there: it comes from data, and the line is there to be pasted.
func (s *summary) suggestion() string {
	_, explained := s.explained()
	files := "FILES…"
	if reSafeID.MatchString(s.x.Kept) {
		files = "--db " + s.x.Kept
	}
	switch {
	case len(s.failing()) > 0:
		return "keep the files as they are and report the failed check; no report was published"
	case explained == 0:
		return "see that log and bill are of the same days, zone and keys; retrytax formats shows how each is read"
	case len(s.x.Dearest) > 0 && reSafeID.MatchString(s.x.Dearest[0].RequestID):
		return "see why: retrytax explain " + s.x.Dearest[0].RequestID + " " + files
	case len(s.x.Dearest) > 0:
		return "see why: retrytax explain ID " + files + ", with a request id from above"
	case s.anyExcess():
		return "look at the charges in verdicts.csv whose excess is not 0"
	case s.rejected() > 0:
		return "look at the rejected rows; each says what was expected"
	case len(s.a.Leads) > 0:
		return "look at the leads"
	case s.anyOpen():
		return "look in verdicts.csv at the charges that the log does not explain; where they are unsettled, run again with later lines"
	}
	return "nothing to do"
}

func (s *summary) anyExcess() bool {
	for _, t := range s.a.Totals {
		if !isZero(t.Excess) {
			return true
		}
	}
	return false
}

// anyOpen tells whether a headline has something that was not judged.
func (s *summary) anyOpen() bool {
	for _, t := range s.books() {
		if _, ok := openText(t); ok {
			return true
		}
	}
	return false
}

func (s *summary) rejected() int64 {
	var n int64
	for _, in := range s.a.Inputs {
		n += in.Rejected
	}
	return n
}
