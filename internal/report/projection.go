package report

import (
	"slices"

	"github.com/shopspring/decimal"

	"retrytax/internal/cost"
)

// ProjectSchema names the shape of what retrytax project prints with --json.
const ProjectSchema = "retrytax.project/v1"

// Projection is what the cost model says. All numbers are exact decimals as text; money is in
// Currency, per the period that its name ends in. A month has Days days, a year 365.
type Projection struct {
	Schema     string            `json:"schema"`
	Currency   string            `json:"currency"`
	Days       int               `json:"days_per_month"`
	Parameters ProjectParameters `json:"parameters"`
	Amounts
	// Documented is N × p₁ × f × u, the first article's number.
	Documented    Money            `json:"documented_extra_per_day"`
	MaxExecutions int              `json:"max_executions"`
	PerCall       string           `json:"executions_per_call"`
	Remedies      []RemedyEffect   `json:"remedies"`
	Together      RemedyEffect     `json:"together"`
	Sweep         *Sweep           `json:"sweep,omitempty"`
	Tornado       []Bar            `json:"tornado,omitempty"`
	Simulation    *Simulation      `json:"simulation,omitempty"`
	Measured      *Measured        `json:"measured,omitempty"`
	Warnings      []Warning        `json:"warnings"`
	Params        cost.Params      `json:"-"` // what the numbers were computed from
	Chosen        []ProjectRemedy  `json:"-"`
	Day           cost.Projection  `json:"-"`
	Uncertain     []cost.Uncertain `json:"-"` // what was measured with an interval
	together      []cost.Remedy
}

// ProjectParameters are the parameters of the model as they were used.
type ProjectParameters struct {
	Requests string         `json:"requests_per_day"`
	Timeout  []string       `json:"timeout_rates"` // p₁, p₂ …; the last stands for all later ones
	Started  string         `json:"started"`
	UnitCost Money          `json:"unit_cost"` // a call
	Partial  string         `json:"partial"`
	Layers   []ProjectLayer `json:"layers"`
}

// ProjectLayer is a layer that retries.
type ProjectLayer struct {
	Name    string `json:"name"`
	Retries int    `json:"retries"`
}

// Amounts are what a day, a month and a year cost. Total = delivered + extra + undelivered.
type Amounts struct {
	BasePerDay          Money   `json:"base_per_day"` // each call executed once and answered
	DeliveredPerDay     Money   `json:"delivered_per_day"`
	ExtraPerDay         Money   `json:"extra_per_day"`
	UndeliveredPerDay   Money   `json:"undelivered_per_day"`
	TotalPerDay         Money   `json:"total_per_day"`
	Overpay             *string `json:"overpay"` // extra ÷ base; null where the base is 0
	BasePerMonth        Money   `json:"base_per_month"`
	ExtraPerMonth       Money   `json:"extra_per_month"`
	UndeliveredPerMonth Money   `json:"undelivered_per_month"`
	TotalPerMonth       Money   `json:"total_per_month"`
	BasePerYear         Money   `json:"base_per_year"`
	ExtraPerYear        Money   `json:"extra_per_year"`
	UndeliveredPerYear  Money   `json:"undelivered_per_year"`
	TotalPerYear        Money   `json:"total_per_year"`
	CallsLostPerDay     string  `json:"calls_lost_per_day"`
}

// ProjectRemedy is a remedy and where its parameters are from.
type ProjectRemedy struct {
	cost.Remedy
	Basis string // BasisGiven | BasisMeasured | BasisAtBest | BasisAssumed | BasisNone
	// WaitsSeconds is how much longer the longer timeout waits; 0 is not told.
	WaitsSeconds decimal.Decimal
	Note         string
}

// Where the parameters of a remedy are from.
const (
	BasisGiven    = "given"
	BasisMeasured = "measured"
	BasisAtBest   = "at_best" // the most that it can do
	BasisAssumed  = "assumed" // a round number that nobody measured
	BasisNone     = "none"    // it has no parameter
)

// RemedyEffect is what a remedy leaves and saves of what is paid for nothing: extra + undelivered.
type RemedyEffect struct {
	Remedy            string            `json:"remedy"`
	Applies           bool              `json:"applies"` // false: there is nothing that it could change
	Basis             string            `json:"basis"`
	Parameters        map[string]string `json:"parameters"`
	Formula           string            `json:"formula"`
	ExtraPerDay       Money             `json:"extra_per_day"`
	UndeliveredPerDay Money             `json:"undelivered_per_day"`
	LeavesPerDay      Money             `json:"leaves_per_day"`
	SavesPerDay       Money             `json:"saves_per_day"`
	LeavesPerMonth    Money             `json:"leaves_per_month"`
	SavesPerMonth     Money             `json:"saves_per_month"`
	SavesPerYear      Money             `json:"saves_per_year"`
	CallsLostPerDay   string            `json:"calls_lost_per_day"`
	// WaitingHoursPerDay is at most what a longer timeout waits more.
	WaitingHoursPerDay *string `json:"waiting_hours_per_day,omitempty"`
	Note               string  `json:"note,omitempty"`
}

