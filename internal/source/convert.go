package source

import (
	"bytes"
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// converter makes of the values of a record what SQL reads: amounts without signs and
// separators, and whatever the user's mapping says.
type converter struct {
	columns []string
	steps   []conversion
	values  []target // what the mapping gives to every row
	texts   [][]byte
	numbers uint64 // columns that may be written with separators
	ids     uint64 // columns of ids, of which every digit counts
	signs   [64]decimalSign
	// currencyCol is the column of a row's currency, and currency that of rows which tell none; noColumn and ""
	// where there is none.
	currencyCol int
	currency    string
}

// conversion is what a mapping does to one column.
type conversion struct {
	col int
	MapColumn
}

// newConverter is the one for the records of a file. What the columns of a vendor's format mean, its query says.
// currency is that of amounts without one, "" where nobody tells it.
func newConverter(rec Recognised, currency string) *converter {
	if rec.vendor != nil {
		return &converter{}
	}
	c := &converter{columns: ColumnsOf(rec.Role), currencyCol: columnIndex(rec.Role, "currency"), currency: strings.ToUpper(currency)}
	for i, name := range c.columns {
		if isCount(name) || isDecimal(name) {
			c.numbers |= 1 << i
		}
		if EveryDigitCounts(name) && name != "line_item" && name != "api_key" {
			c.ids |= 1 << i
		}
	}
	if rec.mapped == nil {
		return c
	}
	for _, m := range rec.mapped.Columns {
		col := columnIndex(rec.Role, m.To)
		switch {
		case m.From == "":
			c.values = append(c.values, target{col: col})
			c.texts = append(c.texts, []byte(m.Value))
		case m.Layout != "" || !m.Scale.IsZero():
			c.steps = append(c.steps, conversion{col, m})
		}
		if m.Comma {
			c.signs[col] = commaSign
		} else if m.Point {
			c.signs[col] = pointSign
		}
	}
	return c
}

// convert changes the values of a record; a reason says what is wrong with one of them.
func (c *converter) convert(r *row) (col int, reason string) {
	for m := r.set & c.numbers; m != 0; m &= m - 1 {
		col := bits.TrailingZeros64(m)
		if v := r.vals[col]; !plainNumber(v) || c.signs[col] == commaSign {
			if reason := c.number(r, col); reason != "" {
				return col, reason
			}
		}
	}
	for m := r.set & c.ids; m != 0; m &= m - 1 {
		col := bits.TrailingZeros64(m)
		if v := r.vals[col]; len(v) <= 24 && shortened(v) {
			return col, fmt.Sprintf("found %q, expected an id: a spreadsheet has made a number of it and dropped its digits (take the vendor's own file)", v)
		}
	}
	for _, s := range c.steps {
		if r.set&(1<<s.col) != 0 && known(r.vals[s.col], false) != nil {
			if reason := s.apply(r); reason != "" {
				return s.col, reason
			}
		}
	}
	for i, t := range c.values {
		r.put(t, c.texts[i])
	}
	return 0, ""
}

// shortened tells what a spreadsheet makes of a long number: 1.23457E+19.
func shortened(v []byte) bool {
	v = bytes.Trim(v, " \t")
	i := bytes.IndexByte(v, '+')
	return i > 1 && v[i-1] == 'E' && digits(v[i+1:]) && digits(v[:1]) && digits(bytes.Replace(v[:i-1], []byte("."), nil, 1))
}

// number writes an amount or a count plainly.
func (c *converter) number(r *row, col int) string {
	v := bytes.TrimSpace(r.vals[col])
	if !isDecimal(c.columns[col]) {
		if c.signs[col] == commaSign {
			if plain, _ := ungrouped(string(v), commaSign); plain != "" {
				r.vals[col] = []byte(plain)
			}
			return ""
		}
		r.vals[col] = ungroupedCount(v)
		return ""
	}
	if c.columns[col] == "quantity" && c.signs[col] == 0 {
		// What is billed for is counted far more often than measured: 12,345 is twelve thousand.
		if n := ungroupedCount(v); plainNumber(n) {
			r.vals[col] = n
			return ""
		}
	}
	plain, codes, why := money(v, c.signs[col])
	if why != "" {
		return why
	}
	r.vals[col] = []byte(plain)
	if codes == nil || c.currencyCol == noColumn || c.columns[col] != "amount" {
		return ""
	}
	given := ""
	if r.set&(1<<c.currencyCol) != 0 {
		given = strings.ToUpper(string(known(r.vals[c.currencyCol], false)))
	}
	if given == "" && len(codes) == 1 {
		r.put(target{col: c.currencyCol}, []byte(codes[0]))
		return ""
	}
	// A sign of several currencies leaves it to the one that the user has named.
	if given = cmp.Or(given, c.currency); given != "" && given != "XXX" && !slices.Contains(codes, given) {
		return fmt.Sprintf("found %.40q in a row whose currency is %.10s, expected an amount in it", v, given)
	}
	return ""
}

// apply does what the mapping says to a value.
func (s conversion) apply(r *row) string {
	v := strings.TrimSpace(string(r.vals[s.col]))
	if s.Layout != "" {
		t, ok := parseLayout(v, s.Layout)
		if !ok {
			return fmt.Sprintf("found %.60q, expected a time as the mapping says: %s", v, s.Layout)
		}
		if v = t; isPeriod(s.To) {
			v = periodOf(t, s.Layout)
		}
	}
	if !s.Scale.IsZero() && !(isDuration(s.To) && carriesUnit([]byte(v))) {
		d, err := decimal.NewFromString(v)
		if err != nil || len(v) > 80 || d.Exponent() < -100 || d.Exponent() > 100 {
			return fmt.Sprintf("found %.60q, expected a number, which the mapping scales by %s", v, s.Scale)
		}
		v = d.Mul(s.Scale).String()
	}
	r.vals[s.col] = []byte(v)
	return ""
}
