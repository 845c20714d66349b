package report

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/cost"
	"retrytax/internal/store"
)

// CostData is what the tables of queries/70_cost hold: the parameters of the model as sums an
// hour, and what was found.
type CostData struct {
	Since, Until time.Time // of the calls, whole hours
	Calls        int64
	rows         []costRow
	found        []foundRow
	remedies     []remedyRow
}

type costRow struct {
	measure, layer, provider, model, currency string
	place                                     int
	hour                                      time.Time
	cost.Hour
}

type foundRow struct {
	currency, provider, verdict string
	excess                      decimal.Decimal
	unpriced                    int64
}

type remedyRow struct {
	currency                string
	honours                 bool
	excess, timed, finished decimal.Decimal
}

// ReadCost reads the tables of queries/70_cost; every list is in a total order.
func ReadCost(ctx context.Context, s *store.Store) (*CostData, error) {
	r := &reader{ctx: ctx, s: s}
	d := &CostData{}
	r.each(`SELECT calls, since, until FROM rpt_cost_period`, func(q *sql.Rows) error {
		var since, until sql.NullTime
		err := q.Scan(&d.Calls, &since, &until)
		d.Since, d.Until = since.Time.UTC(), until.Time.UTC()
		return err
	})
	r.each(`SELECT measure, place, layer, provider, model, currency, hour, CAST(part AS VARCHAR), CAST(whole AS VARCHAR), observations
		FROM rpt_cost_hours ORDER BY measure, place, layer, provider, model, currency, hour`, func(q *sql.Rows) error {
		var x costRow
		var hour sql.NullTime
		var part, whole string
		if err := q.Scan(&x.measure, &x.place, &x.layer, &x.provider, &x.model, &x.currency, &hour, &part, &whole, &x.Observations); err != nil {
			return err
		}
		x.hour = hour.Time.UTC()
		var err error
		if x.Part, err = decimal.NewFromString(part); err == nil {
			x.Whole, err = decimal.NewFromString(whole)
		}
		d.rows = append(d.rows, x)
		return err
	})
	r.each(`SELECT currency, provider, verdict, money_text(excess), unpriced FROM rpt_cost_found ORDER BY currency, provider, verdict`, func(q *sql.Rows) error {
		var x foundRow
		var excess Money
		err := q.Scan(&x.currency, &x.provider, &x.verdict, &excess, &x.unpriced)
		x.excess = decimalOf(excess)
		d.found = append(d.found, x)
		return err
	})
	r.each(`SELECT currency, honours, money_text(excess), money_text(timed), money_text(finished) FROM rpt_cost_remedies ORDER BY currency, provider`, func(q *sql.Rows) error {
		var x remedyRow
		var excess, timed, finished Money
		err := q.Scan(&x.currency, &x.honours, &excess, &timed, &finished)
		x.excess, x.timed, x.finished = decimalOf(excess), decimalOf(timed), decimalOf(finished)
		d.remedies = append(d.remedies, x)
		return err
	})
	return d, r.err
}

func decimalOf(m Money) decimal.Decimal {
	d, err := decimal.NewFromString(string(m))
	if err != nil {
		return decimal.Zero // sums of the tables are never unknown
	}
	return d
}

// Days is how long the calls go, in days.
func (d *CostData) Days() decimal.Decimal {
	hours := int64(d.Until.Sub(d.Since) / time.Hour)
	return decimal.NewFromInt(max(hours, 1)).DivRound(decimal.New(24, 0), 12)
}

// Currencies of the answers that were paid for, the one with most charges first.
func (d *CostData) Currencies() []string {
	charges := map[string]int64{}
	for _, x := range d.rows {
		if x.measure == "unit_cost" {
			charges[x.currency] += x.Observations
		}
	}
	var names []string
	for c := range charges {
		names = append(names, c)
	}
	sort.Slice(names, func(i, j int) bool {
		if charges[names[i]] != charges[names[j]] {
			return charges[names[i]] > charges[names[j]]
		}
		return names[i] < names[j]
	})
	return names
}

