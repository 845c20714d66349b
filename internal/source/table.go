package source

import (
	"bytes"
	"encoding/csv"
	"iter"
	"slices"
	"strings"
)

// csv takes the sample as a table with a header, under the delimiter that gives most
// columns that we know.
func (s *sample) csv(forced Role) (Recognised, *Error, bool) {
	best := s.bestHeader()
	if best == nil || len(best.names) < 2 {
		return Recognised{}, nil, false
	}
	line := s.lineAt(best.from)
	if own := ownOutput(best.names); own != "" {
		e := &Error{Line: line, Found: "retrytax's own " + own, Expected: "a billing export",
			Hint: "leave the report's folder out of the files"}
		if forced == Attempts {
			e.Expected = "an attempt log"
		}
		return Recognised{}, e, true
	}
	if best.known == 0 && mapColumns(Bills, s.csvColumns(best), nil).problem(line, forceHint) != nil {
		return Recognised{}, s.foreignTable(best, forced, line), false
	}
	return s.csvTable(best, forced, nil)
}

// csvTable takes the sample as a table under a header.
func (s *sample) csvTable(h *csvHeader, forced Role, by *Map) (Recognised, *Error, bool) {
	line, columns := s.lineAt(h.from), s.csvColumns(h)
	m, err := choose(forced, s.priced, by, func(Role) []column { return columns }, line)
	if err != nil {
		return Recognised{}, err, h.known > 1 && forced != ""
	}
	if err := m.twins(line); err != nil {
		return Recognised{}, err, true
	}
	rec := m.recognised(CSV)
	rec.Delimiter = h.delim
	rec.targets = m.targets
	rec.tableAt(s, h)
	rec.Skipped, rec.skippedTo = h.above, line
	return rec, nil, true
}

// tableAt says where the rows below a header begin.
func (r *Recognised) tableAt(s *sample, h *csvHeader) {
	r.header = bytes.TrimRight(s.text[h.from:h.end], "\r\n")
	r.skipBytes = int64(h.end)
	r.skipLines = int64(bytes.Count(s.text[:h.end], []byte{'\n'}))
	r.hide = newCellHider(h.delim, h.names)
}

// bestHeader is the header under the most likely delimiter, or nil.
func (s *sample) bestHeader() (best *csvHeader) {
	for _, d := range []byte{',', ';', '\t'} {
		if h := s.csvHeader(d); h != nil && (best == nil || h.known > best.known ||
			h.known == best.known && len(h.names) > len(best.names)) {
			best = h
		}
	}
	return best
}

// ownOutputs are columns by which the tables that retrytax writes are told.
var ownOutputs = []struct {
	file    string
	columns []string
}{
	{"verdicts.csv", []string{"verdict", "recovery", "settled", "delivered_charge_id"}},
	{"rejects.csv", []string{"source_file", "source_line", "column", "reason", "raw"}},
}

// ownOutput names the output of retrytax that has these columns, or is "". Read as a bill,
// the verdicts of the last audit would be counted as charges again.
func ownOutput(names []string) string {
	has := map[string]bool{}
	for _, n := range names {
		has[normalise(n)] = true
	}
	for _, o := range ownOutputs {
		if !slices.ContainsFunc(o.columns, func(c string) bool { return !has[normalise(c)] }) {
			return o.file
		}
	}
	return ""
}

// foreignTable says of a table of which no column is known what it lacks; nil where the
// text is hardly a table with a header.
func (s *sample) foreignTable(h *csvHeader, forced Role, line int64) *Error {
	if !s.looksLikeTable(h) {
		return nil
	}
	cols := s.csvColumns(h)
	e := mapColumns(Charges, cols, nil).problem(line, "")
	switch forced {
	case Charges:
	case Attempts, Bills:
		e = mapColumns(forced, cols, nil).problem(line, "")
	default:
		e.Expected = "for a billing export columns for charged_at and amount, for an attempt log a time and one of outcome, status and reason"
		e.Hint = "retrytax formats retrytax-charges lists the names under which columns are found"
	}
	return e
}

// looksLikeTable tells a header and rows of as many fields from prose with commas, from a
// log and from a table without a header.
func (s *sample) looksLikeTable(h *csvHeader) bool {
	if slices.ContainsFunc(h.names, func(n string) bool {
		return n == "" || len(n) > 40 || n[0] >= '0' && n[0] <= '9' || strings.ContainsAny(n, "={}[]")
	}) {
		return false
	}
	for rec := range s.csvRows(h) {
		if len(rec) != len(h.names) {
			return false
		}
	}
	return true
}

// csvHeader is the first record of a table.
type csvHeader struct {
	delim     byte
	names     []string
	known     int   // names that some role knows
	from, end int   // its bytes, line end included
	above     int64 // lines above it that hold something
}

func (s *sample) csvHeader(delim byte) *csvHeader {
	from := s.start
	if end, next := lineEnd(s.text[from:]); bytes.HasPrefix(s.text[from:], []byte("sep=")) && end <= 6 {
		from += next // Excel names the delimiter in a line of its own
	}
	return s.csvHeaderAt(from, delim)
}

// csvHeaderAt takes the record that begins at a place as a header; nil if none does.
func (s *sample) csvHeaderAt(from int, delim byte) *csvHeader {
	r := csv.NewReader(bytes.NewReader(s.text[from:]))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = rune(delim), true, -1
	names, err := r.Read()
	if err != nil {
		return nil
	}
	h := &csvHeader{delim: delim, names: names, from: from, end: from + int(r.InputOffset())}
	for i, n := range names {
		h.names[i] = strings.TrimSpace(n)
		norm := normalise(n)
		_, a := nameTables[Attempts].byName[norm]
		if _, c := nameTables[Charges].byName[norm]; a || c {
			h.known++
		}
	}
	return h
}

// csvColumns are the columns with what the sample shows of their values.
func (s *sample) csvColumns(h *csvHeader) []column {
	cols := make([]column, len(h.names))
	for i, n := range h.names {
		cols[i].name = n
	}
	for rec := range s.csvRows(h) {
		for i := range min(len(rec), len(cols)) {
			cols[i].see([]byte(rec[i]))
		}
	}
	return cols
}

// csvRows gives the first rows below a header; the slice serves again for the next one.
func (s *sample) csvRows(h *csvHeader) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		r := csv.NewReader(bytes.NewReader(s.text[h.end:]))
		r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = rune(h.delim), true, -1, true
		for range sampleLines {
			rec, err := r.Read()
			if err != nil || !yield(rec) {
				return
			}
		}
	}
}
