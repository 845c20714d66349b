package source

import (
	"bytes"
	"fmt"
)

// jsonDecoder reads JSON objects: one a line, or the records of a document. Numbers and
// booleans pass as the text that stands in the file, so no digit is lost; null is missing;
// objects are opened where an alias such as usage.prompt_tokens reaches into them; all else
// is checked and passed over.
type jsonDecoder struct {
	role   Role
	keys   *keyCache
	marked bool
	max    int

	prefixed bool // objects stand behind a prefix, whose time is theirs
	log      bool // free text may stand between the objects

	row     row
	evt     []byte
	scratch []byte // strings without their escapes
	path    []byte // dotted path of the object at hand, with a dot behind it
	record  func(path, value []byte, t target)

	p     []byte // the record
	i     int    // how far it is read
	open  []byte // the closing brackets that are due in a value that is passed over
	inner []byte // of a format: the text of the records inside
	bad   string // what is wrong with it
	badAt target // the column concerned
}

func newJSONDecoder(rec Recognised, max int) *jsonDecoder {
	return &jsonDecoder{role: rec.role(), keys: newKeyCache(rec.names()), marked: rec.marked, max: max,
		prefixed: rec.prefixed, log: rec.isLog()}
}

func (d *jsonDecoder) decode(blk *block, out *sink) {
	eachRecord(blk, out, func(text []byte, line int64) { d.one(text, line, out) })
}

// eachRecord goes through the lines of a block, or the records of a document.
func eachRecord(blk *block, out *sink, one func(text []byte, line int64)) {
	if blk.spans != nil {
		for _, s := range blk.spans {
			if s.stray != nil {
				out.strayed(s.stray)
				continue
			}
			one(blk.data[s.from:s.to], s.line)
		}
		return
	}
	data, line := blk.data, blk.line
	for len(data) > 0 {
		end, next := lineEnd(data)
		one(data[:end], line)
		data, line = data[next:], line+1
	}
}

// one decides what a line or a record of a document is.
func (d *jsonDecoder) one(text []byte, line int64, out *sink) {
	if len(text) > d.max {
		out.reject(line, "", tooLong(int64(len(text)), d.max), text)
		return
	}
	body := bytes.Trim(text, " \t\r\n")
	if len(body) == 0 {
		return
	}
	if body[0] != '{' {
		if i := objectStart(body); d.prefixed && i > 0 {
			d.behindPrefix(body, i, line, out)
			return
		}
		d.noObject(body, line, out)
		return
	}
	switch {
	case !d.parse(body):
		column := ""
		if d.badAt.col >= 0 {
			column = out.columns[d.badAt.col]
		}
		out.reject(line, column, d.bad, text)
	case d.role == Attempts && !jsonMarks.on(&d.row, d.evt, d.marked):
		out.ignore()
	default:
		out.add(line, &d.row, text)
	}
}

// behindPrefix takes a line whose object begins at i. One that is cut short is a reject if it
// shows a key of ours.
func (d *jsonDecoder) behindPrefix(body []byte, i int, line int64, out *sink) {
	whole := d.parse(body[i:])
	t, _ := lineTime(body[:i], nil)
	switch {
	case !whole && d.row.seen == 0, whole && !jsonMarks.on(&d.row, d.evt, d.marked):
		out.ignore()
	case !whole:
		out.reject(line, "", d.bad+" (counted from the object's {)", body)
	case t == nil && d.row.set&timeColumns == 0:
		out.reject(line, "ts", "found no time, expected one before the object (log with %(asctime)s)", body)
	default:
		d.prefixTime(t)
		out.add(line, &d.row, body)
	}
}

// prefixTime lets the time before an object count, which has milliseconds where the one in
// it often has none, unless the one in it says more: a zone, or a date.
func (d *jsonDecoder) prefixTime(t []byte) {
	if t == nil {
		return
	}
	ahead, _ := timeWithin(t, 0)
	if d.row.set&(1<<tsCol) != 0 {
		if inner, ok := timeWithin(d.row.vals[tsCol], 0); ok && inner.better(ahead) {
			return
		}
	}
	mark := len(d.scratch)
	d.scratch = append(d.scratch, t...)
	v := d.scratch[mark:len(d.scratch):len(d.scratch)]
	if i := bytes.IndexByte(v, ','); i >= 0 {
		v[i] = '.'
	}
	d.row.put(target{col: tsCol}, v)
}

