package workbook

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"retrytax/internal/report"
)

// value is one cell before it has a place.
type value struct {
	kind    kind
	text    string  // of a text cell, and what a formula gave when the file was made
	number  float64 // of a numeric cell
	numeric bool
	formula string
	width   int // characters it takes on screen
	err     error
}

// blank is a cell that is not there.
var blank = value{kind: -1}

const unknown = "unknown"

func textOf(k kind, s string) value {
	s = cleanText(s)
	return value{kind: k, text: s, width: utf8.RuneCountInString(s)}
}

func text(s string) value { return orBlank(textOf(kindText, s)) }

// id is a text cell for identities: long numbers and leading zeros survive.
func id(s string) value { return orBlank(textOf(kindID, s)) }

func orBlank(v value) value {
	if v.text == "" {
		return blank
	}
	return v
}

// muted says in words that there is no number.
func muted(s string) value { return textOf(kindMuted, s) }

// money is an amount; an empty one is unknown, never zero.
func money(k kind, m report.Money) value {
	if m == "" {
		return muted(unknown)
	}
	d, err := parseMoney(m)
	if err != nil {
		return value{err: err}
	}
	if d.Abs().LessThan(shown) && !d.IsZero() {
		k = kindMoneyTiny
	}
	return value{kind: k, number: roundForCell(d), numeric: true, width: moneyWidth(m) + 2*atLeastMark(k)}
}

// shown is the smallest amount that formatMoney does not show as zero.
var shown = decimal.New(5, -7)

func atLeastMark(k kind) int {
	if k == kindMoneyAtLeast || k == kindStrongAtLeast {
		return 1
	}
	return 0
}

// moneyWidth is how many characters formatMoney makes of an amount.
func moneyWidth(m report.Money) int {
	whole, fraction, _ := strings.Cut(string(m), ".")
	return len(whole) + (len(whole)-1)/3 + 1 + min(max(len(fraction), 2), 6)
}

// exact is an amount as text where a numeric cell would lose digits of it, set like a number.
func exact(m report.Money) value {
	if !needsExact(m) {
		return blank
	}
	return textOf(kindIDRight, string(m))
}

// whole is a count or a number of tokens.
func whole(n int64) value {
	if n > 999_999_999_999_999 || n < -999_999_999_999_999 {
		return id(strconv.FormatInt(n, 10))
	}
	return value{kind: kindWhole, number: float64(n), numeric: true, width: wholeWidth(n)}
}

func wholeWidth(n int64) int {
	digits := 1
	for ; n >= 10 || n <= -10; n /= 10 {
		digits++
	}
	return digits + (digits-1)/3
}

// wholeOr is a count that may not be known; then it is the word otherwise, if any.
func wholeOr(n *int64, otherwise string) value {
	switch {
	case n != nil:
		return whole(*n)
	case otherwise == "":
		return blank
	}
	return muted(otherwise)
}

// fraction is a share or a ratio; nil is not measurable, which is not zero.
func fraction(k kind, f *float64) value {
	if f == nil || math.IsNaN(*f) || math.IsInf(*f, 0) {
		return muted("not measurable")
	}
	return value{kind: k, number: math.Round(*f*1e8) / 1e8, numeric: true, width: 8}
}

// moment is a time in the zone of the report, as a date that Excel can compute with.
func moment(t time.Time, zone *time.Location) value {
	if t.IsZero() {
		return blank
	}
	return value{kind: kindTime, number: serialDate(t, zone), numeric: true, width: 23}
}

func momentOr(t *time.Time, zone *time.Location) value {
	if t == nil {
		return blank
	}
	return moment(*t, zone)
}

// day is a date as "2026-10-31"; what is not one stays text.
func day(s string) value {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return text(s)
	}
	return value{kind: kindDay, number: serialDate(t, time.UTC), numeric: true, width: 10}
}

// cell turns v into what excelize writes; nil for a blank. Text is written as an inline
// string: no function that could read a formula ever sees it.
func (s *styles) cell(v value) any {
	switch {
	case v.kind < 0:
		return nil
	case v.formula != "":
		return excelize.Cell{StyleID: s.plain[v.kind], Formula: v.formula, Value: v.text}
	case v.numeric:
		return excelize.Cell{StyleID: s.plain[v.kind], Value: v.number}
	case looksLikeFormula(v.text):
		return excelize.Cell{StyleID: s.quoted[v.kind], Value: v.text}
	}
	return excelize.Cell{StyleID: s.plain[v.kind], Value: v.text}
}
