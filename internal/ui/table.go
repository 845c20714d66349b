package ui

import (
	"slices"
	"strings"

	"retrytax/internal/words"
)

// column is one column of a table. Where the table is too wide, cut columns are shortened
// to min, then the columns that may be dropped go, the last first; what room that leaves is the
// paths' again.
type column struct {
	title string
	right bool // numbers
	min   int  // if positive, text may be cut to this width
	tail  bool // the end says more than the beginning: a path is cut in front
	drop  bool
	data  bool // names of the data, which are in no language
}

type cell struct {
	text  string
	style style
}

// table is columns and rows of the same length.
type table struct {
	cols []column
	rows [][]cell
}

const (
	tableIndent = "  "
	tableGap    = "  "
)

// add appends a row of plain cells.
func (t *table) add(texts ...string) {
	row := make([]cell, len(texts))
	for i, s := range texts {
		row[i].text = s
	}
	t.rows = append(t.rows, row)
}

// write prints the table, its titles only if one of them says something.
func (t *table) write(p *page) {
	t.translate(p)
	widths := t.fit(p.width - len(tableIndent))
	titles := make([]cell, len(t.cols))
	named := false
	for i, c := range t.cols {
		titles[i] = cell{c.title, dim}
		named = named || c.title != ""
	}
	if named {
		t.writeRow(p, titles, widths)
	}
	for _, row := range t.rows {
		t.writeRow(p, row, widths)
	}
}

// translate puts the words of the table into the language of the page.
func (t *table) translate(p *page) {
	if !p.composed || p.lang != words.Chinese {
		return
	}
	for i := range t.cols {
		t.cols[i].title = p.lang.Of(t.cols[i].title)
	}
	for _, row := range t.rows {
		for i := range row {
			if !t.cols[i].data {
				row[i].text = p.lang.Of(row[i].text)
			}
		}
	}
}

func (t *table) writeRow(p *page, row []cell, widths []int) {
	var parts []string
	for i, c := range row {
		if widths[i] > 0 {
			cut := Cut
			if t.cols[i].tail {
				cut = CutFront
			}
			text := pad(cut(c.text, widths[i]), widths[i], t.cols[i].right)
			parts = append(parts, p.paint(text, c.style))
		}
	}
	line := strings.Join(parts, tableGap)
	if !p.colour {
		line = strings.TrimRight(line, " ")
	}
	p.line(tableIndent + line)
}

// fit is the width of each column; 0 is dropped or empty.
func (t *table) fit(room int) []int {
	widths := make([]int, len(t.cols))
	for i, c := range t.cols {
		for _, row := range t.rows {
			widths[i] = max(widths[i], Width(row[i].text))
		}
		if widths[i] > 0 {
			widths[i] = max(widths[i], Width(c.title))
		}
	}
	full := slices.Clone(widths)
	for i, c := range t.cols {
		if over := total(widths) - room; over > 0 && c.min > 0 && widths[i] > c.min {
			widths[i] = max(c.min, widths[i]-over)
		}
	}
	for i := len(widths) - 1; i >= 0 && total(widths) > room; i-- {
		if t.cols[i].drop {
			widths[i] = 0
		}
	}
	for i, c := range t.cols {
		if spare := room - total(widths); spare > 0 && c.tail {
			widths[i] = min(full[i], widths[i]+spare)
		}
	}
	return widths
}

func total(widths []int) int {
	sum := -len(tableGap)
	for _, w := range widths {
		if w > 0 {
			sum += w + len(tableGap)
		}
	}
	return sum
}
