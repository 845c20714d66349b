package workbook

import (
	"fmt"
	"slices"

	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// column is one column of a table of rows R.
type column[R any] struct {
	key    string // by which formulas name it; "" if none does
	title  string // in English; the header has it in the report's language
	suffix string // behind the title, in no language: a zone, a currency
	number bool   // the header stands on the right, over the numbers
	cell   func(*R) value
	amount func(*R) report.Money // set if it is an amount: it may need an exact twin
	widest float64               // 0 for the usual limit
	exact  bool                  // the twin itself
	// live is a formula for the cell of a row, over others of the same row by the letters of their keys; nil: the cell is a value.
	live func(r *R, row int, letters map[string]string) string
}

// Width limits in characters. The widest ids (a UUID, 32 hex digits, a vendor's prefix) fit.
const (
	narrowest   = 8
	widest      = 42
	filterArrow = 4  // what the drop-down hides of a header
	oneLine     = 14 // a header up to this length is not broken
)

func wordsOf[R any](title string, get func(*R) string) column[R] {
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

// as is the column under a key, by which formulas of other sheets find it.
func (c column[R]) as(key string) column[R] {
	c.key = key
	return c
}

// measured is how many rows are looked at for the width of a column.
const measured = 5000

// grid is a table whose columns are measured and whose place in the file is known, though no row
// of it is written yet: the Summary, which comes first, points into it.
type grid[R any] struct {
	layout  layout
	columns []column[R]
	rows    report.Rows[R]
	empty   string // what is said if there are no rows
	ref     ref
	begins  func(*R) bool // whether a row begins a group, which a line above it shows; nil: no groups
	totals  []total
	// places are the decimals that the amounts of a currency are shown with, which stands in that column; -1: in none.
	places     map[string]int
	atCurrency int
	finish     func(*sheet) error // what stands behind the rows; nil: nothing
}

// total is a row under a table: the sums of the columns, of one book and currency.
type total struct {
	label          string
	book, currency string
	amounts        map[string]report.Money // by the columns' keys
	counts         map[string]int64
	share          float64 // of the excess
	atLeast        bool    // amounts in it are unknown, or lines could not be read
}

// newGrid looks at all rows once: how many there are, with how many decimals the amounts of each currency are
// shown, which amounts need an exact twin, how wide the columns are.
func newGrid[R any](b *builder, l layout, columns []column[R], rows report.Rows[R], empty string) (*grid[R], error) {
	atCurrency := slices.IndexFunc(columns, func(c column[R]) bool { return c.title == "Currency" })
	places, needs, wide, n := map[string]int{}, make([]bool, len(columns)), make([]int, len(columns)), 0
	err := rows.Each(func(r *R) error {
		n++
		currency := ""
		if atCurrency >= 0 {
			currency = columns[atCurrency].cell(r).text
		}
		shown := max(minPlaces, places[currency])
		for i, c := range columns {
			if c.amount != nil {
				m := c.amount(r)
				if shown < maxPlaces {
					shown = max(shown, placesOf(m))
				}
				needs[i] = needs[i] || needsExact(m)
			}
			if n <= measured {
				v := c.cell(r)
				wide[i] = max(wide[i], v.width-v.places)
			}
		}
		places[currency] = shown
		return nil
	})
	if err != nil {
		return nil, err
	}
	most := minPlaces
	for _, shown := range places {
		most = max(most, shown)
	}
	g := &grid[R]{layout: l, rows: rows, empty: empty, places: places}
	for i, c := range columns {
		if c.amount != nil {
			wide[i] += most
		}
		g.layout.widths = append(g.layout.widths, widthOf(b.headerText(c.title, c.suffix, false), wide[i], c.widest))
		g.columns = append(g.columns, c)
		if needs[i] {
			twin := exactTwin(c)
			g.columns = append(g.columns, twin)
			g.layout.widths = append(g.layout.widths, widthOf(b.headerText(twin.title, twin.suffix, true), wide[i]+14, c.widest))
		}
	}
	for _, c := range g.columns {
		h := textOf(kindHeader, b.headerText(c.title, c.suffix, c.exact))
		if c.number {
			h.kind = kindFilterRight
		}
		g.layout.header = append(g.layout.header, h)
	}
	g.layout.portable, g.layout.grid, g.layout.filter = true, true, n > 0 && l.table == ""
	g.atCurrency = slices.IndexFunc(g.columns, func(c column[R]) bool { return c.title == "Currency" })
	g.ref = newRef(b, g.layout.name, n)
	for i, c := range g.columns {
		if c.key != "" {
			g.ref.letters[c.key] = columnLetters(i + 1)
		}
	}
	return g, nil
}

// headerText is a header in the language of the report.
func (b *builder) headerText(title, suffix string, exact bool) string {
	h := b.t(title) + suffix
	if exact {
		h += b.t(", exact")
	}
	return h
}

func exactTwin[R any](c column[R]) column[R] {
	return column[R]{title: c.title, suffix: c.suffix, exact: true, number: true, widest: c.widest,
		cell: func(r *R) value { return exact(c.amount(r)) }}
}

// widthOf fits a column to its content. A long header may take two lines, and no word of it is
// broken.
func widthOf(title string, content int, limit float64) float64 {
	length := ui.Width(title)
	width := max(longestWord(title), min(length, max(length/2+2, oneLine))) + filterArrow
	width = max(width, content+2)
	if limit == 0 {
		limit = widest
	}
	return min(max(float64(width), narrowest), limit)
}

func longestWord(s string) int {
	longest, length := 0, 0
	for _, r := range s {
		if length++; r == ' ' || r > 0x2E80 { // between two Chinese characters a line may end
			length = 0
		}
		longest = max(longest, length)
	}
	return longest
}

// write writes the sheet. An empty one says so in words.
func (g *grid[R]) write(b *builder) error {
	s, err := b.newSheet(g.layout)
	if err != nil {
		return err
	}
	if g.ref.rows == 0 {
		if err := s.add([]value{textOf(kindText, g.empty)}, 0); err != nil {
			return err
		}
	}
	cells := make([]value, len(g.columns))
	first := true
	err = g.rows.Each(func(r *R) error {
		for c := range g.columns {
			cells[c] = g.columns[c].cell(r)
			if live := g.columns[c].live; live != nil && cells[c].numeric {
				cells[c].formula = live(r, s.next(), g.ref.letters)
			}
		}
		g.align(cells)
		s.line = g.begins != nil && g.begins(r) && !first
		first = false
		return s.add(cells, 0)
	})
	s.line = false
	if err != nil {
		return err
	}
	s.body = s.row
	if err := g.writeTotals(s); err != nil {
		return err
	}
	for i, note := range g.layout.notes {
		if i == 0 {
			if err := s.add(nil, 0); err != nil {
				return err
			}
		}
		if err := s.add([]value{text(note)}, 0); err != nil {
			return err
		}
	}
	if g.finish != nil {
		if err := g.finish(s); err != nil {
			return s.failed(err)
		}
	}
	return s.close()
}

// align shows the amounts of a row with the decimals of its currency.
func (g *grid[R]) align(cells []value) {
	places := g.places[""]
	if g.atCurrency >= 0 {
		places = g.places[cells[g.atCurrency].text]
	}
	for i := range g.columns {
		if g.columns[i].amount != nil {
			cells[i] = cells[i].at(places)
		}
	}
}

// writeTotals writes a row of sums for each book and currency, as formulas over the table.
func (g *grid[R]) writeTotals(s *sheet) error {
	if s.part > 1 || g.ref.rows == 0 {
		return nil
	}
	for _, t := range g.totals {
		cells := make([]value, len(g.columns))
		for i, c := range g.columns {
			cells[i] = value{kind: kindTotalText}
			formula, _ := g.ref.sum(c.key, t.book, t.currency)
			if m, ok := t.amounts[c.key]; ok && c.key != "" && !c.exact {
				v := money(kindTotal, m)
				if v.err == nil && v.numeric {
					v.kind, v.formula = kindTotal, formula
					if t.atLeast && c.key != "adjustments" && !isZero(m) {
						v.kind = kindTotalAtLeast
					}
				}
				cells[i] = v.at(max(g.places[t.currency], placesOf(m)))
			}
			if c.key == "share" && t.share > 0 {
				cells[i] = quotient(kindTotalShare, t.share, fmt.Sprintf("%s%d/%s%d", g.ref.letters["excess"], s.row+1, g.ref.letters["billed"], s.row+1))
			}
			if n, ok := t.counts[c.key]; ok && c.key != "" {
				cells[i] = whole(n)
				cells[i].kind, cells[i].formula = kindTotalWhole, formula
			}
		}
		cells[0] = textOf(kindTotalText, t.label)
		if err := s.add(cells, 0); err != nil {
			return err
		}
	}
	return nil
}
