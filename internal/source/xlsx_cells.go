package source

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// exactDigits is how many digits of a number a spreadsheet keeps.
const exactDigits = 15

// cell is one cell of a sheet as text.
type cell struct {
	text       string
	written    bool // it is a text, not a number that was shown as one
	inexact    bool // a number of more digits than a spreadsheet keeps
	rounded    bool // a number of more than 12 decimals, rounded to 12
	uncomputed bool // a formula without a value
}

// number is a cell that holds a number, as it is kept in the file: exact as far as a
// spreadsheet is, a day or a time where its format shows one.
func number(v string, f cellFormat, from1904 bool) cell {
	if len(v) > 0 && len(v) <= exactDigits && digits([]byte(v)) && !f.date && !f.clock {
		if n := f.digits - len(v); n > 0 {
			v = strings.Repeat("0", n) + v
		}
		return cell{text: v}
	}
	x, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return cell{text: v, written: true} // no number; who reads it says so
	}
	if f.date || f.clock {
		if t, ok := serialTime(x, f, from1904); ok {
			return cell{text: t}
		}
	}
	if math.Abs(x) >= 1e15 {
		return cell{text: v, inexact: true}
	}
	d, err := decimal.NewFromString(strconv.FormatFloat(x, 'e', exactDigits-1, 64))
	if err != nil {
		return cell{text: v, written: true}
	}
	short := d.Round(12)
	text := short.String()
	if f.digits > 0 && short.IsInteger() && !short.IsNegative() {
		text = strings.Repeat("0", max(0, f.digits-len(text))) + text
	}
	return cell{text: text, rounded: !short.Equal(d)}
}

// serialTime is a spreadsheet's count of days as text: a day, a moment, or a time of day. A
// count of days that no calendar has is none.
func serialTime(x float64, f cellFormat, from1904 bool) (string, bool) {
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if from1904 {
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	const day = 24 * time.Hour
	ms := math.Round(x * float64(day.Milliseconds()))
	if x < 0 || ms >= 2958466*float64(day.Milliseconds()) { // year 10000
		return "", false
	}
	t := first.AddDate(0, 0, int(ms)/int(day.Milliseconds())).Add(time.Duration(int64(ms)%day.Milliseconds()) * time.Millisecond)
	layout := "2006-01-02 15:04:05"
	if t.Nanosecond() != 0 {
		layout += ".000"
	}
	switch {
	case x < 1 && !f.date: // a time of day
		layout = layout[len("2006-01-02 "):]
	case int64(ms)%day.Milliseconds() == 0 && !f.clock:
		layout = "2006-01-02"
	}
	return t.Format(layout), true
}

// sheetFacts are what the cells of a sheet tell of its columns, beside their text.
type sheetFacts struct {
	file    string
	header  int64 // its row
	above   int64 // rows above it that are not read
	columns []columnFacts
}

// columnFacts count the cells of one column; the rows are the first ones of their kind.
type columnFacts struct {
	inexactRow, uncomputedRow int64
	inexact                   string
	rounded, filled           int64
}

func (c *columnFacts) see(row int64, x cell) {
	if x.text != "" {
		c.filled++
	}
	if x.inexact && c.inexactRow == 0 {
		c.inexactRow, c.inexact = row, x.text
	}
	if x.uncomputed && c.uncomputedRow == 0 {
		c.uncomputedRow = row
	}
	if x.rounded {
		c.rounded++
	}
}

// check holds what a sheet was recognised as against its cells: the error says which ids have
// lost digits, or which values are not there; the notes, what was rounded.
func (f *sheetFacts) check(rec *Recognised) *Error {
	if f == nil {
		return nil
	}
	rec.Skipped, rec.skippedTo = f.above, f.header
	for i, t := range rec.targets {
		if t.col < 0 || i >= len(f.columns) {
			continue
		}
		c, to := f.columns[i], rec.RawColumns()[t.col]
		switch {
		case c.inexactRow > 0 && EveryDigitCounts(to):
			return &Error{File: f.file, Line: c.inexactRow, Column: to, Found: fmt.Sprintf("an id that is stored as a number (%s)", c.inexact), Expected: "text", Kind: ErrUnrecognised,
				Hint: "a spreadsheet keeps 15 digits of a number, and the others are lost: export the column as text, or take the vendor's CSV"}
		case c.uncomputedRow > 0:
			return &Error{File: f.file, Line: c.uncomputedRow, Column: to, Found: "a formula whose value is not stored", Expected: "a value", Kind: ErrUnrecognised,
				Hint: "open the workbook in a spreadsheet, and save it again"}
		case c.rounded > 0 && (to == "amount" || to == "unit_price"):
			rec.Notes = append(rec.Notes, fmt.Sprintf("%s: %d of %d values of %s have more than 12 decimals, as numbers of a spreadsheet do, and were rounded to 12",
				f.file, c.rounded, c.filled, to))
		}
	}
	return nil
}
