package source

import (
	"bytes"
	"slices"
	"strings"
)

// envelopes are the keys under which an answer of an API carries its records.
var envelopes = []string{"data", "items", "results", "records", "rows", "list", "logs", "entries",
	"generations", "charges", "attempts", "result", "events", "observations"}

var (
	amountCol    = columnIndex(Charges, "amount")
	chargeNeeded = uint64(1)<<amountCol | 1<<columnIndex(Charges, "charged_at")
)

// json takes the sample as JSON: one object a line, an array, an envelope, or objects over
// several lines.
func (s *sample) json(forced Role) (Recognised, *Error, bool) {
	shape, line, err := s.jsonShape()
	if err != nil || line == 0 {
		return Recognised{}, err, err != nil
	}
	return s.jsonRole(shape, forced, nil, line)
}

// firstText is where the first byte that is not blank stands.
func (s *sample) firstText() int {
	return s.start + len(s.text[s.start:]) - len(bytes.TrimLeft(s.text[s.start:], " \t\r\n"))
}

// jsonShape tells how the records of a JSON text lie in it, and where the text begins; line
// is 0 where the text is no JSON.
func (s *sample) jsonShape() (shape Recognised, line int64, err *Error) {
	at := s.firstText()
	if at == len(s.text) {
		return shape, 0, nil
	}
	shape.Syntax = JSONL
	switch rest := s.text[at:]; rest[0] {
	case '[':
		inner := bytes.TrimLeft(rest[1:], " \t\r\n")
		if len(inner) > 0 && inner[0] == ']' {
			return shape, 0, &Error{Found: "an empty JSON array", Expected: "records"}
		}
		if len(inner) == 0 || inner[0] != '{' {
			return shape, 0, nil
		}
		s.document(&shape, at+1, 0, true)
	case '{':
		s.objectShape(&shape, at)
	default:
		return shape, 0, nil
	}
	return shape, s.lineAt(at), nil
}

// laterJSON takes the sample as JSON lines behind something else: the text with which a log
// begins, or half a line where a file was split.
func (s *sample) laterJSON(forced Role) (Recognised, *Error, bool) {
	if !bytes.Contains(s.text, []byte("\n{")) {
		return Recognised{}, nil, false
	}
	return s.jsonRole(Recognised{Syntax: JSONL}, forced, nil, 0)
}

// jsonRole finds the role of JSON records.
func (s *sample) jsonRole(shape Recognised, forced Role, by *Map, line int64) (Recognised, *Error, bool) {
	marked := false
	shape.mapped = by
	m, err := choose(forced, s.priced, by, func(r Role) []column {
		cols, evt := s.jsonColumns(shape, r)
		marked = marked || evt
		return cols
	}, line)
	if err != nil {
		switch {
		case len(m.all) == 0:
			err.Found = "no JSON object that is whole"
		case !slices.ContainsFunc(m.all, func(n string) bool { return n != "error" && !strings.HasPrefix(n, "error.") }):
			err.Found, err.Expected = "an API's error answer ("+some(m.all, 30)+")", "its records"
			err.Hint = "download the export again: look at the file for what the server complained of"
		}
		return Recognised{}, err, len(m.all) > 0
	}
	rec := m.recognised(JSONL)
	rec.marked = marked && rec.Role == Attempts
	rec.shape, rec.array, rec.outer = shape.shape, shape.array, shape.outer
	rec.skipBytes, rec.skipLines = shape.skipBytes, shape.skipLines
	return rec, nil, true
}

// document says that the records are not one a line and where they begin.
func (s *sample) document(r *Recognised, at, outer int, array bool) {
	r.shape, r.array, r.outer = jsonDocument, array, outer
	r.skipBytes, r.skipLines = int64(at), s.lineAt(at)-1
}

