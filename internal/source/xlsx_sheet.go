package source

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zip"
)

const (
	mostRows    = 1 << 20 // of a sheet, by the format's own limit
	mostColumns = 1 << 14
)

// read gives the rows of a sheet to s.
func (w *workbook) read(part *zip.File, name string, s *sheetWriter) error {
	err := w.tokens(part, name, func(x *xmlReader) error {
		var row []cell
		at := int64(0)
		for {
			t, err := x.d.RawToken()
			if err == io.EOF {
				return io.ErrUnexpectedEOF
			}
			if err != nil {
				return err
			}
			switch t := t.(type) {
			case xml.StartElement:
				x.attr = t.Attr
				switch t.Name.Local {
				case "row":
					if at, err = rowNumber(x.get("r"), at); err != nil {
						return err
					}
					row = row[:0]
				case "c":
					if row, err = w.cell(x, row); err != nil {
						return err
					}
				}
			case xml.EndElement:
				switch t.Name.Local {
				case "row":
					if err := s.add(at, row); err != nil {
						return err
					}
				case "sheetData":
					return s.finish()
				}
			}
		}
	})
	return err
}

// rowNumber is the number of a row, which rises.
func rowNumber(text string, before int64) (int64, error) {
	n := before + 1
	if text != "" {
		var err error
		if n, err = strconv.ParseInt(text, 10, 64); err != nil {
			return 0, fmt.Errorf("row %.20q", text)
		}
	}
	if n <= before || n > mostRows {
		return 0, fmt.Errorf("row %d behind row %d", n, before)
	}
	return n, nil
}

// cell reads one cell into its place in a row.
func (w *workbook) cell(x *xmlReader, row []cell) ([]cell, error) {
	col := len(row)
	if ref := x.get("r"); ref != "" {
		var ok bool
		if col, ok = columnOf(ref); !ok || col < len(row) {
			return nil, fmt.Errorf("cell %.20q behind column %d", ref, len(row))
		}
	}
	if col >= mostColumns {
		return nil, fmt.Errorf("column %d", col+1)
	}
	for len(row) < col {
		row = append(row, cell{})
	}
	kind, style := x.get("t"), 0
	if n, err := strconv.Atoi(x.get("s")); err == nil && n >= 0 {
		style = n
	}
	value, uncomputed, err := cellContent(x)
	if err != nil {
		return nil, err
	}
	c, err := w.valued(kind, style, value)
	c.uncomputed = uncomputed
	return append(row, c), err
}

// cellContent reads to the end of a cell that has just begun. A formula that has given an
// empty text has a value all the same: uncomputed is one without.
func cellContent(x *xmlReader) (value string, uncomputed bool, err error) {
	var b strings.Builder
	in := ""
	formula, stored := false, false
	for {
		t, err := x.d.RawToken()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", false, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			in = t.Name.Local
			formula, stored = formula || in == "f", stored || in == "v" || in == "is"
			if in == "is" {
				text, err := x.richText("is")
				if err != nil {
					return "", false, err
				}
				b.WriteString(text)
				in = ""
			}
		case xml.EndElement:
			in = ""
			if t.Name.Local == "c" {
				return b.String(), formula && !stored, nil
			}
		case xml.CharData:
			if in == "v" {
				b.Write(t)
			}
		}
	}
}

// valued is what a cell of that type shows.
func (w *workbook) valued(kind string, style int, value string) (cell, error) {
	switch kind {
	case "s":
		i, err := strconv.Atoi(value)
		if err != nil || i < 0 || i >= len(w.shared) {
			return cell{}, fmt.Errorf("text number %.20q of %d", value, len(w.shared))
		}
		return cell{text: w.shared[i], written: true}, nil
	case "b":
		if value == "1" {
			return cell{text: "true"}, nil
		}
		return cell{text: "false"}, nil
	case "", "n":
		if value == "" {
			return cell{}, nil
		}
		var f cellFormat
		if style < len(w.formats) {
			f = w.formats[style]
		}
		return number(value, f, w.date904), nil
	case "str":
		value = unescaped(value)
	}
	return cell{text: value, written: true}, nil // inlineStr, str, e, d
}

