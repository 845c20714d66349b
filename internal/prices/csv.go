package prices

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/source"
)

// Columns are those of a price list of one's own. Required are model and one of the prices;
// a blank price is not listed. Dates are days in UTC or RFC 3339 times; effective_to is the
// first day on which the price no longer holds.
var Columns = []string{"provider", "model", "service_tier", "above_input_tokens", "effective_from", "effective_to", "currency",
	"input_per_million", "cached_input_per_million", "cache_write_per_million", "output_per_million", "reasoning_per_million"}

// row is one line of the CSV under its header.
type row struct {
	file   string
	line   int64
	values map[string]string
}

func (r row) fail(column, expected string) error {
	return &source.Error{File: r.file, Line: r.line, Column: column, Found: strconv.Quote(cut(r.values[column])), Expected: expected,
		Kind: source.ErrUnrecognised, Hint: "a price list counts only as a whole: mend the line, or leave it out"}
}

func cut(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

func (l *List) readCSV(file string, text []byte) error {
	cr := csv.NewReader(bytes.NewReader(text))
	header, err := cr.Read()
	if err != nil {
		return csvError(file, err)
	}
	for i, name := range header {
		header[i] = strings.ToLower(strings.TrimSpace(name))
	}
	if err := checkHeader(file, header); err != nil {
		return err
	}
	for {
		fields, err := cr.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return csvError(file, err)
		}
		line, _ := cr.FieldPos(0)
		r := row{file, int64(line), map[string]string{}}
		for i, v := range fields {
			r.values[header[i]] = strings.TrimSpace(v)
		}
		p, err := r.price()
		if err != nil {
			return err
		}
		l.Rows++
		l.Prices = append(l.Prices, p)
	}
	if l.Rows == 0 {
		return &source.Error{File: file, Found: "a header without prices", Expected: "prices", Kind: source.ErrEmpty, Hint: "add a line for each model"}
	}
	return nil
}

func csvError(file string, err error) error {
	e := &source.Error{File: file, Found: "a line that is no CSV", Expected: "as many fields as the header has", Kind: source.ErrUnrecognised, Cause: err,
		Hint: "put quotes around values with commas in them"}
	var p *csv.ParseError
	if errors.As(err, &p) {
		e.Line, e.Found = int64(p.Line), p.Err.Error()
	}
	return e
}

func checkHeader(file string, header []string) error {
	seen := map[string]bool{}
	for _, name := range header {
		known := false
		for _, c := range Columns {
			known = known || c == name
		}
		if !known || seen[name] {
			found := "the column " + strconv.Quote(cut(name))
			if seen[name] {
				found += " twice"
			}
			return &source.Error{File: file, Line: 1, Found: found, Expected: "columns among " + strings.Join(Columns, ", "),
				Kind: source.ErrUnrecognised, Hint: "a price that is read under the wrong name is worse than none: rename the column, or leave it out"}
		}
		seen[name] = true
	}
	if !seen["model"] {
		return &source.Error{File: file, Line: 1, Found: "no column model", Expected: "one", Kind: source.ErrUnrecognised, Hint: "name the column model"}
	}
	return nil
}

func (r row) price() (Price, error) {
	p := Price{Line: r.line, Provider: strings.ToLower(r.values["provider"]), Model: strings.ToLower(r.values["model"]), Tier: Standard, Currency: "USD"}
	if p.Model == "" {
		return p, r.fail("model", "a model's name, as the bill spells it")
	}
	switch t := strings.ToLower(r.values["service_tier"]); t {
	case "", Standard, "default":
	case Batch, Flex, Priority:
		p.Tier = t
	default:
		return p, r.fail("service_tier", "standard, batch, flex or priority")
	}
	if v := r.values["above_input_tokens"]; v != "" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 0 || n > 1e12 {
			return p, r.fail("above_input_tokens", "a count of tokens")
		}
		p.Above = n
	}
	if v := strings.ToUpper(r.values["currency"]); v != "" {
		if len(v) != 3 || strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return p, r.fail("currency", "a code of three letters, such as USD")
		}
		p.Currency = v
	}
	var err error
	if p.Since, err = r.day("effective_from"); err != nil {
		return p, err
	}
	if p.Until, err = r.day("effective_to"); err != nil {
		return p, err
	}
	if !p.Until.IsZero() && !p.Since.Before(p.Until) {
		return p, r.fail("effective_to", fmt.Sprintf("a day after effective_from (%s)", r.values["effective_from"]))
	}
	return p, r.amounts(&p)
}

// amounts reads the prices; a row without any says nothing.
func (r row) amounts(p *Price) error {
	listed := 0
	for _, c := range []struct {
		column string
		to     **decimal.Decimal
	}{
		{"input_per_million", &p.Input}, {"cached_input_per_million", &p.CachedInput}, {"cache_write_per_million", &p.CacheWrite},
		{"output_per_million", &p.Output}, {"reasoning_per_million", &p.Reasoning},
	} {
		v := r.values[c.column]
		if v == "" {
			continue
		}
		d, expected := perMillion(v, 6)
		if d == nil {
			return r.fail(c.column, expected)
		}
		*c.to = d
		listed++
	}
	if listed == 0 {
		return r.fail("input_per_million", "at least one price in the line")
	}
	return nil
}

// day reads a day or a time; blank is zero.
func (r row) day(column string) (time.Time, error) {
	v := r.values[column]
	if v == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{"2006-01-02", time.RFC3339} {
		if t, err := time.Parse(layout, v); err == nil && t.Year() >= 2015 && t.Year() < 2200 {
			return t.UTC(), nil
		}
	}
	return time.Time{}, r.fail(column, "a day such as 2026-10-01")
}
