package source

import (
	"bytes"
	"slices"
)

// vendor takes the sample as a format with a query of its own: of those whose signature it has,
// the one that asks for most. A role that the user forces leaves out what does not give it. The
// error says why a format that is known is not read.
func (s *sample) vendor(forced Role) (rec Recognised, err *Error) {
	if s.long {
		return rec, nil
	}
	rec, line := s.vendorJSON(), int64(0)
	if rec.vendor == nil {
		rec, line = s.vendorCSV()
	}
	f := rec.vendor
	switch {
	case f == nil, forced != "" && !slices.Contains(f.Roles, forced):
		return Recognised{}, nil
	case f.Refused != "":
		return rec, &Error{Line: line, Found: f.What, Expected: f.Refused, Kind: ErrUnrecognised, Hint: f.Hint}
	case f.Priced && !s.priced && slices.Contains(f.Roles, Charges) && forced != Attempts:
		return rec, &Error{Line: line, Found: f.What, Expected: "a price list beside it", Kind: ErrUnrecognised,
			Hint: "name one: --prices FILE"}
	}
	rec.Format, rec.Role = f.Name, forced
	if len(f.Roles) == 1 {
		rec.Role = f.Roles[0]
	}
	return rec, nil
}

// best is the format that one of the shapes fits best; of two alike the first.
func best(syntax Syntax, shapes []shape) *Format {
	var found *Format
	most := 0
	for _, f := range allFormats() {
		if !f.reads(syntax) {
			continue
		}
		for _, s := range shapes {
			if score, ok := f.fits(s); ok && score > most {
				found, most = f, score
			}
		}
	}
	return found
}

// vendorJSON looks at the first records of a JSON text.
func (s *sample) vendorJSON() Recognised {
	rec, line, err := s.jsonShape()
	if err != nil || line == 0 {
		return Recognised{}
	}
	var shapes []shape
	for _, text := range s.jsonRecords(rec) {
		if text = bytes.TrimSpace(text); len(text) == 0 || text[0] != '{' {
			continue
		}
		if sh := jsonShapeOf(text); sh != nil {
			shapes = append(shapes, sh)
		}
	}
	if rec.vendor = best(JSONL, shapes); rec.vendor != nil && rec.vendor.aliases {
		// What holds for any attempt log holds for this one.
		cols, marked := s.jsonColumns(rec, Attempts)
		rec.xid, rec.marked = xidDecides(Attempts, cols), marked
	}
	return rec
}

// vendorCSV looks at the header of a table and its first rows.
func (s *sample) vendorCSV() (rec Recognised, line int64) {
	for _, delim := range []byte{',', ';', '\t'} {
		h := s.csvHeader(delim)
		if h == nil || len(h.names) < 2 {
			continue
		}
		sh := shape{}
		for _, n := range h.names {
			sh.note(normalise(n))
		}
		for row := range s.csvRows(h) {
			for i := range min(len(row), len(h.names)) {
				if n := normalise(h.names[i]); n != "" && row[i] != "" {
					sh[n] = append(sh[n], row[i])
				}
			}
		}
		if rec.vendor = best(CSV, []shape{sh}); rec.vendor != nil {
			s.header(&rec, h)
			return rec, s.lineAt(h.from)
		}
	}
	return Recognised{}, 0
}

// header says which column of a table becomes which column of the format.
func (s *sample) header(rec *Recognised, h *csvHeader) {
	rec.Syntax, rec.Delimiter = CSV, h.delim
	rec.tableAt(s, h)
	rec.take(h.names)
}

// vendorTable takes a table that something else decodes as a format with a query of its own, by
// the names of its columns. A format whose values tell it, or that needs a price list, is not told.
func vendorTable(names []string, forced Role) (rec Recognised, err *Error) {
	sh := shape{}
	for _, n := range names {
		sh.note(normalise(n))
	}
	f := best(CSV, []shape{sh})
	switch {
	case f == nil, f.Priced, forced != "" && !slices.Contains(f.Roles, forced):
		return Recognised{}, nil
	case f.Refused != "":
		return rec, &Error{Found: f.What, Expected: f.Refused, Hint: f.Hint}
	}
	rec = Recognised{Syntax: Parquet, Format: f.Name, Role: forced, vendor: f}
	if len(f.Roles) == 1 {
		rec.Role = f.Roles[0]
	}
	rec.take(names)
	return rec, nil
}

// take says which of the columns of a table become which of the format.
func (rec *Recognised) take(names []string) {
	table, taken := rec.vendor.levels[len(rec.vendor.levels)-1], map[int]int{}
	for i, n := range names {
		t, ok := table.byName[normalise(n)]
		if !ok {
			t.col = noColumn
		}
		if j, another := taken[t.col]; ok && another {
			if t.rank >= rec.targets[j].rank {
				t.col = noColumn
			} else {
				rec.targets[j].col = noColumn
			}
		}
		if t.col >= 0 {
			taken[t.col] = i
		}
		rec.targets = append(rec.targets, t)
	}
	for i, t := range rec.targets {
		if t.col >= 0 {
			rec.Columns = append(rec.Columns, Mapping{names[i], rec.vendor.Columns[t.col]})
		} else {
			rec.Unused = append(rec.Unused, names[i])
		}
	}
}

// patternLines takes the sample as text lines that the pattern of a format takes apart, if it
// has any.
func (s *sample) patternLines(forced Role) (Recognised, bool) {
	for _, f := range allFormats() {
		if f.pattern == nil || forced != "" && !slices.Contains(f.Roles, forced) {
			continue
		}
		for _, line := range s.lines() {
			if f.pattern.Match(bytes.TrimRight(line, " \t\r")) {
				return Recognised{Role: f.Roles[0], Format: f.Name, Syntax: Lines, vendor: f}, true
			}
		}
	}
	return Recognised{}, false
}
