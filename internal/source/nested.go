package source

import "bytes"

// innerRecords is what a key of a nested decoder's outer levels stands for: the records inside.
const innerRecords = -3

// names resolves the keys of one level of a format's records, 0 the outermost.
func (f *Format) names(level int) names {
	n := names{table: f.levels[level], raw: !f.aliases}
	if f.aliases {
		n.role = Attempts
	}
	if level < len(f.steps) {
		n.inner = normalise(f.steps[level])
	}
	return n
}

// nestedDecoder reads JSON whose records hold the ones that count in lists, one inside the
// other, as OpenTelemetry holds spans. Each inner record is a row, and has what the format
// takes of the records around it. A list that is empty is one row that is ignored.
type nestedDecoder struct {
	levels []*jsonDecoder
	row    row
	max    int
}

func newNestedDecoder(rec Recognised, max int) *nestedDecoder {
	d := &nestedDecoder{max: max}
	for i := range rec.vendor.levels {
		level := newJSONDecoder(rec, max)
		level.keys = newKeyCache(rec.vendor.names(i))
		d.levels = append(d.levels, level)
	}
	return d
}

func (d *nestedDecoder) decode(blk *block, out *sink) {
	eachRecord(blk, out, func(text []byte, line int64) { d.one(text, line, out) })
}

// one takes an outermost record.
func (d *nestedDecoder) one(text []byte, line int64, out *sink) {
	if len(text) > d.max {
		out.reject(line, "", tooLong(int64(len(text)), d.max), text)
		return
	}
	body := bytes.Trim(text, " \t\r\n")
	switch {
	case len(body) == 0:
	case body[0] != '{':
		out.reject(line, "", "found text that is no JSON object, expected {", text)
	default:
		d.row.reset()
		d.open(0, body, line, out)
	}
}

// open takes a record of a level: its own values stay in the row for all that is inside.
func (d *nestedDecoder) open(level int, body []byte, line int64, out *sink) {
	dec := d.levels[level]
	dec.inner = nil
	if !dec.parse(body) {
		out.reject(line, "", dec.bad, body)
		return
	}
	outer := d.row
	d.row.take(&dec.row)
	if level == len(d.levels)-1 {
		out.add(line, &d.row, body)
	} else if n := d.each(level, dec.inner, line, out); n == 0 {
		out.ignore()
	}
	d.row = outer
}

// each opens the records of a list, or one that stands alone, and counts them.
func (d *nestedDecoder) each(level int, list []byte, line int64, out *sink) (n int) {
	if len(list) == 0 {
		return 0
	}
	if list[0] == '{' {
		d.open(level+1, list, line, out)
		return 1
	}
	walk := jsonDecoder{p: list, i: 1}
	for {
		c := walk.next()
		if c == ',' {
			walk.i++
			continue
		}
		if c == ']' || c == 0 {
			return n
		}
		from := walk.i
		if _, _, ok := walk.value(c, false); !ok {
			return n // parse has found the list to be in order
		}
		if n++; c == '{' {
			d.open(level+1, list[from:walk.i], line, out)
		} else {
			out.reject(line, "", "found a value that is no JSON object, expected a record", list[from:walk.i])
		}
	}
}

// take adds the values of another row.
func (r *row) take(o *row) {
	for col := range r.vals {
		if bit := uint64(1) << col; o.seen&bit != 0 {
			r.seen |= bit
			r.set = r.set&^bit | o.set&bit
			r.vals[col], r.rank[col] = o.vals[col], o.rank[col]
		}
	}
}
