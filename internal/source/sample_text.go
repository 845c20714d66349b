package source

import (
	"bytes"
	"slices"
)

// columnSet gathers the keys of records in the order in which they are first seen.
type columnSet struct {
	cols []column
	at   map[string]int
}

func (s *columnSet) add(key, value []byte) {
	i, ok := s.at[string(key)]
	if !ok {
		if s.at == nil {
			s.at = map[string]int{}
		}
		i = len(s.cols)
		s.at[string(key)] = i
		s.cols = append(s.cols, column{name: string(key)})
	}
	s.cols[i].see(value)
}

// logfmt takes the sample as log lines, if any has the marks of an attempt. Only those
// lines tell which keys there are.
func (s *sample) logfmt(forced Role) (Recognised, *Error, bool) {
	set, marked := s.logfmtColumns(false, nil)
	if len(set.cols) == 0 {
		set, marked = s.logfmtColumns(true, nil)
	}
	python := s.pythonText()
	switch {
	case forced == Charges && (len(set.cols) > 0 || python):
		return Recognised{}, &Error{Found: "the lines of an attempt log (key=value)",
			Expected: "a billing export", Hint: "say --attempts FILE"}, true
	case len(set.cols) == 0 && python:
		return Recognised{Role: Attempts, Format: "python-text", Syntax: Logfmt, Columns: pythonColumns, python: true}, nil, true
	case len(set.cols) == 0 && (forced != Attempts || !bytes.Contains(s.text, []byte{'='})):
		return Recognised{}, nil, false
	}
	// Where the user says that it is an attempt log, its marked lines may come later.
	rec := mapColumns(Attempts, set.cols, nil).recognised(Logfmt)
	rec.marked, rec.python = marked, python
	return rec, nil, true
}

// pythonColumns are what the lines of the first article's client tell.
var pythonColumns = []Mapping{{"request_id", "request_id"}, {"attempt", "attempt"}, {"cost", "elapsed_s"},
	{"timeout", "elapsed_s"}, {"error", "reason"}, {"status", "unlogged"}}

// pythonText tells whether the sample has a line of the first article's client.
func (s *sample) pythonText() bool {
	return slices.ContainsFunc(s.lines(), func(line []byte) bool {
		p, found := findPython(bytes.TrimRight(line, " \t\r"), false)
		return found && p.broken == ""
	})
}

// logfmtColumns are the keys of the lines that have the marks, and whether any of them has
// the event. With xid, x_request_id counts as a request id.
func (s *sample) logfmtColumns(xid bool, by *Map) (set columnSet, marked bool) {
	d := newLogfmtDecoder(Recognised{Role: Attempts, xid: xid, mapped: by}, maxLine)
	for _, line := range s.lines() {
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if _, python := findPython(line, true); python {
			continue
		}
		d.record = nil
		d.pairs(line)
		if !d.marks.on(&d.row, d.evt, false) {
			continue
		}
		marked = marked || string(d.evt) == evtName
		d.record = func(key, value []byte, _ target) { set.add(key, value) }
		d.pairs(line)
	}
	return set, marked
}