// noObject takes a line that does not begin as an object. Free text between the objects of
// an attempt log is none of ours; anything that has been part of an object, and any text in
// a bill, is a reject.
func (d *jsonDecoder) noObject(body []byte, line int64, out *sink) {
	if d.log && body[0] != '"' && body[len(body)-1] != '}' && !bytes.Contains(body, []byte(`":`)) {
		out.ignore()
		return
	}
	out.reject(line, "", "found text that is no JSON object, expected {", body)
}

// parse reads one whole object.
func (d *jsonDecoder) parse(p []byte) bool {
	d.p, d.i, d.bad, d.badAt = p, 0, "", target{col: noColumn}
	d.row.reset()
	d.keys.rewind()
	d.evt, d.scratch, d.path = nil, d.scratch[:0], d.path[:0]
	if !d.object() {
		return false
	}
	if d.i < len(p) {
		return d.fail("the end of the record")
	}
	return true
}

// object reads an object whose { is next.
func (d *jsonDecoder) object() bool {
	d.i++
	if d.next() == '}' {
		d.i++
		return true
	}
	for {
		if d.next() != '"' {
			return d.fail("a key in quotes")
		}
		key, ok := d.text(true)
		if !ok {
			return false
		}
		if d.next() != ':' {
			return d.fail("a colon")
		}
		d.i++
		if !d.member(key) {
			return false
		}
		switch d.next() {
		case ',':
			d.i++
		case '}':
			d.i++
			return true
		default:
			return d.fail("a comma or }")
		}
	}
}

// member reads the value of a key of the object at hand.
func (d *jsonDecoder) member(key []byte) bool {
	t := d.resolve(key)
	c := d.next()
	if c == '{' && t.opens && (t.col == noColumn || !d.keys.names.raw) && len(d.path) < 256 {
		n := len(d.path)
		d.path = append(append(d.path, key...), '.')
		ok := d.object()
		d.path = d.path[:n]
		return ok
	}
	wanted := t.col != noColumn || d.record != nil
	d.badAt = t
	from := d.i
	v, scalar, ok := d.value(c, wanted)
	if !ok {
		return false
	}
	d.badAt.col = noColumn
	if !scalar && t.col == innerRecords {
		d.inner = d.p[from:d.i]
	} else if !scalar && t.col >= 0 && d.keys.names.raw {
		v, scalar = d.p[from:d.i:d.i], true
	}
	if d.record != nil && scalar {
		n := len(d.path)
		d.record(append(d.path, key...), v, t)
		d.path = d.path[:n]
	}
	switch {
	case !scalar:
	case t.col >= 0:
		d.row.put(t, v)
	case t.col == evtColumn && string(d.evt) != evtName:
		d.evt = v
	}
	return true
}

// resolve says what a key stands for, by its whole path.
func (d *jsonDecoder) resolve(key []byte) target {
	if len(d.path) == 0 {
		return d.keys.find(key)
	}
	n := len(d.path)
	path := append(d.path, key...)
	d.path = path[:n]
	return d.keys.find(path)
}

// value reads any value that begins with c; scalar is false for objects and arrays, and v
// is nil for null.
func (d *jsonDecoder) value(c byte, wanted bool) (v []byte, scalar, ok bool) {
	switch {
	case c == '"':
		v, ok = d.text(wanted)
		return v, true, ok
	case c == '{' || c == '[':
		return nil, false, d.skip()
	case c == 'n':
		return nil, true, d.literal("null")
	case c == 't':
		v, ok = d.p[d.i:], d.literal("true")
		return v[:min(4, len(v))], true, ok
	case c == 'f':
		v, ok = d.p[d.i:], d.literal("false")
		return v[:min(5, len(v))], true, ok
	case c == '-' || c >= '0' && c <= '9':
		from := d.i
		ok = d.number()
		return d.p[from:d.i], true, ok
	}
	return nil, false, d.fail("a value")
}

// next passes over blanks and returns the byte there, 0 at the end.
func (d *jsonDecoder) next() byte {
	for d.i < len(d.p) {
		c := d.p[d.i]
		if c > ' ' || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
		d.i++
	}
	return 0
}

// fail says what stands where something else was expected. It returns false.
func (d *jsonDecoder) fail(expected string) bool {
	if d.bad != "" {
		return false
	}
	found := "the end of the record"
	if d.i < len(d.p) {
		found = fmt.Sprintf("byte %d (%q)", d.i+1, rune(d.p[d.i]))
		if d.p[d.i] >= 0x80 {
			found = fmt.Sprintf("byte %d (0x%02x)", d.i+1, d.p[d.i])
		}
	}
	d.bad = "found " + found + ", expected " + expected
	return false
}
