package cost

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/shopspring/decimal"
)

// Uncertain is a measured parameter with its 95 % interval. Place is k - 1 of the repeat
// timeout rates.
type Uncertain struct {
	Param            string
	Place            int
	Value, Low, High decimal.Decimal
}

// z95 is the 97.5 % quantile of the normal distribution.
const z95 = 1.959963984540054

// Simulate draws the parameters so many times, each independently of the others, and returns
// quantiles (in per cent, nearest rank) of the excess of a day. A share is drawn from a normal
// distribution of its log odds, any other value of its logarithm, as wide as its interval; a
// value at the edge of its domain falls off from there to the interval's other end. The same
// seed gives the same draws.
func Simulate(p Params, uncertain []Uncertain, runs int, seed uint64, quantiles ...int) ([]decimal.Decimal, error) {
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	excess := make([]decimal.Decimal, runs)
	for i := range excess {
		q := p
		q.Timeout = slices.Clone(p.Timeout)
		for _, u := range uncertain {
			q.set(u, u.draw(rng.NormFloat64()))
		}
		r, err := Project(q)
		if err != nil {
			return nil, err
		}
		excess[i] = r.Excess
	}
	slices.SortFunc(excess, decimal.Decimal.Cmp)
	out := make([]decimal.Decimal, len(quantiles))
	for i, q := range quantiles {
		out[i] = excess[min(max((runs*q+99)/100-1, 0), runs-1)]
	}
	return out, nil
}

func (p *Params) set(u Uncertain, v decimal.Decimal) {
	switch u.Param {
	case NameTimeout, NameRepeat:
		if u.Place < len(p.Timeout) {
			p.Timeout[u.Place] = v
		}
	case NameStarted:
		p.Started = v
	case NamePartial:
		p.Partial = v
	case NameUnitCost:
		p.UnitCost = v
	case NameTimedOut:
		p.TimedOutCost = decimal.NewNullDecimal(v)
	}
}

func (u Uncertain) share() bool {
	return u.Param == NameTimeout || u.Param == NameRepeat || u.Param == NameStarted
}

// draw is the parameter at z standard deviations from its value.
func (u Uncertain) draw(z float64) decimal.Decimal {
	v, low, high := u.Value.InexactFloat64(), u.Low.InexactFloat64(), u.High.InexactFloat64()
	width := high - v
	if z < 0 {
		width = v - low
	}
	out := v + z/z95*width
	switch {
	case u.share() && v > 0 && v < 1 && low > 0 && high < 1:
		out = unlogit(logit(v) + z/(2*z95)*(logit(high)-logit(low)))
	case !u.share() && v > 0 && low > 0:
		out = math.Exp(math.Log(v) + z/(2*z95)*(math.Log(high)-math.Log(low)))
	case u.share() && v >= 1:
		out = 1 - math.Abs(z)/z95*(1-low)
	case v <= 0:
		out = math.Abs(z) / z95 * high
	}
	out = max(out, 0)
	if u.share() {
		out = min(out, 1)
	}
	return decimal.NewFromFloat(out).Round(9)
}

func logit(x float64) float64   { return math.Log(x / (1 - x)) }
func unlogit(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
