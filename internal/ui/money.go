package ui

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
)

const (
	noBreak    = '\u00a0' // within amounts, so that no line breaks there; printed as a space
	minPlaces  = 2
	maxPlaces  = 6  // for display; exact values stand in the files
	allPlaces  = 12 // what the data holds
	unknown    = "unknown"
	notMeasure = "not measurable"
)

// value reads an amount; false means that it is unknown.
func value(m report.Money) (decimal.Decimal, bool) {
	d, err := decimal.NewFromString(string(m))
	return d, err == nil && m != ""
}

// Amount is money for display: thousands set apart, two to six decimals. This is the one
// place where money is rounded (half away from zero). An amount that would round to
// nothing shows as less than the smallest one, since it is not nothing.
func Amount(m report.Money) string {
	d, ok := value(m)
	if !ok {
		return unknown
	}
	return plain(amount(d, places(maxPlaces, d)))
}

// amount is d with exactly n decimals.
func amount(d decimal.Decimal, n int32) string {
	if !d.IsZero() && d.Round(n).IsZero() {
		smallest := amount(decimal.New(1, -n), n)
		if d.IsNegative() {
			return ">-" + smallest
		}
		return "<" + smallest
	}
	text := d.StringFixed(n)
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	return sign + thousands(whole) + "." + fraction
}

// places is how many decimals show all values: as many as the longest needs, at most most.
func places(most int32, values ...decimal.Decimal) int32 {
	n := int32(minPlaces)
	for _, d := range values {
		if !d.IsZero() && d.Round(most).IsZero() {
			n = most // shows as less than the smallest
		}
		for n < most && !d.Round(most).Equal(d.Round(n)) {
			n++
		}
	}
	return n
}

// thousands groups the digits of a whole number by three.
func thousands(digits string) string {
	var b strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteRune(noBreak)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Count is a whole number for display.
func Count(n int64) string { return plain(count(n)) }

func count(n int64) string {
	text := strconv.FormatInt(n, 10)
	if n < 0 {
		return "-" + thousands(text[1:])
	}
	return thousands(text)
}

// counted is "1 call" or "2 calls".
func counted(n int64, one, many string) string {
	if n == 1 {
		return "1" + string(noBreak) + one
	}
	return count(n) + string(noBreak) + many
}

// share is part of whole in percent, or "" where that says nothing: a whole that is
// unknown, zero or negative, and a part that is nothing.
func share(part, whole report.Money) string {
	p, okP := value(part)
	w, okW := value(whole)
	if !okP || !okW || p.IsZero() || !w.IsPositive() {
		return ""
	}
	return percent(p.Mul(decimal.New(100, 0)).DivRound(w, 6))
}

// percent has one decimal, and does not call something nothing, nor nearly all all.
func percent(d decimal.Decimal) string {
	hundred, tenth := decimal.New(100, 0), decimal.New(1, -1)
	text := d.StringFixed(1)
	switch {
	case d.IsPositive() && d.LessThan(tenth):
		text = "<0.1"
	case d.LessThan(hundred) && d.Round(1).Equal(hundred):
		text = "99.9"
	}
	return text + string(noBreak) + "%"
}

// sameMoney tells whether two amounts are equal, or both unknown.
func sameMoney(a, b report.Money) bool {
	x, okX := value(a)
	y, okY := value(b)
	return okX == okY && (!okX || x.Equal(y))
}

// isZero tells whether an amount is known and nothing.
func isZero(m report.Money) bool {
	d, ok := value(m)
	return ok && d.IsZero()
}

func plain(s string) string { return strings.ReplaceAll(s, string(noBreak), " ") }