// objectShape tells what begins with the { at a place: a record that fills its line, an
// envelope, or a record printed over several lines.
func (s *sample) objectShape(r *Recognised, at int) {
	end, _ := lineEnd(s.text[at:])
	d := newJSONDecoder(Recognised{Role: Attempts}, maxLine)
	bill := newJSONDecoder(Recognised{Role: Charges}, maxLine)
	line := bytes.TrimSpace(s.text[at : at+end])
	oneLine := d.parse(line)
	if oneLine && (d.row.set&timeColumns != 0 || bill.parse(line) && bill.row.set&chargeNeeded == chargeNeeded) {
		return // a record, whatever lists it carries
	}
	if in, outer, ok := s.envelope(at); ok {
		s.document(r, in, outer, true)
		return
	}
	if !oneLine && d.i < len(line) && d.i > 0 && line[d.i-1] == '}' && line[d.i] == '{' {
		s.document(r, at, 0, false) // objects one behind the other, without line ends
		return
	}
	if !oneLine && len(line) < len(bytes.TrimSpace(s.text[at:])) && d.i == len(line) {
		// The line ends inside the object: it goes on in the next one, unless the next one
		// begins an object of its own, as a record may that was cut short; but none is cut just where
		// a list opens.
		if next := bytes.TrimSpace(s.text[at+end:]); next[0] == '"' || next[0] == '}' || next[0] == '{' && line[len(line)-1] == '[' {
			s.document(r, at, 0, false)
		}
	}
}

// envelope finds the array of records inside the object at a place: where its first element
// begins, and how many brackets stand around the array.
func (s *sample) envelope(at int) (in, outer int, ok bool) {
	d := newJSONDecoder(Recognised{Role: Attempts}, maxLine)
	d.p, d.i = s.text, at
	for depth := 1; depth < 4; depth++ {
		d.i++ // the {
		c, found := d.findMember(envelopes)
		if !found {
			return 0, 0, false
		}
		if c == '[' {
			d.i++
			in = d.i
			return in, depth, d.next() == '{'
		}
	}
	return 0, 0, false
}

// findMember moves to the value of the first member with one of the keys, if that value is
// an object or an array.
func (d *jsonDecoder) findMember(keys []string) (c byte, ok bool) {
	for d.next() == '"' {
		key, ok := d.text(true)
		if !ok || d.next() != ':' {
			return 0, false
		}
		d.i++
		c := d.next()
		if slices.Contains(keys, string(key)) && (c == '{' || c == '[') {
			return c, true
		}
		if _, _, ok := d.value(c, false); !ok || d.next() != ',' {
			return 0, false
		}
		d.i++
	}
	return 0, false
}

// jsonColumns are the keys of the records of the sample, as a role opens them, and whether
// any carries evt=llm_call.
func (s *sample) jsonColumns(shape Recognised, r Role) ([]column, bool) {
	shape.Role = r
	d := newJSONDecoder(shape, maxLine)
	set, evt := columnSet{}, false
	type pair struct{ path, value []byte }
	var pairs []pair
	d.record = func(path, value []byte, _ target) {
		pairs = append(pairs, pair{bytes.Clone(path), bytes.Clone(value)})
	}
	for _, text := range s.jsonRecords(shape) {
		pairs = pairs[:0]
		text = bytes.TrimSpace(text)
		if len(text) == 0 || text[0] != '{' || !d.parse(text) {
			continue
		}
		for _, p := range pairs {
			set.add(p.path, p.value)
		}
		evt = evt || string(d.evt) == evtName
	}
	return set.cols, evt
}

// jsonRecords cuts the sample into records.
func (s *sample) jsonRecords(shape Recognised) [][]byte {
	if shape.shape == jsonLines {
		return s.lines()
	}
	var records [][]byte
	c := &jsonCutter{src: bytes.NewReader(s.text[shape.skipBytes:]), size: len(s.text), max: maxLine, line: 1,
		array: shape.array, outer: shape.outer,
		get: func() []byte { return nil },
		emit: func(blk *block) error {
			for _, sp := range blk.spans {
				records = append(records, blk.data[sp.from:sp.to])
			}
			return nil
		}}
	c.run() // a source in memory gives no errors
	return records[:min(len(records), sampleLines)]
}
