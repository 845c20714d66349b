package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// valueShape is what the values of a column look like. It says nothing of any one value, which
// may be a prompt or a key.
type valueShape struct {
	what    string // in words
	kind    shapeKind
	layout  string // of times that must be told how to be read
	other   string // another layout that fits as well
	comma   bool   // numbers with a decimal comma
	doubted bool   // numbers whose comma can be either
}

type shapeKind int

const (
	shapeEmpty shapeKind = iota
	shapeTime
	shapeMonth // no time, but a period
	shapeWhole
	shapeNumber
	shapeText
)

func isText(s valueShape) bool {
	return s.kind == shapeText || s.kind == shapeWhole || s.kind == shapeEmpty
}
func isSpan(s valueShape) bool {
	return s.kind == shapeTime || s.kind == shapeMonth || s.kind == shapeEmpty
}
func isMoment(s valueShape) bool { return s.kind == shapeTime || s.kind == shapeEmpty }
func isQuantity(s valueShape) bool {
	return s.kind == shapeNumber || s.kind == shapeWhole || s.kind == shapeEmpty
}
func isAny(valueShape) bool { return true }

func isTokens(column string) bool {
	return strings.HasSuffix(column, "_tokens") || column == "quantity"
}

var (
	readTime = regexp.MustCompile(`^[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?)? ?(Z|UTC|[+-][0-9]{2}:?([0-9]{2})?)?$`)
	oneMonth = regexp.MustCompile(`^20[0-9]{2}-[0-9]{2}$`)
	unixTime = regexp.MustCompile(`^1[0-9]{9}([0-9]{3}){0,3}(\.[0-9]+)?$`)
	hexID    = regexp.MustCompile(`^[0-9a-fA-F]{8,}$`)
	uuid     = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
)

// shapeOf looks at the values that a sample has of a column.
func shapeOf(values []string) valueShape {
	var vs []string
	for _, v := range values {
		if k := known([]byte(v), false); k != nil {
			vs = append(vs, string(k))
		}
	}
	all := func(f func(string) bool) bool { return !slices.ContainsFunc(vs, func(v string) bool { return !f(v) }) }
	switch {
	case len(vs) == 0:
		return valueShape{what: "empty"}
	case all(readTime.MatchString):
		return valueShape{what: "times", kind: shapeTime}
	case all(unixTime.MatchString):
		return valueShape{what: "Unix times", kind: shapeTime}
	case all(oneMonth.MatchString):
		return valueShape{what: "months", kind: shapeMonth}
	}
	var layouts []string
	for _, l := range guessLayouts {
		if all(func(v string) bool { _, ok := parseLayout(v, l); return ok }) {
			layouts = append(layouts, l)
		}
	}
	if len(layouts) > 0 {
		s := valueShape{what: "times, as " + layouts[0], kind: shapeTime, layout: layouts[0]}
		if len(layouts) > 1 {
			s.other = layouts[1]
			s.what += " or " + s.other
		}
		return s
	}
	for _, l := range monthLayouts {
		if all(func(v string) bool { _, ok := parseLayout(v, l); return ok }) {
			return valueShape{what: "months, as " + l, kind: shapeMonth, layout: l}
		}
	}
	if all(func(v string) bool { return digits(ungroupedCount([]byte(v))) }) {
		n := lengths(vs)
		if strings.HasSuffix(n, "digits") && all(func(v string) bool { return len(v) > 15 }) {
			return valueShape{what: "numbers of " + n, kind: shapeText}
		}
		return valueShape{what: "whole numbers", kind: shapeWhole}
	}
	return numberOrText(vs, all)
}

func numberOrText(vs []string, all func(func(string) bool) bool) valueShape {
	number := func(sign decimalSign) func(string) bool {
		return func(v string) bool {
			plain, _, _ := money([]byte(v), sign)
			return plain != "" && plainNumber([]byte(plain)) && strings.ContainsAny(plain, "0123456789")
		}
	}
	switch {
	case all(number(unknownSign)):
		return valueShape{what: "numbers", kind: shapeNumber}
	case all(number(commaSign)):
		return valueShape{what: "numbers with a decimal comma", kind: shapeNumber, comma: true}
	case all(number(pointSign)):
		return valueShape{what: "numbers with commas", kind: shapeNumber, doubted: true}
	case all(uuid.MatchString):
		return valueShape{what: "UUIDs", kind: shapeText}
	case all(hexID.MatchString):
		return valueShape{what: "hexadecimal of " + lengths(vs), kind: shapeText}
	}
	distinct := slices.Clone(vs)
	slices.Sort(distinct)
	if n := len(slices.Compact(distinct)); n < len(vs) && n <= 5 {
		return valueShape{what: fmt.Sprintf("text, %s", Counted(int64(n), "value", "values")), kind: shapeText}
	}
	return valueShape{what: "text", kind: shapeText}
}

// lengths is "16 digits" or "8 to 20 digits".
func lengths(vs []string) string {
	least, most := len(vs[0]), len(vs[0])
	for _, v := range vs {
		least, most = min(least, len(v)), max(most, len(v))
	}
	if least == most {
		return fmt.Sprintf("%d digits", most)
	}
	return fmt.Sprintf("%d to %d digits", least, most)
}