// Project runs the model with the remedies, each alone and all together.
func Project(p cost.Params, currency string, days int, remedies []ProjectRemedy) (*Projection, error) {
	now, err := cost.Project(p)
	if err != nil {
		return nil, err
	}
	r := &Projection{Schema: ProjectSchema, Currency: currency, Days: days, Parameters: parametersOf(p), Amounts: amountsOf(now, days),
		Documented: moneyOf(cost.Documented(p)), MaxExecutions: now.Executions, PerCall: cost.Text(now.PerCall),
		Warnings: []Warning{}, Params: p, Day: now, Chosen: remedies}
	var all []ProjectRemedy
	for _, m := range remedies {
		e, err := effect(now, p, days, m)
		if err != nil {
			return nil, err
		}
		r.Remedies = append(r.Remedies, e)
		if e.Applies {
			all = append(all, m)
		}
	}
	together, note := togetherOf(p, all)
	r.together = together
	after, err := cost.ProjectWith(p, together...)
	if err != nil {
		return nil, err
	}
	r.Together = saving(now, after, days)
	r.Together.Note = note
	r.Together.Remedy, r.Together.Applies, r.Together.Basis = "together", len(all) > 0, BasisNone
	r.Together.Formula, r.Together.Parameters = "one recomputation with all of them", map[string]string{}
	return r, nil
}

// togetherOf are the remedies that make sense at once. To retry less is left out, unless it was asked
// for, where the others leave a single retry: without any, what was saved is lost with the calls.
func togetherOf(p cost.Params, all []ProjectRemedy) (out []cost.Remedy, note string) {
	after := p
	for _, m := range all {
		after = m.Apply(after)
	}
	m, err := after.Executions()
	for _, x := range all {
		if x.Kind == cost.FewerRetries && x.Basis == BasisNone && (err != nil || m < 2) {
			note = "without fewer retries, which would leave none"
			continue
		}
		out = append(out, x.Remedy)
	}
	return out, note
}

func effect(now cost.Projection, p cost.Params, days int, m ProjectRemedy) (RemedyEffect, error) {
	after, err := cost.ProjectWith(p, m.Remedy)
	if err != nil {
		return RemedyEffect{}, err
	}
	e := saving(now, after, days)
	e.Remedy, e.Applies, e.Basis, e.Formula, e.Note = m.Kind, m.Applies(p), m.Basis, m.Formula(), m.Note
	e.Parameters = remedyParameters(m.Remedy)
	if m.Kind == cost.LongerTimeout && m.WaitsSeconds.IsPositive() {
		h := cost.Text(cost.TimedOut(now).Mul(m.WaitsSeconds).DivRound(decimal.New(3600, 0), 6))
		e.WaitingHoursPerDay = &h
	}
	return e, nil
}

func remedyParameters(m cost.Remedy) map[string]string {
	v := map[string]string{}
	switch m.Kind {
	case cost.Idempotency:
		v["coverage"], v["runs_on"] = cost.Text(m.Coverage), cost.Text(m.RunsOn)
	case cost.StatusFirst:
		v["share"] = cost.Text(m.Share)
	case cost.FewerRetries:
		v["layer"], v["retries"] = m.Layer, itoa(m.Retries)
	case cost.LongerTimeout, cost.Streaming:
		v["avoids"] = cost.Text(m.Share)
		if m.HasPartial {
			v["partial"] = cost.Text(m.Partial)
		}
	}
	return v
}

func saving(now, after cost.Projection, days int) RemedyEffect {
	saves := now.Waste().Sub(after.Waste())
	return RemedyEffect{
		ExtraPerDay: moneyOf(after.Excess), UndeliveredPerDay: moneyOf(after.Undelivered), LeavesPerDay: moneyOf(after.Waste()), SavesPerDay: moneyOf(saves),
		LeavesPerMonth: moneyOf(cost.Over(after.Waste(), days)), SavesPerMonth: moneyOf(cost.Over(saves, days)),
		SavesPerYear: moneyOf(cost.Over(saves, cost.DaysAYear)), CallsLostPerDay: cost.Text(after.Lost),
	}
}

func parametersOf(p cost.Params) ProjectParameters {
	v := ProjectParameters{Requests: cost.Text(p.Requests), Started: cost.Text(p.Started), UnitCost: moneyOf(p.UnitCost), Partial: cost.Text(p.Partial)}
	for _, t := range p.Timeout {
		v.Timeout = append(v.Timeout, cost.Text(t))
	}
	for _, l := range p.Layers {
		v.Layers = append(v.Layers, ProjectLayer(l))
	}
	return v
}

func amountsOf(r cost.Projection, days int) Amounts {
	over := func(d decimal.Decimal, days int) Money { return moneyOf(cost.Over(d, days)) }
	a := Amounts{
		BasePerDay: moneyOf(r.Base), DeliveredPerDay: moneyOf(r.Delivered), ExtraPerDay: moneyOf(r.Excess), UndeliveredPerDay: moneyOf(r.Undelivered),
		TotalPerDay: moneyOf(r.Total()), CallsLostPerDay: cost.Text(r.Lost),
		BasePerMonth: over(r.Base, days), ExtraPerMonth: over(r.Excess, days), UndeliveredPerMonth: over(r.Undelivered, days), TotalPerMonth: over(r.Total(), days),
		BasePerYear: over(r.Base, cost.DaysAYear), ExtraPerYear: over(r.Excess, cost.DaysAYear), UndeliveredPerYear: over(r.Undelivered, cost.DaysAYear),
		TotalPerYear: over(r.Total(), cost.DaysAYear),
	}
	if o, ok := r.Overpay(); ok {
		s := cost.Text(o)
		a.Overpay = &s
	}
	return a
}

func moneyOf(d decimal.Decimal) Money { return Money(cost.Text(d)) }

// InTogether tells whether a remedy is one of those that were projected together.
func (r *Projection) InTogether(kind string) bool {
	return slices.ContainsFunc(r.together, func(m cost.Remedy) bool { return m.Kind == kind })
}

// JSON is the projection for scripts.
func (r *Projection) JSON() ([]byte, error) { return indented(r) }
