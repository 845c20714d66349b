package alert

// Condition is what an alert is about. There is at most one alert a condition and night.
type Condition string

// The conditions, in the order in which they are told.
const (
	RunFails     Condition = "run_fails"
	ChecksFail   Condition = "checks_fail"
	MissingInput Condition = "missing_input"
	RetryTax     Condition = "retry_tax"
	ErrorRate    Condition = "error_rate"
	NewCause     Condition = "new_cause"
	NewProvider  Condition = "new_provider"
)

// Event is one condition that a night has met. Only the fields of its condition are set; all
// are text for reading, or counts.
type Event struct {
	Condition Condition `json:"condition"`
	Night     string    `json:"night"`            // 2026-11-03, in the report's zone
	Zone      string    `json:"zone"`             // of the night and of Minute
	Taxes     []Tax     `json:"taxes,omitempty"`  // retry_tax
	Minute    *Minute   `json:"minute,omitempty"` // error_rate: the worst one
	Names     []string  `json:"names,omitempty"`  // checks, sources, files, verdicts or providers; cleaned by NewEvent
	More      int       `json:"more,omitempty"`   // names beyond those
	Step      string    `json:"step,omitempty"`   // run_fails: ingest, reconcile or report; "" where only Names could not be read
	Code      int       `json:"code,omitempty"`   // run_fails: the exit code
}

// Tax is what was found in one currency since the night before. Amounts are ready to be
// read ("12.50"), shares in per cent ("15.2 %").
type Tax struct {
	Currency string `json:"currency"`
	Excess   string `json:"excess"`
	Billed   string `json:"billed"`
	Share    string `json:"share,omitempty"`
	Limit    string `json:"limit"` // "USD 10" or "5 %", what was passed
}

// Minute is one minute of the log.
type Minute struct {
	At       string `json:"at"` // 2026-11-02 03:14
	Attempts int64  `json:"attempts"`
	Failed   int64  `json:"failed"`
	Rate     string `json:"rate"`
	Limit    string `json:"limit"`
}

// mostNames is how many names a message has room for.
const mostNames = 8

// NewEvent is an event about names from the data or the configuration, made fit to be sent.
func NewEvent(c Condition, night, zone string, names ...string) Event {
	e := Event{Condition: c, Night: night, Zone: zone}
	for _, n := range names {
		if len(e.Names) == mostNames {
			e.More++
			continue
		}
		e.Names = append(e.Names, Name(n))
	}
	return e
}