// only is the rows of one currency: calls by the currency in which their provider bills most, those of an
// unknown provider by main; money by its own.
func (d *CostData) only(currency, main string) []costRow {
	most := map[string]map[string]int64{}
	for _, x := range d.rows {
		if x.measure == "unit_cost" {
			if most[x.provider] == nil {
				most[x.provider] = map[string]int64{}
			}
			most[x.provider][x.currency] += x.Observations
		}
	}
	bills := func(provider string) string {
		best := main
		for _, c := range slices.Sorted(maps.Keys(most[provider])) {
			if most[provider][c] > most[provider][best] {
				best = c
			}
		}
		return best
	}
	var out []costRow
	for _, x := range d.rows {
		if x.currency == currency || x.currency == "" && (x.measure == "layer" && currency == main || x.measure != "layer" && bills(x.provider) == currency) {
			out = append(out, x)
		}
	}
	return out
}

// estimate sums a measure's rows to hours and estimates its ratio.
func estimate(rows []costRow, measure string, place int, layer string) cost.Estimate {
	hours := map[time.Time]*cost.Hour{}
	for _, x := range rows {
		if x.measure != measure || x.place != place || x.layer != layer {
			continue
		}
		h := hours[x.hour]
		if h == nil {
			h = &cost.Hour{}
			hours[x.hour] = h
		}
		h.Part, h.Whole, h.Observations = h.Part.Add(x.Part), h.Whole.Add(x.Whole), h.Observations+x.Observations
	}
	var times []time.Time
	for t := range hours {
		times = append(times, t)
	}
	slices.SortFunc(times, time.Time.Compare)
	list := make([]cost.Hour, len(times))
	for i, t := range times {
		list[i] = *hours[t]
	}
	return cost.Ratio(list, measure == "timeout" || measure == "layer" || measure == "started")
}

// shownEstimate is an estimate as it is printed.
func shownEstimate(e cost.Estimate) Estimate {
	out := Estimate{Observations: e.Observations, Hours: e.Hours, Few: e.Hours < cost.FewHours}
	if e.Measured {
		out.Value = textPtr(e.Value)
	}
	if e.HasInterval {
		out.Low, out.High = textPtr(e.Low), textPtr(e.High)
	}
	return out
}

func textPtr(d decimal.Decimal) *string {
	s := cost.Text(d)
	return &s
}

// maxPlaces is up to which attempt timeout rates are told apart; the last stands for later ones.
const maxPlaces = 8

// groupOf is the measured parameters of some rows.
func groupOf(rows []costRow, currency string, days decimal.Decimal) MeasuredGroup {
	g := MeasuredGroup{Currency: currency, Layers: []LayerRate{}, Notes: []string{}}
	for k := 1; k <= maxPlaces; k++ {
		e := estimate(rows, "timeout", k, "")
		if k > 1 && !e.Measured {
			break
		}
		g.Timeout = append(g.Timeout, shownEstimate(e))
	}
	g.Calls = g.Timeout[0].Observations
	g.RequestsPerDay = cost.Text(decimal.NewFromInt(g.Calls).DivRound(days, 6))
	layers := map[string]bool{}
	for _, x := range rows {
		if x.measure == "layer" {
			layers[x.layer] = true
		}
	}
	for _, l := range slices.Sorted(maps.Keys(layers)) {
		if len(layers) > 1 {
			g.Layers = append(g.Layers, LayerRate{l, shownEstimate(estimate(rows, "layer", 0, l))})
		}
	}
	for measure, to := range map[string]*Estimate{"started": &g.Started, "partial": &g.Partial, "unit_cost": &g.UnitCost, "timed_out_cost": &g.TimedOutCost,
		"timed_out_input": &g.TimedOutInput, "timed_out_output": &g.TimedOutOutput, "input": &g.Input, "output": &g.Output} {
		*to = shownEstimate(estimate(rows, measure, 0, ""))
	}
	if g.Started.Value != nil && *g.Started.Value == "0" {
		g.Notes = append(g.Notes, "no timed-out attempt was billed: whether the server had started them, or bills nothing that is cancelled, the bill does not tell; only f × g = 0 is known")
	}
	for _, x := range []struct {
		name string
		e    Estimate
	}{{"the timeout rate", g.Timeout[0]}, {"the started fraction", g.Started}, {"the billed part", g.Partial}} {
		if x.e.Value != nil && x.e.Few {
			g.Notes = append(g.Notes, fmt.Sprintf("%s rests on %d observations in %d hours: its interval is a hint, not a proof (20 hours or more are)", x.name, x.e.Observations, x.e.Hours))
		}
	}
	return g
}
