package workbook

import (
	"slices"
	"unicode/utf8"

	"retrytax/internal/report"
)

// column is one column of a table of rows R.
type column[R any] struct {
	title  string
	number bool // the header stands on the right, over the numbers
	cell   func(*R) value
	amount func(*R) report.Money // set if it is an amount: it may need an exact twin
	widest float64               // 0 for the usual limit
}

// Width limits in characters. The widest ids (a UUID, 32 hex digits, a vendor's prefix) fit.
const (
	narrowest   = 8
	widest      = 42
	filterArrow = 4  // what the drop-down hides of a header
	oneLine     = 14 // a header up to this length is not broken
)

func words[R any](title string, get func(*R) string) column[R] {
	return column[R]{title: title, cell: func(r *R) value { return text(get(r)) }}
}

func ident[R any](title string, get func(*R) string) column[R] {
	return column[R]{title: title, cell: func(r *R) value { return id(get(r)) }}
}

func count[R any](title string, get func(*R) value) column[R] {
	return column[R]{title: title, number: true, cell: get}
}

func amount[R any](title string, get func(*R) report.Money) column[R] {
	return column[R]{title: title, number: true, amount: get,
		cell: func(r *R) value { return money(kindMoney, get(r)) }}
}

// samePlaces has all amounts of a table shown with the same number of decimals.
func samePlaces[R any](columns []column[R], rows []R) []column[R] {
	places := minPlaces
	for _, c := range columns {
		for i := range rows {
			if c.amount != nil && places < maxPlaces {
				places = max(places, placesOf(c.amount(&rows[i])))
			}
		}
	}
	columns = slices.Clone(columns)
	for i, c := range columns {
		if c.amount != nil {
			columns[i].cell = func(r *R) value { return c.cell(r).at(places) }
		}
	}
	return columns
}

// withExact puts behind each amount a text column with all its digits, where a row needs it.
func withExact[R any](columns []column[R], rows []R) []column[R] {
	var all []column[R]
	for _, c := range columns {
		all = append(all, c)
		if c.amount == nil {
			continue
		}
		for i := range rows {
			if needsExact(c.amount(&rows[i])) {
				all = append(all, exactTwin(c))
				break
			}
		}
	}
	return all
}

func exactTwin[R any](c column[R]) column[R] {
	return column[R]{title: c.title + ", exact", number: true, widest: c.widest,
		cell: func(r *R) value { return exact(c.amount(r)) }}
}

func headerOf[R any](columns []column[R]) []value {
	header := make([]value, len(columns))
	for i, c := range columns {
		header[i] = textOf(kindHeader, c.title)
		if c.number {
			header[i].kind = kindFilterRight
		}
	}
	return header
}

// measured is how many rows are looked at for the width of a column.
const measured = 5000

// widthsOf fits the columns to their content. A long header may take two lines, and no word
// of it is broken.
func widthsOf[R any](columns []column[R], rows []R) []float64 {
	widths := make([]float64, len(columns))
	for i, c := range columns {
		title := utf8.RuneCountInString(c.title)
		width := max(longestWord(c.title), min(title, max(title/2+2, oneLine))) + filterArrow
		for r := range rows[:min(len(rows), measured)] {
			width = max(width, c.cell(&rows[r]).width+2)
		}
		limit := c.widest
		if limit == 0 {
			limit = widest
		}
		widths[i] = min(max(float64(width), narrowest), limit)
	}
	return widths
}

func longestWord(s string) int {
	longest, length := 0, 0
	for _, r := range s {
		if length++; r == ' ' {
			length = 0
		}
		longest = max(longest, length)
	}
	return longest
}

// writeTable writes a sheet that is one table. An empty one says so in words.
func writeTable[R any](b *builder, l layout, columns []column[R], rows []R, empty string) error {
	columns = withExact(samePlaces(columns, rows), rows)
	l.header, l.widths = headerOf(columns), widthsOf(columns, rows)
	l.portable, l.grid, l.filter = true, true, len(rows) > 0
	s, err := b.newSheet(l)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		if err := s.add([]value{textOf(kindText, empty)}, 0); err != nil {
			return err
		}
	}
	cells := make([]value, len(columns))
	for i := range rows {
		for c := range columns {
			cells[c] = columns[c].cell(&rows[i])
		}
		if err := s.add(cells, 0); err != nil {
			return err
		}
	}
	s.body = s.row
	for i, note := range l.notes {
		if i == 0 {
			if err := s.add(nil, 0); err != nil {
				return err
			}
		}
		if err := s.add([]value{text(note)}, 0); err != nil {
			return err
		}
	}
	return s.close()
}
