package workbook

import (
	"strings"

	"retrytax/internal/report"
)

// put writes a row of the Summary; height 0 is one line.
func (s *summary) put(height float64, cells ...value) {
	if s.err == nil {
		s.err = s.add(cells, height)
	}
}

// gap leaves a row empty.
func (s *summary) gap() { s.row++ }

// breakPage has the next row stand on a new page when the sheet is printed.
func (s *summary) breakPage() {
	if s.err != nil {
		return
	}
	if err := s.stream.InsertPageBreak(cellName(colLabel, s.row+1)); err != nil {
		s.err = s.failed(err)
	}
}

// section begins a part of the sheet under a heading.
func (s *summary) section(name string) {
	s.gap()
	s.put(20, textOf(kindSection, name))
}

// header is the header row of a table; a title that begins with > stands on the right, and an
// empty one continues the shade.
func (s *summary) header(titles ...string) {
	cells, lines := make([]value, max(len(titles), colMeaning)), 1
	for i := range cells {
		cells[i].kind = kindHeader
		if i < len(titles) {
			right := strings.HasPrefix(titles[i], ">")
			cells[i] = textOf(kindHeader, strings.TrimPrefix(titles[i], ">"))
			if right {
				cells[i].kind = kindHeaderRight
			}
			lines = max(lines, linesFor(cells[i].text, s.layout.widths[i]*1.2))
		}
	}
	s.put(max(20, float64(lines)*lineHeight+6), cells...)
}

// fact is a label and a text, over the rest of the row.
func (s *summary) fact(label, fact string) {
	s.explained(textOf(kindLabel, label), []value{textOf(kindWrap, fact)}, colCount)
}

// wide writes a text over the columns from the given one to the last, over as many lines as
// it takes. bigger is how much larger its letters are than the sheet's.
func (s *summary) wide(k kind, text string, from int, bigger float64) {
	cells := make([]value, from)
	for i := range cells {
		cells[i] = blank
	}
	cells[from-1] = textOf(k, text)
	s.put(s.heightFor(text, from, bigger), cells...)
	s.merge(from)
}

// explained writes cells and, as the last of them, a text that runs from the given column to
// the end of the row.
func (s *summary) explained(first value, rest []value, from int) {
	cells := append([]value{first}, rest...)
	last := cells[len(cells)-1]
	s.put(s.heightFor(last.text, from, 1), cells...)
	s.merge(from)
}

// merge joins the cells of the row just written, from a column to the last.
func (s *summary) merge(from int) {
	if s.err != nil || from >= colMeaning {
		return
	}
	if err := s.stream.MergeCell(cellName(from, s.row), cellName(colMeaning, s.row)); err != nil {
		s.err = s.failed(err)
	}
}

// heightFor is the height of a row whose text runs from a column to the last. Most letters
// are narrower than the digits in which a width is counted.
func (s *summary) heightFor(text string, from int, bigger float64) float64 {
	width := 0.0
	for _, w := range s.layout.widths[from-1 : colMeaning] {
		width += w
	}
	return float64(linesFor(text, width*1.25/bigger))*lineHeight*bigger + 3
}

// exactCells are the exact twins of amounts, to stand behind a row; none if no amount needs it.
func exactCells(amounts ...report.Money) []value {
	var cells []value
	for _, m := range amounts {
		if needsExact(m) {
			cells = append(cells, exact(m))
		}
	}
	return cells
}

// sumKind is the look of a sum of a book that may be "at least".
func sumKind(atLeast bool) kind {
	if atLeast {
		return kindMoneyAtLeast
	}
	return kindMoney
}
