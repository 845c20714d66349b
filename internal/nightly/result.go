package nightly

import (
	"bytes"
	"encoding/json"

	"retrytax/internal/report"
)

// Schema names the shape of Result as JSON.
const Schema = "retrytax.nightly/v1"

// Result is what a night has done, for the scheduler: one line of JSON. Money is a decimal string, counts and
// rates are numbers, times RFC 3339.
type Result struct {
	Schema    string    `json:"schema"`
	Night     string    `json:"night"` // 2026-11-03, in Zone
	Zone      string    `json:"zone"`
	StartedAt string    `json:"started_at"`
	EndedAt   string    `json:"ended_at"`
	Exit      int       `json:"exit"`  // the code that it exits with
	State     string    `json:"state"` // done | failed | in_use
	Step      string    `json:"step"`  // the last one: config, open, ingest, reconcile, report, alert, done
	DryRun    bool      `json:"dry_run"`
	Database  string    `json:"database"`
	Ingest    Ingest    `json:"ingest"`
	Reconcile Reconcile `json:"reconcile"`
	Reports   []Report  `json:"reports"`
	RetryTax  []Tax     `json:"retry_tax"`    // settled since the night before, by currency
	Worst     *Minute   `json:"worst_minute"` // null where none had enough attempts
	Missing   []string  `json:"missing"`      // patterns that found nothing new
	Unread    []string  `json:"unread"`       // files that could not be read; the others were, and Error says why
	Met       []string  `json:"conditions"`   // that were met
	Alerts    []Alert   `json:"alerts"`       // one a condition and channel
	Warnings  []string  `json:"warnings"`
	Error     string    `json:"error,omitempty"`
}

// Ingest is what was loaded. Files counts by state: new, known, grown, changed, empty.
type Ingest struct {
	Files      map[string]int `json:"files"`
	Attempts   int64          `json:"attempts"` // rows that are new
	Charges    int64          `json:"charges"`
	Superseded int64          `json:"superseded"`
	Rejected   int64          `json:"rejected"`
}

// Reconcile is what was judged.
type Reconcile struct {
	Changes    int64 `json:"changes"`
	Attempts   int64 `json:"attempts"`
	Charges    int64 `json:"charges"`
	Everything bool  `json:"everything"`
}

// Report is one period.
type Report struct {
	Period string         `json:"period"`
	Folder string         `json:"folder,omitempty"` // where it was published
	State  string         `json:"state"`            // published | nothing | checks_failed | pruned | failed | not_published
	Totals []report.Total `json:"totals,omitempty"` // over all providers
}

// Tax is the settled excess that came since the night before, and what was billed for it.
type Tax struct {
	Currency string       `json:"currency"`
	Excess   report.Money `json:"excess"`
	Billed   report.Money `json:"billed"`
}

// Minute is the minute in which most attempts failed, of those with enough.
type Minute struct {
	At       string  `json:"at"`
	Attempts int64   `json:"attempts"`
	Failed   int64   `json:"failed"`
	Rate     float64 `json:"rate"`
}

// What became of an alert.
const (
	alertSent    = "sent"
	alertAlready = "already_sent" // by an earlier run of this night
	alertFailed  = "failed"       // it was not delivered; a later run of this night tries again
	alertUnknown = "unknown"      // it may have been delivered; it is not sent again
	alertDry     = "dry_run"
	alertSending = "sending" // in the state only: a run was killed while it sent
)

// Alert is one message to one channel.
type Alert struct {
	Condition string `json:"condition"`
	Channel   string `json:"channel"`
	State     string `json:"state"`
	Tries     int    `json:"tries"`
	Error     string `json:"error,omitempty"`
}

// Line is the result as one line of JSON, with its end.
func (r *Result) Line() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(r)
	return report.EscapeUnseen(b.Bytes()), err
}
