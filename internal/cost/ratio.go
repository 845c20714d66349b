package cost

import (
	"math"
	"strconv"

	"github.com/shopspring/decimal"
	"gonum.org/v1/gonum/stat/distuv"
)

// Hour is one cluster of a measured ratio: Part ÷ Whole over all hours is the estimate.
type Hour struct {
	Part, Whole  decimal.Decimal
	Observations int64
}

// Estimate is a measured ratio and its 95 % interval.
type Estimate struct {
	Value        decimal.Decimal
	Measured     bool // false: nothing stands below the line, which is not zero
	Low, High    decimal.Decimal
	HasInterval  bool
	Observations int64
	Hours        int
}

// FewHours is below how many clusters an interval is no more than a hint.
const FewHours = 20

// fewestHours is below how many clusters a ratio that is no share has no interval at all: nothing bounds it, and
// from two hours Student's quantile makes it a millionfold.
const fewestHours = 5

// Ratio estimates Σ Part ÷ Σ Whole with a 95 % interval whose clusters are hours, as timeouts come in
// incidents: observations of one hour are not independent, and an interval that takes them
// for that (Wilson's) covers far too little.
//
// The variance is the delete-one-hour jackknife's; of a share it is at least the binomial one.
// The quantile is Student's with (Σe²)² ÷ Σe⁴ degrees of freedom, at most hours − 1, e being the hours'
// deviations: where one incident makes nearly all of the variance, so many hours are not
// evidence (after Carter, Schnepel, Steigerwald 2017). The interval is built on the log odds of
// a share, on the logarithm of anything else, so that it stays in its domain. A share of 0 or 1
// has no variance to go by: Clopper and Pearson's interval, with hours for observations.
func Ratio(hours []Hour, share bool) Estimate {
	var e Estimate
	part := decimal.Zero
	whole := decimal.Zero
	for _, h := range hours {
		part, whole, e.Observations = part.Add(h.Part), whole.Add(h.Whole), e.Observations+h.Observations
		if !h.Whole.IsZero() {
			e.Hours++
		}
	}
	if !whole.IsPositive() {
		return e
	}
	e.Value, e.Measured = part.DivRound(whole, maxDecimals), true
	n := float64(e.Hours)
	switch {
	case e.Hours < 2:
		return e
	case share && part.IsZero():
		return e.between(0, 1-math.Pow(0.025, 1/n))
	case share && part.Equal(whole):
		return e.between(math.Pow(0.025, 1/n), 1)
	case !part.IsPositive(), !share && e.Hours < fewestHours:
		return e
	}
	r := e.Value.InexactFloat64()
	se, freedom := jackknife(hours, part.InexactFloat64(), whole.InexactFloat64(), r, n)
	if share {
		se = math.Max(se, math.Sqrt(r*(1-r)/float64(e.Observations)))
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(0.975)
	if share {
		d := t * se / (r * (1 - r))
		return e.between(unlogit(logit(r)-d), unlogit(logit(r)+d))
	}
	d := t * se / r
	return e.between(r*math.Exp(-d), r*math.Exp(d))
}

// jackknife is the standard error of part ÷ whole when hours are left out one by one, and the
// degrees of freedom that the deviations leave.
func jackknife(hours []Hour, part, whole, r, n float64) (se, freedom float64) {
	var mean, m2, squares, fourths, seen float64
	for _, h := range hours {
		y, x := h.Part.InexactFloat64(), h.Whole.InexactFloat64()
		if x == 0 || x >= whole {
			continue
		}
		without := (part - y) / (whole - x)
		seen++
		delta := without - mean
		mean += delta / seen
		m2 += delta * (without - mean)
		e2 := (y - r*x) * (y - r*x)
		squares, fourths = squares+e2, fourths+e2*e2
	}
	if fourths == 0 {
		return 0, n - 1
	}
	return math.Sqrt((n - 1) / n * m2), math.Min(math.Max(squares*squares/fourths, 1), n-1)
}

func (e Estimate) between(low, high float64) Estimate {
	if math.IsNaN(low) || math.IsNaN(high) || math.IsInf(high, 0) || high > 1e15 {
		return e
	}
	e.Low, e.High, e.HasInterval = sixDigits(low), sixDigits(high), true
	// the estimate is exact, the ends are rounded: they must not fall inside it
	e.Low, e.High = decimal.Min(e.Low, e.Value), decimal.Max(e.High, e.Value)
	return e
}

// sixDigits rounds to six significant digits, which is more than an interval's ends are good for.
func sixDigits(x float64) decimal.Decimal {
	d, err := decimal.NewFromString(strconv.FormatFloat(x, 'g', 6, 64))
	if err != nil {
		return decimal.Zero
	}
	return d.Round(maxDecimals)
}
