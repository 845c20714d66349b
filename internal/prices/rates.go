package prices

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/source"
)

// Rate is what one unit of a currency was worth in another on a day: 1 Base = Rate Quote.
type Rate struct {
	Day         time.Time // midnight UTC; the day alone counts
	Base, Quote string    // three letters
	Rate        decimal.Decimal
	Line        int64
}

// Rates is a file of rates.
type Rates struct {
	File, SHA256 string
	List         []Rate
}

// maxRates bounds the size of a file of rates.
const maxRates = 64 << 20

var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

// ReadRates reads a CSV with the columns date, from, to and rate: on that day one unit of from was
// worth rate units of to. A line that cannot be read, or that says another rate of the same day, stops the
// reading (*source.Error): no total may rest on a part of them.
func ReadRates(in *source.Input) (*Rates, error) {
	text, sum, err := in.Text(maxRates)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\uFEFF"))))
	r.FieldsPerRecord = -1
	header, err := r.Read()
	if err != nil {
		return nil, rateFault(in.Name, 1, "", "text that is no CSV", "a header with date, from, to, rate")
	}
	at := map[string]int{}
	for i, h := range header {
		at[strings.ToLower(strings.TrimSpace(h))] = i
	}
	for _, c := range rateColumns {
		if _, ok := at[c]; !ok {
			return nil, rateFault(in.Name, 1, "", "columns "+strings.Join(header, ", "), "a column "+c+" (date, from, to, rate)")
		}
	}
	out := &Rates{File: in.Name, SHA256: sum}
	seen := map[string]Rate{}
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		line, _ := r.FieldPos(0)
		if err != nil || len(rec) < len(header) {
			return nil, rateFault(in.Name, int64(line), "", fmt.Sprintf("%d fields", len(rec)), fmt.Sprintf("%d, as in the header", len(header)))
		}
		x, err := rateOf(in.Name, int64(line), rec, at)
		if err != nil {
			return nil, err
		}
		key := x.Day.Format(time.DateOnly) + x.Base + x.Quote
		if old, twice := seen[key]; twice && !old.Rate.Equal(x.Rate) {
			return nil, rateFault(in.Name, x.Line, "rate", x.Rate.String(), fmt.Sprintf("%s, which line %d says of the same day", old.Rate, old.Line))
		} else if !twice {
			seen[key] = x
			out.List = append(out.List, x)
		}
	}
}

var rateColumns = []string{"date", "from", "to", "rate"}

// rateOf is one line.
func rateOf(file string, line int64, rec []string, at map[string]int) (x Rate, err error) {
	v := map[string]string{}
	for _, c := range rateColumns {
		v[c] = strings.TrimSpace(rec[at[c]])
	}
	x.Line, x.Base, x.Quote = line, strings.ToUpper(v["from"]), strings.ToUpper(v["to"])
	if x.Day, err = time.Parse(time.DateOnly, v["date"]); err != nil {
		return x, rateFault(file, line, "date", fmt.Sprintf("%.40q", v["date"]), "a day such as 2026-10-03")
	}
	if i := slices.IndexFunc([]string{x.Base, x.Quote}, func(c string) bool { return !currencyCode.MatchString(c) }); i >= 0 {
		return x, rateFault(file, line, []string{"from", "to"}[i], fmt.Sprintf("%.40q", []string{v["from"], v["to"]}[i]), "a code of three letters, such as USD")
	}
	if len(v["rate"]) <= 30 {
		x.Rate, err = decimal.NewFromString(v["rate"])
	} else {
		err = errors.New("too long")
	}
	if err != nil || beyond(x.Rate) || !x.Rate.IsPositive() || !x.Rate.Equal(x.Rate.Truncate(12)) || x.Rate.GreaterThan(decimal.New(1, 15)) {
		return x, rateFault(file, line, "rate", fmt.Sprintf("%.40q", v["rate"]), "a number above 0 with at most 12 decimals, such as 0.9215")
	}
	return x, nil
}

func rateFault(file string, line int64, column, found, expected string) error {
	return &source.Error{File: file, Line: line, Column: column, Found: found, Expected: expected, Kind: source.ErrUnrecognised,
		Hint: "a file of rates is a CSV with date, from, to, rate: 2026-10-03,USD,EUR,0.9215"}
}
