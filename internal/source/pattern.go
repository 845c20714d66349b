package source

import (
	"bytes"
	"regexp"
)

// patternDecoder reads text lines that a format's pattern takes apart: its named groups are
// the columns. Other lines are ignored.
type patternDecoder struct {
	pattern *regexp.Regexp
	cols    []int // of each group, noColumn where it has no name of ours
	max     int
	row     row
}

func newPatternDecoder(rec Recognised, max int) *patternDecoder {
	d := &patternDecoder{pattern: rec.vendor.pattern, max: max}
	for _, name := range d.pattern.SubexpNames() {
		t, ok := rec.vendor.levels[0].byName[normalise(name)]
		if name == "" || !ok {
			t.col = noColumn
		}
		d.cols = append(d.cols, t.col)
	}
	return d
}

func (d *patternDecoder) decode(blk *block, out *sink) {
	data, line := blk.data, blk.line
	for len(data) > 0 {
		end, next := lineEnd(data)
		d.one(bytes.TrimRight(data[:end], " \t\r"), line, out)
		data, line = data[next:], line+1
	}
}

func (d *patternDecoder) one(text []byte, line int64, out *sink) {
	if len(text) == 0 {
		return
	}
	if len(text) > d.max {
		out.reject(line, "", tooLong(int64(len(text)), d.max), text)
		return
	}
	at := d.pattern.FindSubmatchIndex(text)
	if at == nil {
		out.ignore()
		return
	}
	d.row.reset()
	for group, col := range d.cols {
		if from, to := at[2*group], at[2*group+1]; col >= 0 && from >= 0 && to > from {
			d.row.put(target{col: col}, text[from:to:to])
		}
	}
	out.add(line, &d.row, text)
}
