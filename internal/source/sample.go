package source

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
)

const (
	sampleBytes = 64 << 10
	sampleLines = 200
)

// sample is the head of a file, in whole lines where it has any.
type sample struct {
	file  string
	text  []byte
	whole bool // it is the whole file
	start int  // of the first line that is not blank
}

// readSample reads the head of a file: about n bytes, or more if the first line is longer.
func readSample(in *Input, n int) (*sample, error) {
	c, err := openContent(in)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	s := &sample{file: in.Name}
	for limit := n; ; limit *= 4 {
		more, err := io.ReadAll(io.LimitReader(c, int64(limit-len(s.text))))
		if err != nil {
			return nil, err
		}
		s.text = append(s.text, more...)
		s.whole = len(s.text) < limit
		s.start = len(s.text) - len(bytes.TrimLeft(s.text, " \t\r\n"))
		if s.whole || limit > maxLine || bytes.IndexByte(s.text[s.start:], '\n') >= 0 {
			break
		}
	}
	if s.start == len(s.text) && s.whole {
		found := "an empty file"
		if s.start > 0 {
			found = "only blank lines"
		}
		return nil, &Error{File: in.Name, Found: found, Expected: "records", Kind: ErrEmpty}
	}
	s.start = bytes.LastIndexByte(s.text[:s.start], '\n') + 1
	if i := bytes.LastIndexByte(s.text[s.start:], '\n'); !s.whole && i >= 0 {
		s.text = s.text[:s.start+i+1]
	}
	return s, nil
}

// lines are the lines of the sample: the first few of a usual one, all of a large one.
func (s *sample) lines() [][]byte {
	n := sampleLines
	if len(s.text) > sampleBytes {
		n = len(s.text)
	}
	lines := bytes.SplitN(s.text[s.start:], []byte{'\n'}, n+1)
	return lines[:min(n, len(lines))]
}

// lineAt is the 1-based number of the line at an offset.
func (s *sample) lineAt(offset int) int64 {
	return 1 + int64(bytes.Count(s.text[:offset], []byte{'\n'}))
}

// binaryKind names a content that is no text, or is "".
func binaryKind(b []byte) string {
	for magic, what := range map[string]string{
		"PK\x03\x04":       "a zip archive or a spreadsheet",
		"PAR1":             "a Parquet file",
		"%PDF":             "a PDF",
		"\xd0\xcf\x11\xe0": "an old Excel or Word file",
		"SQLite format 3":  "an SQLite database",
		"BZh":              "a bzip2 archive",
		"\xfd7zXZ":         "an xz archive",
	} {
		if bytes.HasPrefix(b, []byte(magic)) {
			return what
		}
	}
	head, control := b[:min(len(b), 4096)], 0
	for _, c := range head {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\x1b' {
			control++
		}
	}
	if control*20 > len(head) {
		return "binary data"
	}
	return ""
}

// csv takes the sample as a table with a header, under the delimiter that gives most
// columns that we know.
func (s *sample) csv(forced Role) (Recognised, *Error, bool) {
	var best *csvHeader
	for _, d := range []byte{',', ';', '\t'} {
		if h := s.csvHeader(d); h != nil && (best == nil || h.known > best.known ||
			h.known == best.known && len(h.names) > len(best.names)) {
			best = h
		}
	}
	if best == nil || best.known == 0 || len(best.names) < 2 {
		return Recognised{}, nil, false
	}
	line := s.lineAt(best.from)
	m, err := choose(forced, func(Role) []column { return s.csvColumns(best) }, line)
	if err != nil {
		return Recognised{}, err, best.known > 1 && forced != ""
	}
	rec := m.recognised(CSV)
	rec.Delimiter = best.delim
	rec.targets = m.targets
	rec.header = bytes.TrimRight(s.text[best.from:best.end], "\r\n")
	rec.skipBytes = int64(best.end)
	rec.skipLines = int64(bytes.Count(s.text[:best.end], []byte{'\n'}))
	rec.hide = newCellHider(best.delim, m)
	return rec, nil, true
}

// csvHeader is the first record of a table.
type csvHeader struct {
	delim     byte
	names     []string
	known     int // names that some role knows
	from, end int // its bytes, line end included
}

func (s *sample) csvHeader(delim byte) *csvHeader {
	from := s.start
	if end, next := lineEnd(s.text[from:]); bytes.HasPrefix(s.text[from:], []byte("sep=")) && end <= 6 {
		from += next // Excel names the delimiter in a line of its own
	}
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
	r := csv.NewReader(bytes.NewReader(s.text[h.end:]))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = rune(h.delim), true, -1, true
	for range sampleLines {
		rec, err := r.Read()
		if err != nil {
			break
		}
		for i := range min(len(rec), len(cols)) {
			cols[i].see([]byte(rec[i]))
		}
	}
	return cols
}

// see takes note of a value.
func (c *column) see(v []byte) {
	c.valued = c.valued || len(v) > 0
	c.unit = c.unit || carriesUnit(v)
}
