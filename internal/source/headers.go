package source

import (
	"bytes"
	"cmp"
	"slices"
)

// headerAmong finds the header among the first rows of a table, above which a title, a
// period or a customer's name may stand: the row with most names that some role or one of
// the user's mappings knows, if it has two; else the first with the most texts.
func headerAmong(rows [][]string, maps []*Map) int {
	best, bestKnown, widest, texts := 0, 0, 0, 0
	for i, row := range rows {
		known, filled := 0, 0
		for _, name := range row {
			if name == "" {
				continue
			}
			filled++
			if knownName(name, maps) {
				known++
			}
		}
		if known > bestKnown {
			best, bestKnown = i, known
		}
		if filled > texts {
			widest, texts = i, filled
		}
	}
	if bestKnown >= 2 {
		return best
	}
	return widest
}

// knownName tells a name that some role or mapping knows.
func knownName(name string, maps []*Map) bool {
	n := normalise(name)
	_, a := nameTables[Attempts].byName[n]
	_, c := nameTables[Charges].byName[n]
	return a || c || slices.ContainsFunc(maps, func(m *Map) bool { return m.names(name) })
}

// laterCSV takes the sample as a table whose header has other lines above it: a title, a
// period, the name of a customer.
func (s *sample) laterCSV(forced Role) (Recognised, *Error, bool) {
	var best *csvHeader
	for _, d := range []byte{',', ';', '\t'} {
		hs := s.headersUnder(d)
		rows := make([][]string, len(hs))
		for i, h := range hs {
			rows[i] = h.names
		}
		if len(hs) == 0 {
			continue
		}
		if at := headerAmong(rows, nil); hs[at].known >= 2 && (best == nil || hs[at].known > best.known) {
			best = hs[at]
		}
	}
	if best == nil || best.above == 0 {
		return Recognised{}, nil, false
	}
	rec, err, ok := s.csvTable(best, forced, nil)
	if err != nil {
		return Recognised{}, nil, false // the lines above it are as likely to be the table
	}
	return rec, nil, ok
}

// headersUnder are the first records of the sample, each as a header under that delimiter.
func (s *sample) headersUnder(delim byte) (out []*csvHeader) {
	for at := s.start; at < len(s.text) && len(out) < headerRows; {
		end, next := lineEnd(s.text[at:])
		if len(bytes.TrimSpace(s.text[at:at+end])) == 0 {
			at += next
			continue
		}
		h := s.csvHeaderAt(at, delim)
		if h == nil || h.end <= at {
			break
		}
		h.above = int64(len(out))
		out = append(out, h)
		at = h.end
	}
	return out
}

// byMaps takes the sample as the user's mappings say. The error is errNoMap where none fits.
func (s *sample) byMaps(forced Role) (Recognised, error) {
	for _, m := range s.maps {
		role := m.Role
		if forced != "" {
			// A mapping of an amount alone is one of an invoice, too.
			if role != "" && role != forced && !m.gives(forced) {
				continue
			}
			role = forced
		}
		if rec, err, fits := s.byMap(m, role); fits {
			if err != nil {
				err.File, err.Kind = s.file, ErrUnrecognised
				return Recognised{}, err
			}
			return rec, nil
		}
	}
	if len(s.maps) > 0 && s.maps[0].Must {
		m := s.maps[0]
		_, cols := s.table(m)
		has := namesOf(cols)
		return Recognised{}, notMapped(s.file, m.missing(has), has)
	}
	return Recognised{}, errNoMap
}

// byMap takes the sample as one mapping says, if it has all of its columns.
func (s *sample) byMap(m *Map, role Role) (Recognised, *Error, bool) {
	if shape, line, err := s.jsonShape(); err == nil && line > 0 {
		shape.mapped = m
		if cols, _ := s.jsonColumns(shape, cmp.Or(role, Charges)); m.missing(namesOf(cols)) != nil {
			return Recognised{}, nil, false
		}
		rec, err, _ := s.jsonRole(shape, role, m, line)
		return rec, err, true
	}
	if h := s.headerFor(m); h != nil {
		rec, err, _ := s.csvTable(h, role, m)
		return rec, err, true
	}
	if role == Charges || role == Bills {
		return Recognised{}, nil, false
	}
	if set, marked := s.logfmtColumns(false, m); len(set.cols) > 0 && m.missing(namesOf(set.cols)) == nil {
		rec := mapColumns(Attempts, set.cols, m).recognised(Logfmt)
		rec.marked = marked
		return rec, nil, true
	}
	return Recognised{}, nil, false
}

// headerFor is the first line that has all columns of a mapping, as a header; nil if none has.
func (s *sample) headerFor(m *Map) *csvHeader {
	for _, d := range []byte{',', ';', '\t'} {
		for _, h := range s.headersUnder(d) {
			if m.missing(h.names) == nil {
				return h
			}
		}
	}
	return nil
}

func namesOf(cols []column) []string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = c.name
	}
	return out
}

// table is the sample as a table of columns, whatever they are called: JSON objects, or the
// widest line as a header. The columns are nil where it is none.
func (s *sample) table(by *Map) (h *csvHeader, cols []column) {
	if shape, line, err := s.jsonShape(); err == nil && line > 0 {
		shape.mapped = by
		cols, _ := s.jsonColumns(shape, Charges)
		return nil, cols
	}
	for _, d := range []byte{',', ';', '\t'} {
		hs := s.headersUnder(d)
		if len(hs) == 0 {
			continue
		}
		rows := make([][]string, len(hs))
		for i, h := range hs {
			rows[i] = h.names
		}
		at := headerAmong(rows, s.maps)
		if len(hs[at].names) > 1 && s.looksLikeTable(hs[at]) && (h == nil || hs[at].known > h.known || hs[at].known == h.known && len(hs[at].names) > len(h.names)) {
			h = hs[at]
		}
	}
	if h == nil {
		return nil, nil
	}
	return h, s.csvColumns(h)
}
