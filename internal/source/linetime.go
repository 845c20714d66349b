package source

import "bytes"

// foundTime is a time somewhere in a line.
type foundTime struct {
	text     []byte
	dated    bool
	zoned    bool // or Unix time
	yearless bool // Oct  3 12:00:03, as syslog writes it
}

// better tells whether a time says more than another: a zone, then a date.
func (f foundTime) better(o foundTime) bool {
	switch {
	case o.text == nil || f.zoned != o.zoned:
		return o.text == nil || f.zoned
	case f.dated != o.dated:
		return f.dated
	}
	return false
}

// lineTime finds the time of a message in what stands before and behind it: one with a zone,
// else one with a date, else a time of day; of equal ones that which stands nearest before
// it. It is nil where there is none, and yearless where all that there is lacks its year.
func lineTime(prefix, suffix []byte) (v []byte, yearless bool) {
	var best foundTime
	for i := len(prefix) - 1; i >= 0; i-- {
		if f, ok := timeWithin(prefix, i); ok && f.better(best) {
			best = f
		}
	}
	for i := range suffix {
		if f, ok := timeWithin(suffix, i); ok && f.better(best) {
			best = f
		}
	}
	if best.yearless {
		return nil, true
	}
	return best.text, false
}

// timeWithin reads a time that begins at b[i].
func timeWithin(b []byte, i int) (f foundTime, ok bool) {
	if i >= len(b) || !isDigit(b[i]) || i > 0 && keyByte[b[i-1]] {
		return f, false
	}
	s := b[i:]
	if n := unixLen(s); n > 0 {
		return foundTime{text: s[:n], dated: true, zoned: true}, true
	}
	n := max(matchDigits(s, "0000-00-00"), matchDigits(s, "0000/00/00"))
	f.dated = n > 0
	if f.dated {
		if n == len(s) || s[n] != 'T' && s[n] != ' ' {
			return f, false
		}
		n++
	}
	m := matchDigits(s[n:], "00:00:00")
	if m == 0 || !f.dated && i > 0 && (b[i-1] == ':' || b[i-1] == '/') {
		return f, false
	}
	n += m
	n += fractionLen(s[n:])
	z := zoneLen(s[n:])
	if z == 0 && len(s) > n+3 && s[n] == ' ' {
		if w := zoneWord(s[n+1:]); w > 0 {
			z = 1 + w
		}
	}
	if n += z; n < len(s) && (isDigit(s[n]) || s[n] == ':') {
		return f, false
	}
	f.text, f.zoned = s[:n], z > 0
	if !f.dated {
		f.zoned = false
		f.yearless = endsInDay(b[:i])
	}
	return f, true
}

// zoneWord is the length of a zone that stands apart: UTC or +0800.
func zoneWord(s []byte) int {
	n := 0
	switch {
	case bytes.HasPrefix(s, []byte("UTC")):
		n = 3
	case s[0] == '+' || s[0] == '-':
		if n = zoneLen(s); n < 5 {
			return 0
		}
	}
	if n == 0 || n < len(s) && keyByte[s[n]] {
		return 0
	}
	return n
}

// fractionLen is the length of .412 or ,412.
func fractionLen(s []byte) int {
	if len(s) < 2 || s[0] != '.' && s[0] != ',' {
		return 0
	}
	n := 1
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n == 1 {
		return 0
	}
	return n
}

// unixLen is the length of Unix time in seconds or milliseconds.
func unixLen(s []byte) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n != 10 && n != 13 {
		return 0
	}
	if n < len(s) && s[n] == '.' {
		n += fractionLen(s[n:])
	}
	if n < len(s) && keyByte[s[n]] {
		return 0
	}
	return n
}

var months = []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// endsInDay tells whether text ends in a month and a day: "Oct  3 ".
func endsInDay(b []byte) bool {
	b = bytes.TrimRight(b, " ")
	n := len(b)
	for n > 0 && isDigit(b[n-1]) {
		n--
	}
	if n == len(b) || len(b)-n > 2 {
		return false
	}
	b = bytes.TrimRight(b[:n], " ")
	for _, m := range months {
		if bytes.HasSuffix(b, []byte(m)) {
			return true
		}
	}
	return false
}
