package synth

import (
	"strconv"

	"github.com/shopspring/decimal"
)

// Money is an amount in units of 1e-12 of the currency, the finest step that
// the canonical DECIMAL(38,12) holds. Whole numbers keep sums exact.
type Money int64

// Price is what one token costs, in the same units of 1e-12.
type Price int64

// moneyDigits is the number of decimals of Money.
const moneyDigits = 12

// PerMillion reads a price as vendors print it, currency units per million
// tokens. It panics on text that is no decimal number or is finer than 1e-12 a
// token: prices are written in code, so either is a slip of the programmer.
func PerMillion(text string) Price {
	perToken := decimal.RequireFromString(text).Shift(moneyDigits - 6)
	if !perToken.IsInteger() {
		panic("synth: price " + text + " is finer than 1e-12 a token")
	}
	return Price(perToken.IntPart())
}

// times is the amount for so many tokens.
func (p Price) times(tokens int) Money { return Money(p) * Money(tokens) }

// String prints the exact amount without trailing zeros.
func (m Money) String() string { return string(appendMoney(nil, m)) }

// Decimal is the same amount for exact arithmetic.
func (m Money) Decimal() decimal.Decimal { return decimal.New(int64(m), -moneyDigits) }

// appendMoney prints m exactly: a sign, whole units, and up to twelve decimals
// without trailing zeros.
func appendMoney(dst []byte, m Money) []byte {
	if m < 0 {
		dst = append(dst, '-')
		m = -m
	}
	const one = 1_000_000_000_000
	dst = strconv.AppendInt(dst, int64(m/one), 10)
	fraction := int64(m % one)
	if fraction == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := int64(one / 10); fraction > 0; unit /= 10 {
		dst = append(dst, byte('0'+fraction/unit))
		fraction %= unit
	}
	return dst
}
