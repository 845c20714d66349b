package cost

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// Axis is a parameter and the values that a grid gives it.
type Axis struct {
	Param  string
	Values []decimal.Decimal
}

// maxPoints is how many points a grid may have.
const maxPoints = 10_000

// Swept are the parameters that a grid can vary.
var Swept = []string{NameRequests, NameTimeout, NameRepeat, NameStarted, NameUnitCost, NamePartial, NameTimedOut}

// ParseAxis reads "timeout-rate=1%..20%:1%": both ends are included.
func ParseAxis(s string) (Axis, error) {
	fail := func(expected string) (Axis, error) {
		return Axis{}, &DomainError{"sweep", fmt.Sprintf("%q", cut(s)), expected}
	}
	name, values, ok := strings.Cut(s, "=")
	ends, step, stepped := strings.Cut(values, ":")
	low, high, ranged := strings.Cut(ends, "..")
	if !ok || !stepped || !ranged {
		return fail("a range such as timeout-rate=1%..20%:1%")
	}
	if !slices.Contains(Swept, name) {
		return fail("one of " + strings.Join(Swept, ", "))
	}
	var v [3]decimal.Decimal
	for i, text := range []string{low, high, step} {
		var err error
		if v[i], err = ParseFraction("sweep", text); err != nil {
			return Axis{}, err
		}
	}
	if !v[2].IsPositive() || v[1].LessThan(v[0]) {
		return fail("a range that rises, and a step above 0")
	}
	if v[1].Sub(v[0]).GreaterThan(v[2].Mul(decimal.NewFromInt(maxPoints))) {
		return fail(fmt.Sprintf("at most %d values", maxPoints))
	}
	a := Axis{Param: name}
	for x := v[0]; x.LessThanOrEqual(v[1]); x = x.Add(v[2]) {
		a.Values = append(a.Values, x)
	}
	_, err := Params{}.With(name, a.Values[len(a.Values)-1])
	return a, err
}

// With is the parameters with one of them changed.
func (p Params) With(name string, v decimal.Decimal) (Params, error) {
	p.Timeout = slices.Clone(p.Timeout)
	switch len(p.Timeout) {
	case 0:
		p.Timeout = []decimal.Decimal{decimal.Zero, decimal.Zero}
	case 1: // it stands for all later ones, which stay as they are
		p.Timeout = append(p.Timeout, p.Timeout[0])
	}
	share := false
	switch name {
	case NameRequests:
		p.Requests = v
	case NameTimeout:
		p.Timeout[0], share = v, true
	case NameRepeat:
		p.Timeout, share = []decimal.Decimal{p.Timeout[0], v}, true
	case NameStarted:
		p.Started, share = v, true
	case NameUnitCost:
		p.UnitCost = v
	case NamePartial:
		p.Partial = v
	case NameTimedOut:
		p.TimedOutCost = decimal.NewNullDecimal(v)
	default:
		return p, &DomainError{"sweep", fmt.Sprintf("%q", cut(name)), "one of " + strings.Join(Swept, ", ")}
	}
	if share {
		return p, Share(name, v)
	}
	return p, amount(name, v)
}

// Point is one point of a grid: the values of its axes, in their order, and what the model says.
type Point struct {
	Values []decimal.Decimal
	Projection
}

// Grid projects every combination of one or two axes, the first axis outermost.
func Grid(p Params, axes []Axis) ([]Point, error) {
	if len(axes) == 0 || len(axes) > 2 {
		return nil, &DomainError{"sweep", fmt.Sprint(len(axes)), "one or two"}
	}
	if len(axes) == 2 && axes[0].Param == axes[1].Param {
		return nil, &DomainError{"sweep", axes[0].Param + " twice", "two parameters"}
	}
	if n := len(axes[0].Values) * len(axes[len(axes)-1].Values); n > maxPoints && len(axes) == 2 {
		return nil, &DomainError{"sweep", fmt.Sprintf("%d points", n), fmt.Sprintf("at most %d", maxPoints)}
	}
	var points []Point
	add := func(q Params, values ...decimal.Decimal) error {
		r, err := Project(q)
		points = append(points, Point{values, r})
		return err
	}
	for _, v := range axes[0].Values {
		q, err := p.With(axes[0].Param, v)
		if err != nil {
			return nil, err
		}
		if len(axes) == 1 {
			if err := add(q, v); err != nil {
				return nil, err
			}
			continue
		}
		for _, w := range axes[1].Values {
			both, err := q.With(axes[1].Param, w)
			if err != nil {
				return nil, err
			}
			if err := add(both, v, w); err != nil {
				return nil, err
			}
		}
	}
	return points, nil
}

// Range is how low and how high a parameter may be.
type Range struct {
	Param     string
	Low, High decimal.Decimal
	Measured  bool // its 95 % interval
}

// Bar is the excess of a day where one parameter is at its low and at its high.
type Bar struct {
	Range
	AtLow, AtHigh decimal.Decimal
}

// Tornado varies each parameter alone; the widest bar comes first, ties by name.
func Tornado(p Params, ranges []Range) ([]Bar, error) {
	var bars []Bar
	for _, r := range ranges {
		bar := Bar{Range: r}
		for _, end := range []struct {
			value decimal.Decimal
			to    *decimal.Decimal
		}{{r.Low, &bar.AtLow}, {r.High, &bar.AtHigh}} {
			q, err := p.With(r.Param, end.value)
			if err != nil {
				return nil, err
			}
			x, err := Project(q)
			if err != nil {
				return nil, err
			}
			*end.to = x.Excess
		}
		bars = append(bars, bar)
	}
	slices.SortStableFunc(bars, func(a, b Bar) int {
		if c := b.AtHigh.Sub(b.AtLow).Abs().Cmp(a.AtHigh.Sub(a.AtLow).Abs()); c != 0 {
			return c
		}
		return strings.Compare(a.Param, b.Param)
	})
	return bars, nil
}

// Around are ranges of a share of each parameter's value to either side, within its domain.
func Around(p Params, swing decimal.Decimal) []Range {
	var out []Range
	for _, x := range []struct {
		name  string
		value decimal.Decimal
		most  bool
	}{{NameRequests, p.Requests, false}, {NameTimeout, p.at(1), true}, {NameRepeat, p.at(2), true}, {NameStarted, p.Started, true},
		{NamePartial, p.Partial, false}, {NameUnitCost, p.UnitCost, false}} {
		if x.value.IsZero() {
			continue // a share of nothing is nothing
		}
		r := Range{Param: x.name, Low: x.value.Mul(one.Sub(swing)), High: x.value.Mul(one.Add(swing))}
		if x.most {
			r.High = decimal.Min(r.High, one)
		}
		r.Low, r.High = decimal.Max(r.Low, decimal.Zero).Round(maxDecimals), r.High.Round(maxDecimals)
		out = append(out, r)
	}
	return out
}
