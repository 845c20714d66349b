// Package prices reads price lists: what a provider asks for the tokens of a model.
//
// Two forms are read, told apart by their content: a CSV of one's own, in prices per million
// tokens, and LiteLLM's model_prices_and_context_window.json, in USD per token. A list either
// parses as a whole or not at all: a wrong price is worse than none.
package prices

import (
	"bytes"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/source"
)

// The tiers of service that a price can hold for.
const (
	Standard = "standard"
	Batch    = "batch"
	Flex     = "flex"
	Priority = "priority"
)

// Price is what one model costs in one tier of service, from one size of prompt and one day
// on. Prices are per million tokens in Currency; nil is not listed, which is unknown and not
// zero. They hold for the whole request, not for the tokens above the threshold alone.
type Price struct {
	Line     int64     // of a CSV; the number of the entry in a JSON list
	Provider string    // lower case; "" is any
	Model    string    // lower case, as the list spells it
	Tier     string    // standard, batch, flex or priority
	Above    int64     // holds for requests with more input tokens than this
	Since    time.Time // UTC, the first instant at which it holds; zero is always
	Until    time.Time // UTC, the first instant at which it no longer holds; zero is never
	Currency string    // three letters

	Input, CachedInput, CacheWrite, Output, Reasoning *decimal.Decimal
}

// List is one price list.
type List struct {
	SHA256  string // of the decompressed content
	Bytes   int64
	Format  string // retrytax-prices or litellm-prices
	Rows    int64  // rows or entries read
	Ignored int64  // entries that price no tokens: images, audio, searches
	Prices  []Price
}

// maxBytes is far more than any list has; LiteLLM's is under two megabytes.
const maxBytes = 64 << 20

// Read reads a whole price list. The error is a *source.Error that names the line and what
// was expected there.
func Read(in *source.Input) (*List, error) {
	text, sum, err := in.Text(maxBytes)
	if err != nil {
		return nil, err
	}
	l := &List{SHA256: sum, Bytes: int64(len(text))}
	if err := l.parse(in.Name, text); err != nil {
		return nil, err
	}
	return l, l.overlaps(in.Name)
}

func (l *List) parse(file string, text []byte) error {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		l.Format = "litellm-prices"
		return l.readLiteLLM(file, text)
	}
	l.Format = "retrytax-prices"
	return l.readCSV(file, text)
}

// key is what at most one price may hold for at a time.
func (p Price) key() string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%d", p.Provider, p.Model, p.Tier, p.Above)
}

// overlaps refuses a list that says two things of one model, tier, size and day.
func (l *List) overlaps(file string) error {
	seen := map[string][]Price{}
	for _, p := range l.Prices {
		for _, q := range seen[p.key()] {
			if (q.Until.IsZero() || p.Since.Before(q.Until)) && (p.Until.IsZero() || q.Since.Before(p.Until)) {
				return &source.Error{File: file, Line: p.Line, Column: "model",
					Found:    fmt.Sprintf("a second price of %s (%s) for the same days; the first is in line %d", p.Model, p.Tier, q.Line),
					Expected: "one price a model, tier, size and day", Kind: source.ErrUnrecognised,
					Hint: "give the older one an effective_to, which is the first day on which it no longer holds"}
			}
		}
		seen[p.key()] = append(seen[p.key()], p)
	}
	return nil
}

// The most that a million tokens can cost, in any currency and in USD; a price above it was
// given in another unit.
var (
	largest    = decimal.New(1, 9)
	largestUSD = decimal.New(1, 5)
)

// beyond tells a number that no price has, before anything is computed with it: 1e999999999 is short to write and
// has a thousand million digits.
func beyond(d decimal.Decimal) bool { return d.Exponent() < -30 || d.Exponent() > 30 }

// perMillion reads a price per unit tokens and gives it per million.
func perMillion(text string, unit int32) (*decimal.Decimal, string) {
	if len(text) > 40 {
		return nil, "a price of at most 40 characters"
	}
	d, err := decimal.NewFromString(text)
	if err != nil {
		return nil, "a price such as 2.50"
	}
	if beyond(d) {
		return nil, "a price such as 2.50"
	}
	d = d.Shift(6 - unit)
	switch {
	case d.IsNegative():
		return nil, "a price that is not negative"
	case d.GreaterThan(largest):
		return nil, "a price of at most 1 000 000 000 a million tokens"
	case !d.Equal(d.Truncate(12)):
		return nil, "a price of at most twelve decimals a million tokens"
	}
	return &d, ""
}
