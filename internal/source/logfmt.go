package source

import (
	"bytes"
)

// logfmtDecoder reads key=value pairs out of the lines of a log. Text before, between and
// behind the pairs is passed over.
type logfmtDecoder struct {
	keys   *keyCache
	marked bool // this file marks its attempts with evt=llm_call
	max    int

	hasPython bool // this file has lines of the first article's client
	marks     marks

	row     row
	evt     []byte
	scratch []byte
	broken  string
	record  func(key, value []byte, t target) // told of every pair, where it is not nil
}

func newLogfmtDecoder(rec Recognised, max int) *logfmtDecoder {
	return &logfmtDecoder{keys: newKeyCache(rec.names()), marked: rec.marked, max: max, marks: logfmtMarks,
		hasPython: rec.python}
}

func (d *logfmtDecoder) decode(blk *block, out *sink) {
	data, line := blk.data, blk.line
	for len(data) > 0 {
		end, next := lineEnd(data)
		d.line(data[:end], line, out)
		data, line = data[next:], line+1
	}
}

// line decides what a line is: a record, a reject, none of ours, or blank.
func (d *logfmtDecoder) line(text []byte, line int64, out *sink) {
	if len(text) > d.max {
		out.reject(line, "", tooLong(int64(len(text)), d.max), text)
		return
	}
	if d.python(text, line, out) {
		return
	}
	d.pairs(bytes.TrimSuffix(text, []byte{'\r'}))
	switch {
	case !d.marks.on(&d.row, d.evt, d.marked):
		if len(bytes.TrimSpace(text)) > 0 {
			out.ignore()
		}
	case d.broken != "":
		out.reject(line, "", d.broken, text)
	case !d.timed(text):
		out.reject(line, "ts", "found no time, expected ts=, time= or timestamp=", text)
	default:
		out.add(line, &d.row, text)
	}
}

// pairs finds the key=value pairs of a line.
func (d *logfmtDecoder) pairs(text []byte) {
	d.row.reset()
	d.keys.rewind()
	d.evt, d.broken, d.scratch = nil, "", d.scratch[:0]
	for i := 0; i < len(text); {
		j := bytes.IndexByte(text[i:], '=')
		if j < 0 {
			return
		}
		eq := i + j
		from := eq
		for from > i && keyByte[text[from-1]] {
			from--
		}
		if from == eq || from > 0 && !startsKey(text[from-1]) {
			i = eq + 1
			continue
		}
		var v []byte
		v, i = d.value(text, eq+1)
		d.pair(text[from:eq], v)
	}
}

// pair takes one pair. An empty value is missing.
func (d *logfmtDecoder) pair(key, v []byte) {
	t := d.keys.find(key)
	if d.record != nil {
		d.record(key, v, t)
	}
	if len(v) == 0 {
		v = nil
	}
	switch {
	case t.col >= 0:
		d.row.put(t, v)
	case t.col == evtColumn && string(d.evt) != evtName:
		d.evt = v
	}
}

// value reads the value at i and returns it with the place behind it.
func (d *logfmtDecoder) value(text []byte, i int) ([]byte, int) {
	if i < len(text) && text[i] == '"' {
		return d.quoted(text, i)
	}
	if i < len(text) && text[i] == '\'' {
		if v, end, ok := singleQuoted(text, i); ok {
			return v, end
		}
	}
	end := i
	for end < len(text) && text[end] != ' ' && text[end] != '\t' {
		end++
	}
	v := text[i:end]
	if isDate(v) {
		if m := headTime(text[i:]); len(m) > len(v) {
			return d.dotted(m), i + len(m) // ts=2026-10-01 12:00:03 without quotes
		}
	}
	if n := len(v); n > 0 && (v[n-1] == ',' || v[n-1] == ';') {
		v = v[:n-1] // a=1, b=2
	}
	return v, end
}

// quoted reads a value in quotes. One without its closing quote breaks the line, and is
// passed over word by word, so that the marks behind it are still seen.
func (d *logfmtDecoder) quoted(text []byte, open int) ([]byte, int) {
	for i := open + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			return d.escaped(text, open, i)
		case '"':
			return text[open+1 : i], i + 1
		}
	}
	d.broken = "found a quote that is never closed, expected a closing quote"
	return nil, open + 1
}

// escaped reads a value in quotes that has a backslash at i.
func (d *logfmtDecoder) escaped(text []byte, open, i int) ([]byte, int) {
	mark := len(d.scratch)
	d.scratch = append(d.scratch, text[open+1:i]...)
	for i < len(text) {
		switch c := text[i]; {
		case c == '"':
			return d.scratch[mark:len(d.scratch):len(d.scratch)], i + 1
		case c != '\\':
			d.scratch = append(d.scratch, c)
			i++
		default:
			var ok bool
			if d.scratch, i, ok = unescape(d.scratch, text, i); !ok {
				// Go and Python escape more than JSON does: \x1b, \'
				d.scratch = append(d.scratch, c)
				i++
			}
		}
	}
	d.scratch = d.scratch[:mark]
	d.broken = "found a quote that is never closed, expected a closing quote"
	return nil, open + 1
}

// maxSingleQuoted is how far a closing single quote is looked for; an apostrophe has none.
const maxSingleQuoted = 4 << 10

// singleQuoted reads 'value', as Python prints it, if a closing quote ends a word.
func singleQuoted(text []byte, open int) (v []byte, end int, ok bool) {
	for i := open + 1; i < len(text) && i < open+maxSingleQuoted; i++ {
		if text[i] != '\'' || text[i-1] == '\\' {
			continue
		}
		if i+1 == len(text) || text[i+1] == ' ' || text[i+1] == ',' || text[i+1] == '\t' {
			return text[open+1 : i], i + 1, true
		}
	}
	return nil, 0, false
}

// keyByte are the bytes that a key may have.
var keyByte = func() (t [256]bool) {
	for c := range 256 {
		t[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			c == '_' || c == '-' || c == '.' || c == '@'
	}
	return
}()

// startsKey tells what may stand before a key; the ? of an address may not.
func startsKey(c byte) bool {
	switch c {
	case ' ', '\t', ',', ';', '|', '[', '(', '{':
		return true
	}
	return false
}
