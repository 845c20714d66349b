package report

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"retrytax/internal/store"
)

// StatusSchema names the shape of Status as JSON.
const StatusSchema = "retrytax.status/v1"

// Status is what a database holds and what it lacks. Times are UTC; days are of Zone.
type Status struct {
	Schema     string            `json:"schema"`
	Database   string            `json:"database"`
	Bytes      int64             `json:"bytes"` // of the file
	Version    int64             `json:"schema_version"`
	Zone       string            `json:"zone"`
	Pruned     *time.Time        `json:"pruned_before,omitempty"`
	Held       []HeldRows        `json:"held"`
	Missing    []MissingDays     `json:"missing_days"`
	Reconciled bool              `json:"reconciled"` // there are verdicts
	Settled    []SettledRows     `json:"settled"`
	Waiting    []WaitingChanges  `json:"waiting"`
	Runs       []StatusRun       `json:"runs"` // the last ones, the latest first
	Rejects    []RejectedFile    `json:"rejects"`
	Reports    []PublishedReport `json:"reports"`
	// OtherConfig is what differs between the configuration that was named and the one that the verdicts were made with.
	OtherConfig []string `json:"other_config,omitempty"`
	ConfigFile  string   `json:"-"` // for the commands that are printed; "" is none
}

// HeldRows are the rows of one side, provider and key. Amount is of the lines that stand.
type HeldRows struct {
	Role     string    `json:"role"`
	Provider string    `json:"provider"`
	APIKey   string    `json:"api_key"`
	Book     string    `json:"book,omitempty"`
	Currency string    `json:"currency,omitempty"`
	Rows     int64     `json:"rows"`
	Amount   Money     `json:"amount,omitempty"`
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`
}

// MissingDays are days in a row without a log or without a bill.
type MissingDays struct {
	Provider string `json:"provider"`
	Side     string `json:"side"` // log | bill
	From     string `json:"from"` // 2026-10-14
	To       string `json:"to"`   // included
	Days     int64  `json:"days"`
}

// SettledRows is how much of a provider's book is settled.
type SettledRows struct {
	Provider string     `json:"provider"`
	Book     string     `json:"book"`
	Lines    int64      `json:"lines"`
	Settled  int64      `json:"settled"`
	OpenFrom *time.Time `json:"open_from,omitempty"`
}

// WaitingChanges are changes that reconcile has not seen.
type WaitingChanges struct {
	Role   string    `json:"role"`
	Change string    `json:"change"`
	Rows   int64     `json:"rows"`
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
}

// StatusRun is one run and what it read.
type StatusRun struct {
	Run       int64      `json:"run"`
	Command   string     `json:"command"`
	Version   string     `json:"version"`
	StartedAt time.Time  `json:"started_at"`
	EndedAt   *time.Time `json:"ended_at,omitempty"`
	State     string     `json:"state"`
	Notes     string     `json:"notes,omitempty"`
	Files     int64      `json:"files"`
	Loaded    int64      `json:"loaded"`
	Known     int64      `json:"known"`
	Ignored   int64      `json:"ignored"`
	Rejected  int64      `json:"rejected"`
	Inputs    []string   `json:"inputs"`
}

// RejectedFile is a file with lines that could not be read, and the first of them.
type RejectedFile struct {
	File   string `json:"file"`
	Run    int64  `json:"run"`
	Rows   int64  `json:"rows"`
	Line   int64  `json:"line"`
	Reason string `json:"reason"`
}

// PublishedReport is a report that is kept.
type PublishedReport struct {
	Period  string    `json:"period"`
	Zone    string    `json:"zone"`
	Closed  bool      `json:"closed"`
	Run     int64     `json:"run"`
	Created time.Time `json:"created_at"`
}

// JSON is the status for scripts.
func (s *Status) JSON() ([]byte, error) { return indented(s) }

// statusRuns is how many runs are told, statusRejects of how many files rejects are.
const (
	statusRuns    = 10
	statusRejects = 10
)

// ReadStatus reads the rpt_ tables of the status and what else the database tells of itself.
func ReadStatus(ctx context.Context, s *store.Store) (*Status, error) {
	r := &reader{ctx: ctx, s: s}
	x := &Status{Schema: StatusSchema, Held: []HeldRows{}, Missing: []MissingDays{}, Settled: []SettledRows{}, Waiting: []WaitingChanges{},
		Runs: []StatusRun{}, Rejects: []RejectedFile{}, Reports: []PublishedReport{}}
	r.each("SELECT schema_version, pruned_before FROM src_meta", func(q *sql.Rows) error {
		var at sql.NullTime
		err := q.Scan(&x.Version, &at)
		x.Pruned = pointer(at)
		return err
	})
	r.held(x)
	r.waiting(x)
	r.runs(x)
	r.kept(x)
	return x, r.err
}

// ReadSettled adds what the last reconcile says.
func (s *Status) ReadSettled(ctx context.Context, st *store.Store) error {
	s.Reconciled = true
	return st.Query(ctx, "SELECT provider, book, n, settled, open_from FROM rpt_settled_rows ORDER BY provider, book", func(q *sql.Rows) error {
		var x SettledRows
		var at sql.NullTime
		err := q.Scan(&x.Provider, &x.Book, &x.Lines, &x.Settled, &at)
		x.OpenFrom = pointer(at)
		s.Settled = append(s.Settled, x)
		return err
	})
}

func pointer(t sql.NullTime) *time.Time {
	if !t.Valid {
		return nil
	}
	at := t.Time.UTC()
	return &at
}

func (r *reader) held(x *Status) {
	r.each("SELECT role, provider, api_key, book, currency, n, money_text(amount), first_at, last_at FROM rpt_held_rows ORDER BY ALL", func(q *sql.Rows) error {
		var h HeldRows
		err := q.Scan(&h.Role, &h.Provider, &h.APIKey, &h.Book, &h.Currency, &h.Rows, &h.Amount, &h.From, &h.To)
		h.From, h.To = h.From.UTC(), h.To.UTC()
		x.Held = append(x.Held, h)
		return err
	})
	r.each("SELECT provider, side, CAST(first_day AS VARCHAR), CAST(last_day AS VARCHAR), n FROM rpt_missing_days ORDER BY ALL", func(q *sql.Rows) error {
		var m MissingDays
		err := q.Scan(&m.Provider, &m.Side, &m.From, &m.To, &m.Days)
		x.Missing = append(x.Missing, m)
		return err
	})
}

func (r *reader) waiting(x *Status) {
	r.each("SELECT role, change, n, first_at, last_at FROM rpt_waiting_changes ORDER BY role, change", func(q *sql.Rows) error {
		var w WaitingChanges
		err := q.Scan(&w.Role, &w.Change, &w.Rows, &w.From, &w.To)
		w.From, w.To = w.From.UTC(), w.To.UTC()
		x.Waiting = append(x.Waiting, w)
		return err
	})
}

func (r *reader) runs(x *Status) {
	at := map[int64]int{}
	r.each(`SELECT run_no, command, version, started_at, ended_at, state, coalesce(notes, '') FROM src_runs ORDER BY run_no DESC LIMIT `+strconv.Itoa(statusRuns), func(q *sql.Rows) error {
		run := StatusRun{Inputs: []string{}}
		var ended sql.NullTime
		err := q.Scan(&run.Run, &run.Command, &run.Version, &run.StartedAt, &ended, &run.State, &run.Notes)
		run.StartedAt, run.EndedAt = run.StartedAt.UTC(), pointer(ended)
		at[run.Run] = len(x.Runs)
		x.Runs = append(x.Runs, run)
		return err
	})
	r.each("SELECT run_no, file, loaded, known, ignored, rejected FROM src_files ORDER BY file_no", func(q *sql.Rows) error {
		var no, loaded, known, ignored, rejected int64
		var file string
		err := q.Scan(&no, &file, &loaded, &known, &ignored, &rejected)
		i, ok := at[no]
		if !ok {
			return err
		}
		run := &x.Runs[i]
		run.Files++
		run.Loaded, run.Known, run.Ignored, run.Rejected = run.Loaded+loaded, run.Known+known, run.Ignored+ignored, run.Rejected+rejected
		run.Inputs = append(run.Inputs, file)
		return err
	})
}

func (r *reader) kept(x *Status) {
	r.each(`SELECT f.file, f.run_no, count(*), min(r.source_line), arg_min(r.reason, r.source_line)
		FROM src_rejects r JOIN src_files f USING (file_no) GROUP BY f.file_no, f.file, f.run_no ORDER BY f.file_no DESC LIMIT `+strconv.Itoa(statusRejects), func(q *sql.Rows) error {
		var f RejectedFile
		err := q.Scan(&f.File, &f.Run, &f.Rows, &f.Line, &f.Reason)
		x.Rejects = append(x.Rejects, f)
		return err
	})
	r.each(`SELECT period, zone, bool_or(closed), max(run_no), max(created_at) FROM pub_reports GROUP BY period, zone ORDER BY period, zone`, func(q *sql.Rows) error {
		var p PublishedReport
		err := q.Scan(&p.Period, &p.Zone, &p.Closed, &p.Run, &p.Created)
		p.Created = p.Created.UTC()
		x.Reports = append(x.Reports, p)
		return err
	})
}