// columnOf is the number of a cell's column, from 0.
func columnOf(ref string) (int, bool) {
	n, i := 0, 0
	for ; i < len(ref) && i < 4 && ref[i] >= 'A' && ref[i] <= 'Z'; i++ {
		n = n*26 + int(ref[i]-'A') + 1
	}
	return n - 1, i > 0 && digits([]byte(ref[i:]))
}

// sheetWriter writes the rows of a sheet as CSV, a row a line: line n is row n. What stands
// above the header, and breaks within cells, are left out, so that the numbers stay right.
type sheetWriter struct {
	w            *bufio.Writer
	name         string
	maps         []*Map
	head         []sheetRow // until the header is found
	header       int64      // its row, or 0
	above        int64      // rows above it that hold something
	width        int
	line         int64 // written so far
	size, packed int64
	columns      []columnFacts
}

type sheetRow struct {
	n     int64
	cells []cell
}

func newSheetWriter(w io.Writer, name string, maps []*Map) *sheetWriter {
	return &sheetWriter{w: bufio.NewWriterSize(w, 1<<16), name: name, maps: maps}
}

func (s *sheetWriter) facts() *sheetFacts {
	return &sheetFacts{file: s.name, header: s.header, above: s.above, columns: s.columns}
}

// headerRows is how far down a header is looked for.
const headerRows = 50

// add takes the next row.
func (s *sheetWriter) add(n int64, cells []cell) error {
	for len(cells) > 0 && cells[len(cells)-1] == (cell{}) {
		cells = cells[:len(cells)-1]
	}
	if len(cells) == 0 {
		return nil
	}
	if s.header > 0 {
		return s.write(n, cells)
	}
	s.head = append(s.head, sheetRow{n, append([]cell(nil), cells...)})
	if len(s.head) < headerRows {
		return nil
	}
	return s.begin()
}

// begin finds the header among the first rows, and writes these.
func (s *sheetWriter) begin() error {
	texts := make([][]string, len(s.head))
	for i, r := range s.head {
		for _, c := range r.cells {
			t := c.text
			if !c.written {
				t = "" // a header is of texts
			}
			texts[i] = append(texts[i], strings.TrimSpace(t))
		}
	}
	at := headerAmong(texts, s.maps)
	s.header, s.width, s.above = s.head[at].n, len(s.head[at].cells), int64(at)
	s.columns = make([]columnFacts, s.width)
	for _, r := range s.head[at:] {
		if err := s.write(r.n, r.cells); err != nil {
			return err
		}
	}
	s.head = nil
	return nil
}

// write writes one row under its number.
func (s *sheetWriter) write(n int64, cells []cell) error {
	for ; s.line < n-1; s.line++ {
		s.put("\n")
	}
	for i := range max(s.width, len(cells)) {
		if i > 0 {
			s.put(",")
		}
		if i < len(cells) {
			if i < s.width && n > s.header {
				s.columns[i].see(n, cells[i])
			}
			s.put(csvField(cells[i].text))
		}
	}
	s.put("\n")
	s.line++
	return tooDense(s.name, s.size, s.packed)
}

func (s *sheetWriter) put(text string) {
	n, _ := s.w.WriteString(text) // the error comes back at Flush
	s.size += int64(n)
}

// finish ends the sheet.
func (s *sheetWriter) finish() error {
	if s.header == 0 && len(s.head) > 0 {
		if err := s.begin(); err != nil {
			return err
		}
	}
	if err := s.w.Flush(); err != nil {
		return noRoom(s.name, err)
	}
	return nil
}

// csvField is a text as one field of one line.
func csvField(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, text)
	if strings.ContainsAny(text, ",\"") || strings.HasPrefix(text, " ") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}
