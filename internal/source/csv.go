package source

import (
	"bytes"
	"fmt"
	"strings"
)

// csvDecoder reads comma, semicolon or tab separated records. A quote opens a field only as
// its first byte; in a quoted field two quotes are one, and line ends are text.
type csvDecoder struct {
	delim   byte
	header  []byte   // the header line as it stands in the file
	targets []target // of each column
	max     int

	names   nameTable // of the role, to tell a header
	row     row
	fields  int
	empty   bool   // no field so far has text
	bad     string // what is wrong with the record, "" if nothing
	scratch []byte // fields without their doubled quotes
}

func newCSVDecoder(rec Recognised, max int) *csvDecoder {
	return &csvDecoder{delim: rec.Delimiter, header: rec.header, targets: rec.targets, max: max, names: rec.names().table}
}

func (d *csvDecoder) decode(blk *block, out *sink) {
	data, line := blk.data, blk.line
	for len(data) > 0 {
		end, next := lineEnd(data)
		if bytes.IndexByte(data[:end], '"') < 0 {
			d.plain(data[:end], line, out)
			data, line = data[next:], line+1
			continue
		}
		n, open := d.measure(data)
		lines := int64(bytes.Count(data[:n], []byte{'\n'}))
		d.record(data[:n], line, lines > 1, open, out)
		data, line = data[n:], line+lines
	}
}

// lineEnd is where the first line of data ends, without and with its line end.
func lineEnd(data []byte) (end, next int) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i, i + 1
	}
	return len(data), len(data)
}

// measure is the length of the first record with its line end; open tells that a quote of
// it is never closed. It follows the same rule as csvScanner.
func (d *csvDecoder) measure(data []byte) (n int, open bool) {
	s := csvScanner{delim: d.delim, max: len(data)}
	for s.pos < len(data) {
		q := bytes.IndexByte(data[s.pos:], '"')
		if !s.quoted {
			if i := bytes.IndexByte(data[s.pos:], '\n'); i >= 0 && (q < 0 || i < q) {
				return s.pos + i + 1, false
			}
		}
		if q < 0 {
			break
		}
		q += s.pos
		if !s.quoted {
			s.outside(data, q)
			continue
		}
		if s.pos = q + 1; s.pos < len(data) && data[s.pos] == '"' {
			s.pos++
			continue
		}
		s.quoted = false
	}
	return len(data), s.quoted
}

// record takes a record that has quotes. One that cannot be read and spans lines is taken
// line by line: a quote that is missing somewhere must not swallow good lines.
func (d *csvDecoder) record(data []byte, line int64, spans, open bool, out *sink) {
	text := bytes.TrimSuffix(data, []byte{'\n'})
	if !spans && len(text) > d.max {
		out.reject(line, "", tooLong(int64(len(text)), d.max), text)
		return
	}
	if len(text) <= d.max {
		d.quoted(text, open)
		if !spans || d.bad == "" && d.fields == len(d.targets) {
			d.commit(text, line, out)
			return
		}
	}
	for len(data) > 0 {
		end, next := lineEnd(data)
		if bytes.IndexByte(data[:end], '"') < 0 || end > d.max {
			d.plain(data[:end], line, out)
		} else {
			_, open := d.measure(data[:end])
			d.quoted(data[:end], open)
			d.commit(data[:end], line, out)
		}
		data, line = data[next:], line+1
	}
}

// plain takes a line without quotes.
func (d *csvDecoder) plain(text []byte, line int64, out *sink) {
	if len(text) > d.max {
		out.reject(line, "", tooLong(int64(len(text)), d.max), text)
		return
	}
	d.begin()
	rest := bytes.TrimSuffix(text, []byte{'\r'})
	for {
		i := bytes.IndexByte(rest, d.delim)
		if i < 0 {
			break
		}
		d.field(rest[:i])
		rest = rest[i+1:]
	}
	d.field(rest)
	d.commit(text, line, out)
}

