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
	"retrytax/internal/ui"
)

// value is one cell before it has a place.
type value struct {
	kind    kind
	text    string  // of a text cell, and what a formula gave when the file was made
	number  float64 // of a numeric cell
	numeric bool
	places  int // decimals that an amount is shown with
	formula string
	width   int // characters it takes on screen
	err     error
}

// blank is a cell that is not there.
var blank = value{kind: -1}

const unknown = "unknown"

func textOf(k kind, s string) value {
	s = cleanText(s)
	return value{kind: k, text: s, width: textWidth(s)}
}

// textWidth is how many characters a text takes; Chinese ones take two.
func textWidth(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return ui.Width(s)
		}
	}
	return len(s)
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

// muted says in words that there is no number. The words are English; they are put into the language of the
// report where the cell is written (sheet.add), so that no table can forget it.
func muted(english string) value { return textOf(kindMuted, english) }

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
	v := value{kind: k, number: roundForCell(d), numeric: true, width: moneyWidth(d) + 2*atLeastMark(k)}
	return v.at(placesOf(m))
}

// less is the cell of a difference with the number that its formula gives over the cells of the amounts; what is no number stays as it is.
func (v value) less(amount report.Money, others ...report.Money) value {
	if !v.numeric {
		return v
	}
	v.number, v.err = subtracted(differencePlaces(append(others, amount)...), amount, others...)
	return v
}

// at is the same amount with that many decimals shown; what is no amount stays as it is.
func (v value) at(places int) value {
	if !v.numeric || !hasPlaces(v.kind) {
		return v
	}
	v.width += places - v.places
	v.places = places
	return v
}

// placesOf is how many decimals the amounts of one table are shown with: as many as the
// longest of them needs, of two to six.
func placesOf(amounts ...report.Money) int {
	places := minPlaces
	for _, m := range amounts {
		_, fraction, _ := strings.Cut(string(m), ".")
		if fraction = strings.TrimRight(fraction, "0"); len(fraction) <= places {
			continue
		}
		if len(fraction) > maxPlaces {
			fraction = roundedFraction(m)
		}
		places = max(places, len(fraction))
	}
	return places
}

// roundedFraction is what stays of the decimals of m where six are shown; all six of one that
// is shown as less than the smallest.
func roundedFraction(m report.Money) string {
	d, err := parseMoney(m)
	if err != nil || d.Abs().LessThan(shown) {
		return strings.Repeat("0", maxPlaces)
	}
	_, fraction, _ := strings.Cut(d.StringFixed(maxPlaces), ".")
	return strings.TrimRight(fraction, "0")
}

// shown is the smallest amount that six decimals do not show as zero.
var shown = decimal.New(5, -7)

func atLeastMark(k kind) int {
	if k == kindMoneyAtLeast || k == kindStrongAtLeast {
		return 1
	}
	return 0
}

// moneyWidth is how many characters an amount takes without its decimals; one that is shown as
// less than the smallest takes all of them.
func moneyWidth(d decimal.Decimal) int {
	if d.Abs().LessThan(shown) && !d.IsZero() {
		return len(">-0.000001")
	}
	whole := d.Abs().Truncate(0).String()
	width := len(whole) + (len(whole)-1)/3 + 1
	if d.IsNegative() {
		width++
	}
	return width
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

// known is a count that may not be known; then the cell is empty.
func known(n *int64) value {
	if n == nil {
		return blank
	}
	return whole(*n)
}

// wholeOr is a count that may not be known; then it is the English word otherwise.
func wholeOr(n *int64, otherwise string) value {
	if n == nil {
		return muted(otherwise)
	}
	return whole(*n)
}

// fraction is a share or a ratio; nil is not measurable, which is not zero.
func fraction(k kind, f *float64) value {
	if f == nil || math.IsNaN(*f) || math.IsInf(*f, 0) {
		return muted("not measurable")
	}
	return value{kind: k, number: math.Round(*f*1e8) / 1e8, numeric: true, width: 8}
}

// quotient is a fraction that a formula computes: all the digits that it gives, so that no program that computes it anew finds another.
func quotient(k kind, f float64, formula string) value {
	v := fraction(k, &f)
	if v.numeric {
		v.number, v.formula = f, formula
	}
	return v
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

// cell puts into c what excelize writes for v; false for a blank. Text is written as an inline
// string: no function that could read a formula ever sees it.
func (s *styles) cell(v *value, line bool, c *excelize.Cell) bool {
	if v.kind < 0 {
		if !line {
			return false
		}
		*c = excelize.Cell{StyleID: s.line(kindText, 0)}
		return true
	}
	style := s.plain[v.kind]
	switch {
	case line:
		style = s.line(v.kind, v.places)
	case v.places > 0:
		style = s.places[v.kind][v.places]
	}
	switch {
	case v.numeric:
		*c = excelize.Cell{StyleID: style, Formula: v.formula, Value: v.number}
	case v.formula != "":
		*c = excelize.Cell{StyleID: style, Formula: v.formula, Value: v.text}
	case looksLikeFormula(v.text):
		if style = s.quoted[v.kind]; line {
			style = s.quotedLine[v.kind]
		}
		*c = excelize.Cell{StyleID: style, Value: v.text}
	default:
		*c = excelize.Cell{StyleID: style, Value: v.text}
	}
	return true
}

// line is the style of a cell with a line above it.
func (s *styles) line(k kind, places int) int {
	if places > 0 {
		return s.linePlaces[k][places]
	}
	return s.lined[k]
}
