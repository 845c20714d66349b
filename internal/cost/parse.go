package cost

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

var plainNumber = regexp.MustCompile(`^[+-]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})$`)

// ParseNumber reads a plain decimal such as 0.012: no exponent, no separators, no words. name is the flag.
func ParseNumber(name, s string) (decimal.Decimal, error) {
	s = strings.TrimSpace(s)
	if !plainNumber.MatchString(s) {
		return decimal.Zero, &DomainError{name, strconv.Quote(cut(s)), "a plain number such as 0.05"}
	}
	d, err := decimal.NewFromString(strings.TrimPrefix(s, "+"))
	if err != nil {
		return decimal.Zero, &DomainError{name, strconv.Quote(cut(s)), "a plain number such as 0.05"}
	}
	return d, nil
}

// ParseAmount reads a number that is not negative.
func ParseAmount(name, s string) (decimal.Decimal, error) {
	d, err := ParseNumber(name, s)
	if err == nil {
		err = amount(name, d)
	}
	return d, err
}

// ParseFraction reads "5%" or "0.05", with no upper limit.
func ParseFraction(name, s string) (decimal.Decimal, error) {
	num, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	if !plainNumber.MatchString(strings.TrimSpace(num)) {
		return decimal.Zero, &DomainError{name, strconv.Quote(cut(s)), "a share such as 5% or 0.05"}
	}
	d, err := ParseNumber(name, num)
	if percent {
		d = d.Shift(-2)
	}
	if err == nil {
		err = amount(name, d)
	}
	return d, err
}

// ParseShare reads "5%" or "0.05", from 0 to 1.
func ParseShare(name, s string) (decimal.Decimal, error) {
	d, err := ParseFraction(name, s)
	if err == nil {
		err = Share(name, d)
	}
	return d, err
}

// ParseShares reads a list of shares, "40%,60%".
func ParseShares(name, s string) (list []decimal.Decimal, err error) {
	parts := strings.Split(s, ",")
	if len(parts) > MaxExecutions {
		return nil, &DomainError{name, strconv.Itoa(len(parts)) + " values", "at most " + strconv.Itoa(MaxExecutions)}
	}
	for _, part := range parts {
		d, err := ParseShare(name, part)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

var layerName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)

// ParseLayers reads "sdk=2,app=1". The order says nothing: the layers multiply.
func ParseLayers(s string) ([]Layer, error) {
	var layers []Layer
	for _, part := range strings.Split(s, ",") {
		name, retries, ok := strings.Cut(strings.TrimSpace(part), "=")
		name, retries = strings.TrimSpace(name), strings.TrimSpace(retries)
		n, err := strconv.Atoi(retries)
		if !ok || err != nil && !tooLong(retries) || !layerName.MatchString(name) {
			return nil, &DomainError{NameLayers, strconv.Quote(cut(part)), "a name and a whole number of retries, such as sdk=2"}
		}
		if err != nil {
			n = MaxExecutions
		}
		layers = append(layers, Layer{name, n})
	}
	_, err := Params{Layers: layers}.Executions()
	return layers, err
}

// tooLong is a whole number that no int holds.
func tooLong(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// LayersText is "sdk=2,app=1".
func LayersText(layers []Layer) string {
	parts := make([]string, len(layers))
	for i, l := range layers {
		parts[i] = fmt.Sprintf("%s=%d", l.Name, l.Retries)
	}
	return strings.Join(parts, ",")
}

func cut(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
