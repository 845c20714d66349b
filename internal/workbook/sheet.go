package workbook

import (
	"fmt"
	"strconv"

	"github.com/xuri/excelize/v2"
)

// layout is how a sheet is set up before its first row.
type layout struct {
	name     string
	widths   []float64 // in characters, per column
	header   []value   // frozen, printed on every page, repeated when the sheet goes on
	freeze   int       // columns that stay in view
	filter   bool      // drop-down filters in the header
	grid     bool      // lines between the cells
	wide     int       // pages side by side when printed
	portable bool      // may go on in a second sheet
	notes    []string  // lines under the table
	table    string    // its rows are an Excel table of this name, with filters of its own
}

// sheet is a sheet that is being streamed, row by row, from the top. Rows are kept on disk,
// so that a million of them need little memory.
type sheet struct {
	b      *builder
	layout layout
	part   int // 1 for the first, 2 for "Evidence (2)"
	name   string
	row    int  // rows written
	body   int  // the last row of a table that has notes under it, 0 for the last of all
	line   bool // the next row has a line above it
	stream *excelize.StreamWriter
	cells  []any           // of the row that is written, used again for the next
	ready  []excelize.Cell // likewise
}

// newSheet begins a sheet after those that are there.
func (b *builder) newSheet(l layout) (*sheet, error) {
	s := &sheet{b: b, layout: l}
	return s, s.open()
}

// open begins the next part of the sheet and writes its header.
func (s *sheet) open() (err error) {
	s.part, s.row, s.body = s.part+1, 0, 0
	s.name = partName(s.layout.name, s.part)
	if err := s.b.ctx.Err(); err != nil {
		return s.failed(err)
	}
	if err := s.b.addSheet(s.name); err != nil {
		return s.failed(err)
	}
	if err := s.setUpPage(); err != nil {
		return s.failed(err)
	}
	if s.stream, err = s.b.file.NewStreamWriter(s.name); err != nil {
		return s.failed(err)
	}
	for i, width := range s.layout.widths {
		if err := s.stream.SetColWidth(i+1, i+1, width); err != nil {
			return s.failed(err)
		}
	}
	if len(s.layout.header) == 0 {
		return nil
	}
	if err := s.freezeHeader(); err != nil {
		return s.failed(err)
	}
	return s.add(s.layout.header, headerHeight(s.layout))
}

// addSheet appends an empty sheet; a new file has one already.
func (b *builder) addSheet(name string) (err error) {
	if b.sheets++; b.sheets == 1 {
		return b.file.SetSheetName("Sheet1", name)
	}
	_, err = b.file.NewSheet(name)
	return err
}

// add writes the next row. height is in points, 0 for the sheet's own.
func (s *sheet) add(cells []value, height float64) error {
	if s.layout.portable && s.row == s.b.maxRows {
		if err := s.close(); err != nil {
			return err
		}
		if err := s.open(); err != nil {
			return err
		}
	}
	if s.row++; s.row%1024 == 0 && s.b.ctx.Err() != nil {
		return s.failed(s.b.ctx.Err())
	}
	if cap(s.cells) < len(cells) {
		s.cells, s.ready = make([]any, len(cells)), make([]excelize.Cell, len(cells))
	}
	row, ready := s.cells[:len(cells)], s.ready[:len(cells)]
	for i := range cells {
		v := &cells[i]
		if v.err != nil {
			return s.failed(fmt.Errorf("row %d: %w", s.row, v.err))
		}
		if v.kind == kindMuted {
			v.text = s.b.t(v.text)
		}
		if row[i] = nil; s.b.styles.cell(v, s.line, &ready[i]) {
			row[i] = &ready[i]
		}
	}
	var err error
	if height == 0 {
		err = s.stream.SetRow("A"+strconv.Itoa(s.row), row)
	} else {
		err = s.stream.SetRow("A"+strconv.Itoa(s.row), row, excelize.RowOpts{Height: height})
	}
	if err != nil {
		return s.failed(err)
	}
	return nil
}

// next is the row that add writes next, on this sheet or on the one that goes on.
func (s *sheet) next() int {
	if s.layout.portable && s.row == s.b.maxRows {
		return min(len(s.layout.header), 1) + 1
	}
	return s.row + 1
}

// close ends the sheet. What it sets stands behind the rows in the file; excelize forgets
// the page setup if the filter is set before the stream is opened.
func (s *sheet) close() error {
	if columns := len(s.layout.header); columns > 0 {
		last := cellName(columns, max(s.row, 1))
		if s.body > 0 {
			last = cellName(columns, s.body)
		}
		if s.layout.table != "" && s.body > 1 {
			off := false
			err := s.stream.AddTable(&excelize.Table{Range: "A1:" + last, Name: s.layout.table + partSuffix(s.part), StyleName: "TableStyleLight1", ShowRowStripes: &off})
			if err != nil {
				return s.failed(err)
			}
		}
		if s.layout.filter {
			if err := s.b.file.AutoFilter(s.name, "A1:"+last, nil); err != nil {
				return s.failed(err)
			}
		}
	}
	if s.row > 0 {
		all := "A1:" + cellName(max(len(s.layout.widths), 1), s.row)
		if err := s.b.file.AddIgnoredErrors(s.name, all, excelize.IgnoredErrorsNumberStoredAsText); err != nil {
			return s.failed(err)
		}
	}
	if err := s.stream.Flush(); err != nil {
		return s.failed(err)
	}
	return nil
}

func partSuffix(part int) string {
	if part == 1 {
		return ""
	}
	return strconv.Itoa(part)
}

func (s *sheet) failed(err error) error { return fmt.Errorf("sheet %s: %w", s.name, err) }

// cellName is the name of a cell, "B7"; columns and rows here are never out of range.
func cellName(column, row int) string {
	name, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		panic(err)
	}
	return name
}
