package cost

import "github.com/shopspring/decimal"

// Projection is what the model says of one day. Money is in the currency of the unit cost.
type Projection struct {
	Params     Params
	Executions int             // M, the worst case of one call
	PerCall    decimal.Decimal // executions of one call, on average
	Base       decimal.Decimal // the bill without retries: each call executed once and answered
	Delivered  decimal.Decimal // paid for answers
	Excess     decimal.Decimal // the retry extra: paid beside an answer that was paid for
	// Undelivered is paid for calls that nothing answered.
	Undelivered decimal.Decimal
	Lost        decimal.Decimal // calls that nothing answered
}

// Total is the bill of the day: delivered + excess + undelivered.
func (r Projection) Total() decimal.Decimal { return r.Delivered.Add(r.Excess).Add(r.Undelivered) }

// Waste is what is paid for nothing: excess + undelivered. Remedies are measured by it.
func (r Projection) Waste() decimal.Decimal { return r.Excess.Add(r.Undelivered) }

// Overpay is the retry extra as a share of the bill without retries; false where that is 0.
func (r Projection) Overpay() (decimal.Decimal, bool) {
	if r.Base.IsZero() {
		return decimal.Zero, false
	}
	return r.Excess.DivRound(r.Base, maxDecimals), true
}

// Documented is the first article's number for one day (section 4.3): N × p₁ × f × u. It is
// what [Project] gives for M = 2, p₂ = 0, g = 1.
func Documented(p Params) decimal.Decimal {
	return p.Requests.Mul(p.at(1)).Mul(p.Started).Mul(p.UnitCost)
}

// Project computes one day (design section 5). With Pₖ = p₁ × … × pₖ, the share of calls whose
// first k executions all time out:
//
//	delivered   = N·u·(1 − P_M)
//	excess      = N·uₜ·g·f·(Σ_{k<M} Pₖ − (M − 1)·P_M) + N·u·h
//	undelivered = N·uₜ·g·f·M·P_M
//	calls lost  = N·P_M
//
// A call stops at its first answer, so Pₖ − Pₖ₊₁ of the calls are answered after k timeouts,
// and each of these was started with probability f and costs uₜ·g then (uₜ: u of the calls that
// time out). h is Hidden, what was measured beside that. The excess is times Kept where vendors
// deduplicate or are asked first; a measured Kept is what they leave already. Units: N calls a day, u currency a call,
// so all amounts are currency a day. The sum is summed; there is no closed form.
func Project(p Params) (Projection, error) {
	if err := p.Check(); err != nil {
		return Projection{}, err
	}
	m, err := p.Executions()
	if err != nil {
		return Projection{}, err
	}
	sum, last := decimal.Zero, one // Σ_{k<M} Pₖ and P_M
	for k := 1; k <= m; k++ {
		if last = last.Mul(p.at(k)); last.IsZero() {
			break
		}
		if k < m {
			sum = sum.Add(last)
		}
	}
	bill := p.Requests.Mul(p.UnitCost)
	abandoned := p.Requests.Mul(p.long()).Mul(p.Partial).Mul(p.Started)
	tries := decimal.NewFromInt(int64(m))
	return Projection{
		Params: p, Executions: m, PerCall: one.Add(sum), Base: bill,
		Delivered:   bill.Mul(one.Sub(last)),
		Excess:      abandoned.Mul(sum.Sub(tries.Sub(one).Mul(last))).Add(bill.Mul(p.Hidden)).Mul(p.Kept),
		Undelivered: abandoned.Mul(tries).Mul(last),
		Lost:        p.Requests.Mul(last),
	}, nil
}

// DaysAYear is the year of a projection.
const DaysAYear = 365

// Over is an amount a day over so many days.
func Over(perDay decimal.Decimal, days int) decimal.Decimal {
	return perDay.Mul(decimal.NewFromInt(int64(days)))
}

// Text is a number for output: exact up to twelve decimals, rounded half away from zero
// beyond them, without trailing zeros. It is the one place where this package rounds.
func Text(d decimal.Decimal) string { return d.Round(maxDecimals).String() }
