package pipeline

import (
	"time"

	"retrytax/internal/config"
	"retrytax/internal/source"
)

// File is one input and the role that the user forces on it, if any.
type File struct {
	Input *source.Input
	Role  source.Role // "" is recognised from the content
}

// Options is all that an audit depends on besides the files: two runs with the same
// options and contents give the same bytes.
type Options struct {
	Config *config.Config
	// ConfigFile is the name of the configuration, for the commands that messages name; "" is none.
	ConfigFile string
	Now        time.Time // the run's clock; times more than two days after it are rejected
	Zone       string    // the report's zone; "" is the configuration's
	// SourceZone is what a time without a zone is taken to be in; "" is the configuration's.
	SourceZone string
	Period     string // "2026-10", "2026-10-03", or "from..to"; "" is all
	Date       string // the day of the first line of logs without dates
	KeepRaw    bool   // rejects keep prompts and keys
	Threads    int    // of the decoders and of DuckDB
	Careful    bool   // send plain calls the long way too; for tests
	// NoTokens leaves out the match by tokens and time (tier 4).
	NoTokens bool
	// CheckClaims has a report over a database match the period once more with ids hidden, and say how far
	// confidences were right, as an audit does.
	CheckClaims bool
	lives       bool   // over a database that lives: tier 4 only for bills that do not know the ids
	Version     string // of retrytax, for the list of runs
	// Clock tells when a run ends; nil is when it began.
	Clock func() (time.Time, error)

	Scope Scope

	// again says that the content of the files is there already: their rows are not forgotten while they are read.
	again bool

	// recognised hears what a file is taken for, and with which settings; nil hears nothing.
	recognised func(rec source.Recognised, settings map[string]string)

	// Progress hears how far a run has come; nil hears nothing.
	Progress func(stage string, done int64)
}

// Scope narrows a report to one provider, model or key; "" is all.
type Scope struct {
	Provider, Model, APIKey string
}

func (o Options) progress(stage string, done int64) {
	if o.Progress != nil {
		o.Progress(stage, done)
	}
}

// settingsOfFile are the variables that hold for one file, which o.recognised hears of.
func (o Options) settingsOfFile(no int, f File, rec source.Recognised) map[string]string {
	v := fileSettings(no, f, o, rec)
	if o.recognised != nil {
		o.recognised(rec, v)
	}
	return v
}

// ReportZone is the zone of the report's days.
func (o Options) ReportZone() string { return o.zone() }

// PaidBook is the book that is paid: bill or estimate.
func (a *Audit) PaidBook() string { return a.opts.Config.PaidBook.Value }
