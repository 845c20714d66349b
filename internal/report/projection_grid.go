package report

// Sweep is the model over a grid of one or two parameters: one row a point, the first axis
// outermost.
type Sweep struct {
	Axes []Axis     `json:"axes"`
	Rows []SweepRow `json:"rows"`
}

// Axis is a parameter and the values that it takes.
type Axis struct {
	Parameter string   `json:"parameter"`
	Values    []string `json:"values"`
}

// SweepRow is one point; Values are those of the axes, in their order.
type SweepRow struct {
	Values            []string `json:"values"`
	ExtraPerDay       Money    `json:"extra_per_day"`
	ExtraPerMonth     Money    `json:"extra_per_month"`
	ExtraPerYear      Money    `json:"extra_per_year"`
	UndeliveredPerDay Money    `json:"undelivered_per_day"`
	Overpay           *string  `json:"overpay"`
	CallsLostPerDay   string   `json:"calls_lost_per_day"`
}

// Bar is one bar of a tornado: what the month's extra is where one parameter is at its low
// and at its high, all others as they are. The widest comes first.
type Bar struct {
	Parameter     string `json:"parameter"`
	Low           string `json:"low"`
	High          string `json:"high"`
	Basis         string `json:"basis"` // measured: its 95 % interval; assumed: so much of its value to either side
	ExtraAtLow    Money  `json:"extra_per_month_at_low"`
	ExtraAtHigh   Money  `json:"extra_per_month_at_high"`
	ExtraAtMiddle Money  `json:"extra_per_month"`
}

// Simulation is the month's extra under the uncertainty of the measured parameters.
type Simulation struct {
	Runs int    `json:"runs"`
	Seed uint64 `json:"seed"`
	P5   Money  `json:"extra_per_month_p5"`
	P50  Money  `json:"extra_per_month_p50"`
	P95  Money  `json:"extra_per_month_p95"`
}

// Measured is what a period of logs and bills says of the parameters.
type Measured struct {
	Period Period          `json:"period"`
	Days   string          `json:"days"`
	All    MeasuredGroup   `json:"all"`
	Models []MeasuredGroup `json:"models"`
	Causes []Cause         `json:"causes"` // documented + causes = found
	Beside []Cause         `json:"beside"` // excess that the model is not about
}

// Cause is a part of the difference between what the documented model predicts and what was
// found in the period.
type Cause struct {
	Cause    string `json:"cause"`
	Amount   Money  `json:"amount_in_period"`
	Currency string `json:"currency"`
}

// MeasuredGroup is the measured parameters of one model, or of all.
type MeasuredGroup struct {
	Provider       string      `json:"provider,omitempty"`
	Model          string      `json:"model,omitempty"`
	Currency       string      `json:"currency"`
	Calls          int64       `json:"calls"`
	RequestsPerDay string      `json:"requests_per_day"`
	Timeout        []Estimate  `json:"timeout_rates"` // pₖ of the k-th attempt
	Layers         []LayerRate `json:"layers"`
	Started        Estimate    `json:"started"`
	Partial        Estimate    `json:"partial"`
	UnitCost       Estimate    `json:"unit_cost"`           // of all delivered charges
	TimedOutCost   Estimate    `json:"unit_cost_timed_out"` // of the delivered charges of calls that timed out and were billed twice
	TimedOutInput  Estimate    `json:"timed_out_input_tokens"`
	TimedOutOutput Estimate    `json:"timed_out_output_tokens"`
	Input          Estimate    `json:"input_tokens"`
	Output         Estimate    `json:"output_tokens"`
	Notes          []string    `json:"notes"`
}

// LayerRate is how often the lines of one layer timed out.
type LayerRate struct {
	Layer string `json:"layer"`
	Estimate
}

// Estimate is a measured ratio with its 95 % interval, which is clustered by hour. A null
// value is not measurable. Observations are what stands below the line, Hours how many hours have any.
type Estimate struct {
	Value        *string `json:"value"`
	Low          *string `json:"low"`
	High         *string `json:"high"`
	Observations int64   `json:"observations"`
	Hours        int     `json:"hours"`
	Few          bool    `json:"few"` // under 20 hours: the interval is no more than a hint
}

// The causes, in their order.
const (
	CauseDocumented = "documented"
	CauseRepeated   = "repeated_timeouts"
	CauseAnswered   = "answered_after_all"
	CauseDearer     = "dearer_calls"
	CausePartial    = "partial_charges"
	CauseHidden     = "hidden_retries"
	CauseRest       = "rest"
	CauseFound      = "found"
)
