package ui

import (
	"strings"
	"time"
)

// scale maps times to the cells of a time line.
type scale struct {
	from, to time.Time
	cells    int
}

// cell is the cell that a time falls in; false where it lies off the scale.
func (s scale) cell(t time.Time) (int, bool) {
	switch {
	case t.Before(s.from):
		return 0, false
	case t.After(s.to):
		return s.cells - 1, false
	}
	// Whole microseconds times cells stay within 64 bits for a thousand years.
	return int(t.Sub(s.from).Microseconds() * int64(s.cells-1) / max(s.to.Sub(s.from).Microseconds(), 1)), true
}

// steps are the distances between ticks that a person reads well.
var steps = []time.Duration{
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 2 * 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour,
}

func tickFormat(step time.Duration) string {
	switch {
	case step < time.Second:
		return "15:04:05.000"
	case step < time.Minute:
		return "15:04:05"
	case step < 24*time.Hour:
		return "15:04"
	}
	return time.DateOnly
}

// axis is the two lines over a time line: times, and the ticks under them.
func (s scale) axis() (labels, ticks string) {
	span := s.to.Sub(s.from)
	step := steps[len(steps)-1]
	for _, d := range steps {
		if span/d < 200 && float64(d)/float64(max(span, 1))*float64(s.cells-1) >= float64(len(tickFormat(d))+2) {
			step = d
			break
		}
	}
	text, line := []rune(strings.Repeat(" ", s.cells)), []rune(strings.Repeat("─", s.cells))
	format, drawn := tickFormat(step), 0
	for t := s.firstTick(step); !t.After(s.to) && drawn < 200; t = t.Add(step) {
		drawn += s.put(text, line, t, format)
	}
	if drawn == 0 { // the span lies between two ticks
		s.put(text, line, s.from, "15:04:05.000")
	}
	return strings.TrimRight(string(text), " "), string(line)
}

// put draws one tick; its label begins at the tick, or ends with the line.
func (s scale) put(text, line []rune, t time.Time, format string) int {
	at, ok := s.cell(t)
	label := []rune(t.Format(format))
	if !ok {
		return 0
	}
	line[at] = '┬'
	begin := min(at, s.cells-len(label))
	for i := max(begin-1, 0); i < begin+len(label); i++ {
		if text[i] != ' ' {
			return 1 // a tick without a label: the one before takes its room
		}
	}
	copy(text[begin:], label)
	return 1
}

// firstTick is the first whole step at or after the beginning, by the clock of its zone.
func (s scale) firstTick(step time.Duration) time.Time {
	_, offset := s.from.Zone()
	shift := time.Duration(offset) * time.Second
	t := s.from.Add(shift).Truncate(step).Add(-shift)
	if t.Before(s.from) {
		t = t.Add(step)
	}
	return t
}
