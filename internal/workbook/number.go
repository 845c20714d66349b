package workbook

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
)

// excelDigits is how many significant digits a numeric cell can carry.
const excelDigits = 15

// parseMoney reads an exact decimal: an optional minus, digits, and at most one point. It
// takes nothing else (no exponent, no separator), as that is all a report may hold.
func parseMoney(m report.Money) (decimal.Decimal, error) {
	digits := strings.TrimPrefix(string(m), "-")
	whole, fraction, point := strings.Cut(digits, ".")
	if !allDigits(whole) || point && !allDigits(fraction) || len(digits) > 64 {
		return decimal.Decimal{}, fmt.Errorf("amount %.80q is not a decimal", string(m))
	}
	return decimal.NewFromString(string(m))
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// needsExact says whether a numeric cell would lose digits of m.
func needsExact(m report.Money) bool {
	digits := strings.ReplaceAll(strings.TrimPrefix(string(m), "-"), ".", "")
	digits = strings.TrimLeft(digits, "0")
	if strings.Contains(string(m), ".") || strings.HasSuffix(digits, "0") {
		digits = strings.TrimRight(digits, "0")
	}
	return len(digits) > excelDigits
}

// roundForCell rounds d to the 15 significant digits that a cell can carry, half away from
// zero. It is the one place where an amount is rounded on its way into a numeric cell.
func roundForCell(d decimal.Decimal) float64 {
	magnitude := int32(d.NumDigits()) + d.Exponent() // digits before the point
	f, err := strconv.ParseFloat(d.Round(excelDigits-magnitude).String(), 64)
	if err != nil {
		return math.NaN() // not reached: a decimal prints as a number
	}
	return f
}

// differencePlaces is to how many decimals a formula rounds the difference of amounts: all that the longest has, nine at least, as a
// cell may be corrected, and no more than the cells can hold, so that it gives the exact difference and not what floating point adds.
func differencePlaces(amounts ...report.Money) int32 {
	longest, whole := int32(9), int32(1)
	for _, m := range amounts {
		d, err := parseMoney(m)
		if err != nil {
			continue
		}
		_, fraction, _ := strings.Cut(string(m), ".")
		longest = max(longest, int32(len(strings.TrimRight(fraction, "0"))))
		whole = max(whole, int32(d.NumDigits())+d.Exponent())
	}
	return max(0, min(longest, excelDigits-whole))
}

// subtracted is what the formula of a difference gives: the cells of the amounts, which hold 15 digits, one less the others, to so
// many decimals. Of amounts that fit their cells it is the exact difference.
func subtracted(places int32, amount report.Money, others ...report.Money) (float64, error) {
	left, err := inCell(amount)
	for _, m := range others {
		d, bad := inCell(m)
		left, err = left.Sub(d), errors.Join(err, bad)
	}
	return roundForCell(left.Round(places)), err
}

// inCell is an amount as a numeric cell holds it.
func inCell(m report.Money) (decimal.Decimal, error) {
	d, err := parseMoney(m)
	return d.Round(excelDigits - int32(d.NumDigits()) - d.Exponent()), err
}

// shareOf is part ÷ whole as a fraction, to the digits that a cell can carry, as a formula would have it; false where it has no meaning.
func shareOf(part, whole report.Money) (float64, bool) {
	p, err1 := parseMoney(part)
	w, err2 := parseMoney(whole)
	if err1 != nil || err2 != nil || w.Sign() <= 0 {
		return 0, false
	}
	return roundForCell(p.DivRound(w, 2*excelDigits)), true
}

// percentText is a share as a number of per cent.
func percentText(share string) string {
	d, err := decimal.NewFromString(share)
	if err != nil {
		return ""
	}
	return d.Shift(2).StringFixed(2)
}

// isZero says whether m is known to be zero.
func isZero(m report.Money) bool {
	d, err := parseMoney(m)
	return err == nil && d.IsZero()
}

// readable writes an amount into a sentence: thousands separators and as many decimals as
// asked for. It rounds for the eye only; the cells have every digit.
func readable(t func(string, ...any) string, m report.Money, places int) string {
	d, err := parseMoney(m)
	switch {
	case err != nil:
		return t(unknown)
	case d.Abs().LessThan(shown) && d.IsPositive():
		return t("less than 0.000001")
	}
	return separated(d, places)
}

// separated is a number with that many decimals and separators between thousands.
func separated(d decimal.Decimal, places int) string {
	text := d.StringFixed(int32(places))
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	whole, fraction, point := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}

// groupDigits is a count with separators between thousands.
func groupDigits(n int64) string { return separated(decimal.NewFromInt(n), 0) }

// excelEpoch is day 0 of Excel's calendar for all days from March 1900 on.
var excelEpoch = time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC)

// serialDate is t as Excel's number of days, by the wall clock of zone, to the millisecond.
// Ten decimals hold a millisecond and stay within 15 digits.
func serialDate(t time.Time, zone *time.Location) float64 {
	t = t.In(zone).Round(time.Millisecond)
	wall := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	days := float64(wall.Sub(excelEpoch)) / float64(24*time.Hour)
	return math.Round(days*1e10) / 1e10
}
