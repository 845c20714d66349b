package source

import "bytes"

var timeColumns = columnBits("ts", "started_at", "ended_at")

// timed tells whether a log line has a time. Where no key has one, the time that many
// loggers put at the head of the line is it.
func (d *logfmtDecoder) timed(text []byte) bool {
	if d.row.set&timeColumns != 0 {
		return true
	}
	v := headTime(text)
	if v == nil {
		return false
	}
	d.row.put(target{col: columnIndex(Attempts, "ts")}, d.dotted(v))
	return true
}

// dotted is a time with a point where Python writes a comma: 12:00:03,412.
func (d *logfmtDecoder) dotted(v []byte) []byte {
	i := bytes.IndexByte(v, ',')
	if i < 0 {
		return v
	}
	mark := len(d.scratch)
	d.scratch = append(d.scratch, v...)
	d.scratch[mark+i] = '.'
	return d.scratch[mark:len(d.scratch):len(d.scratch)]
}

// isDate tells whether a value is a date and no more.
func isDate(v []byte) bool {
	return len(v) == 10 && v[4] == '-' && matchDigits(v, "0000-00-00") > 0
}

// headTime is the time at the head of a line: [date ]time[fraction][zone], perhaps in a
// bracket; nil if there is none.
func headTime(text []byte) []byte {
	text = bytes.TrimLeft(text, "[ \t")
	n := matchDigits(text, "0000-00-00")
	if n > 0 {
		if n == len(text) || text[n] != 'T' && text[n] != ' ' {
			return nil
		}
		n++
	}
	m := matchDigits(text[n:], "00:00:00")
	if m == 0 {
		return nil
	}
	n += m
	if n < len(text) && (text[n] == '.' || text[n] == ',') {
		f := n + 1
		for f < len(text) && text[f] >= '0' && text[f] <= '9' {
			f++
		}
		if f > n+1 {
			n = f
		}
	}
	return text[:n+zoneLen(text[n:])]
}

// zoneLen is the length of a zone: Z, +08:00 or +0800.
func zoneLen(s []byte) int {
	if len(s) > 0 && s[0] == 'Z' {
		return 1
	}
	if len(s) == 0 || s[0] != '+' && s[0] != '-' {
		return 0
	}
	for _, p := range []string{"00:00", "0000", "00"} {
		if n := matchDigits(s[1:], p); n > 0 {
			return 1 + n
		}
	}
	return 0
}

// matchDigits is the length of the pattern if s begins like it, 0 standing for any digit.
func matchDigits(s []byte, pattern string) int {
	if len(s) < len(pattern) {
		return 0
	}
	for i := range pattern {
		digit := s[i] >= '0' && s[i] <= '9'
		if pattern[i] == '0' && !digit || pattern[i] != '0' && s[i] != pattern[i] {
			return 0
		}
	}
	return len(pattern)
}