// quoted takes a record with quotes, without its line end.
func (d *csvDecoder) quoted(text []byte, open bool) {
	d.begin()
	if open {
		d.bad = "found a quote that is never closed, expected a closing quote"
		return
	}
	text = bytes.TrimSuffix(text, []byte{'\r'})
	for i := 0; ; i++ {
		if i < len(text) && text[i] == '"' {
			i = d.quotedField(text, i+1)
		} else {
			end := len(text)
			if j := bytes.IndexByte(text[i:], d.delim); j >= 0 {
				end = i + j
			}
			d.field(text[i:end])
			i = end
		}
		if i >= len(text) {
			return
		}
	}
}

// quotedField takes a field from behind its opening quote and returns where it ends.
func (d *csvDecoder) quotedField(text []byte, i int) int {
	from, mark := i, len(d.scratch)
	for {
		j := bytes.IndexByte(text[i:], '"')
		if j < 0 { // measure has found it closed, but behind the line end that was cut off
			d.bad = "found a quote that is never closed, expected a closing quote"
			return len(text)
		}
		i += j + 1
		if i == len(text) || text[i] != '"' {
			break
		}
		d.scratch = append(d.scratch, text[from:i]...)
		i++
		from = i
	}
	v := text[from : i-1]
	if mark < len(d.scratch) {
		d.scratch = append(d.scratch, v...)
		v = d.scratch[mark:len(d.scratch):len(d.scratch)]
	}
	d.field(v)
	if i < len(text) && text[i] != d.delim {
		d.bad = "found text behind a closing quote, expected " + delimName(d.delim)
		if j := bytes.IndexByte(text[i:], d.delim); j >= 0 {
			return i + j
		}
		return len(text)
	}
	return i
}

func (d *csvDecoder) begin() {
	d.row.reset()
	d.fields, d.empty, d.bad = 0, true, ""
	d.scratch = d.scratch[:0]
}

// field takes one value; an empty one is missing.
func (d *csvDecoder) field(v []byte) {
	if len(v) > 0 {
		d.empty = false
		if d.fields < len(d.targets) {
			if t := d.targets[d.fields]; t.col >= 0 && (!t.needUnit || carriesUnit(v)) {
				d.row.set |= 1 << t.col
				d.row.vals[t.col] = v
			}
		}
	}
	d.fields++
}

// commit decides what the record at hand is.
func (d *csvDecoder) commit(text []byte, line int64, out *sink) {
	line1 := bytes.TrimSuffix(text, []byte{'\r'})
	switch {
	case d.bad != "":
		out.reject(line, "", d.bad, text)
	case len(bytes.TrimSpace(line1)) == 0:
		// a blank line is no row
	case d.empty:
		out.ignore() // a row of delimiters, as spreadsheets leave them below a table
	case d.otherHeader(line1):
		out.fail(&Error{Line: line, Found: "the header of another table (" + some(strings.Split(string(line1), string(d.delim)), 30) + ")",
			Expected: "rows under the header " + some(strings.Split(string(d.header), string(d.delim)), 30), Kind: ErrUnrecognised,
			Hint: fmt.Sprintf("split the file before line %d and name both parts", line)})
	case d.fields != len(d.targets):
		out.reject(line, "", fmt.Sprintf("found %d fields, expected %d", d.fields, len(d.targets)), text)
	case bytes.Equal(bytes.TrimPrefix(line1, utf8Mark), d.header):
		out.header() // where files were joined, each with its byte order mark
	default:
		d.row.seen = d.row.set
		out.add(line, &d.row, text)
	}
}

// otherHeader tells a header that is not this file's, where exports of different columns were
// joined: what follows it would be read into the wrong columns. Rows have digits; a header
// names three columns or more.
func (d *csvDecoder) otherHeader(text []byte) bool {
	if bytes.ContainsAny(text, "0123456789") || bytes.Equal(bytes.TrimPrefix(text, utf8Mark), d.header) {
		return false
	}
	known := 0
	for _, name := range bytes.Split(text, []byte{d.delim}) {
		if _, ok := d.names.byName[normalise(string(name))]; ok {
			known++
		}
	}
	return known >= 3
}

func delimName(d byte) string {
	switch d {
	case '\t':
		return "a tab"
	case ';':
		return "a semicolon"
	}
	return "a comma"
}
