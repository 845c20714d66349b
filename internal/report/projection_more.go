package report

import (
	"encoding/csv"
	"io"

	"github.com/shopspring/decimal"

	"retrytax/internal/cost"
)

// AddSweep computes the grid of one or two axes.
func (r *Projection) AddSweep(axes []cost.Axis) error {
	points, err := cost.Grid(r.Params, axes)
	if err != nil {
		return err
	}
	r.Sweep = &Sweep{}
	for _, a := range axes {
		r.Sweep.Axes = append(r.Sweep.Axes, Axis{a.Param, texts(a.Values)})
	}
	for _, p := range points {
		a := amountsOf(p.Projection, r.Days)
		r.Sweep.Rows = append(r.Sweep.Rows, SweepRow{texts(p.Values), a.ExtraPerDay, a.ExtraPerMonth, a.ExtraPerYear, a.UndeliveredPerDay, a.Overpay, a.CallsLostPerDay})
	}
	return nil
}

// AddTornado varies each parameter alone: over its measured interval, else by swing of its value.
func (r *Projection) AddTornado(swing decimal.Decimal) error {
	ranges := cost.Around(r.Params, swing)
	for i, x := range ranges {
		if u, ok := r.uncertain(x.Param); ok {
			ranges[i] = cost.Range{Param: x.Param, Low: u.Low, High: u.High, Measured: true}
		}
	}
	bars, err := cost.Tornado(r.Params, ranges)
	if err != nil {
		return err
	}
	for _, b := range bars {
		basis := BasisAssumed
		if b.Measured {
			basis = BasisMeasured
		}
		r.Tornado = append(r.Tornado, Bar{b.Param, cost.Text(b.Low), cost.Text(b.High), basis, moneyOf(cost.Over(b.AtLow, r.Days)),
			moneyOf(cost.Over(b.AtHigh, r.Days)), r.ExtraPerMonth})
	}
	return nil
}

// AddSimulation draws months from the measured uncertainty.
func (r *Projection) AddSimulation(runs int, seed uint64) error {
	q, err := cost.Simulate(r.Params, r.Uncertain, runs, seed, 5, 50, 95)
	if err != nil {
		return err
	}
	if len(r.Uncertain) < len(r.Params.Timeout)+4 {
		r.Warnings = append(r.Warnings, Warning{"simulation", "the simulation takes for certain what was given by a flag or has too few observations for an interval: the range is too narrow by that"})
	}
	over := func(d decimal.Decimal) Money { return moneyOf(cost.Over(d, r.Days)) }
	r.Simulation = &Simulation{runs, seed, over(q[0]), over(q[1]), over(q[2])}
	return nil
}

func (r *Projection) uncertain(name string) (cost.Uncertain, bool) {
	for _, u := range r.Uncertain {
		if u.Param == name && u.Place == 0 {
			return u, true
		}
	}
	return cost.Uncertain{}, false
}

func texts(values []decimal.Decimal) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = cost.Text(v)
	}
	return out
}

// WriteSweepCSV writes the grid, one row a point, every amount beside its currency.
func WriteSweepCSV(w io.Writer, r *Projection) error {
	c := csv.NewWriter(w)
	var head []string
	for _, a := range r.Sweep.Axes {
		head = append(head, a.Parameter)
	}
	rows := [][]string{append(head, "currency", "extra_per_day", "extra_per_month", "extra_per_year", "undelivered_per_day", "overpay", "calls_lost_per_day")}
	for _, x := range r.Sweep.Rows {
		overpay := ""
		if x.Overpay != nil {
			overpay = *x.Overpay
		}
		rows = append(rows, append(append([]string{}, x.Values...), r.Currency, string(x.ExtraPerDay), string(x.ExtraPerMonth), string(x.ExtraPerYear),
			string(x.UndeliveredPerDay), overpay, x.CallsLostPerDay))
	}
	return c.WriteAll(rows)
}

// WriteTornadoCSV writes the bars, the widest first.
func WriteTornadoCSV(w io.Writer, r *Projection) error {
	rows := [][]string{{"parameter", "low", "high", "basis", "currency", "extra_per_month_at_low", "extra_per_month", "extra_per_month_at_high"}}
	for _, b := range r.Tornado {
		rows = append(rows, []string{b.Parameter, b.Low, b.High, b.Basis, r.Currency, string(b.ExtraAtLow), string(b.ExtraAtMiddle), string(b.ExtraAtHigh)})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
