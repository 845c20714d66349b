package nightly

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"retrytax/internal/alert"
	"retrytax/internal/config"
	"retrytax/internal/pipeline"
	"retrytax/internal/store"
	"retrytax/internal/ui"
	"retrytax/internal/words"
)

// Options is all that a night depends on besides the files and the database.
type Options struct {
	Config      *config.Config
	ConfigFile  string // its name, for the commands that later messages name
	Now         time.Time
	Clock       func() (time.Time, error) // when a run ends
	Version     string
	Threads     int
	MemoryLimit string
	Lang        words.Lang    // of the months' workbooks and pages
	Wait        time.Duration // how long to wait for another run that works on the database

	// DryRun works on a copy of the database, publishes nothing, and writes to Shown what it would send.
	DryRun bool
	Shown  io.Writer

	// Open opens a file of the sources; an archive or a workbook is several.
	Open   func(name string) ([]pipeline.File, error)
	Lookup func(string) (string, bool) // a variable of the environment, for the channels alone
	Sender func() *alert.Sender        // what delivers
	Code   func(error) int             // the exit code of an error
	// Progress hears how far the night has come; nil hears nothing.
	Progress func(stage string, done int64)
}

// run is one night at work.
type run struct {
	o      Options
	out    *Result
	state  *state
	zone   *time.Location
	locked bool              // another night runs
	db     string            // the database that is worked on: in a dry run a copy
	errs   []error           // what has broken the night off
	unread []pipeline.Unread // files that it has gone on without
	found  [][]string        // where the files of each source lie, in the sources' order
	night  *pipeline.Night
	checks []string // that failed
}

// Run is one night. The result is there whatever has happened, and says so; the error is why
// the night is not simply done: it maps to the exit code that the result names.
func Run(ctx context.Context, o Options) (*Result, error) {
	r := &run{o: o, db: o.Config.Path(o.Config.Nightly.Database.Value)}
	r.out = newResult(o.Now)
	r.out.Zone, r.out.DryRun, r.out.Database = o.Config.Zone.Value, o.DryRun, r.db
	var err error
	if r.zone, err = time.LoadLocation(r.out.Zone); err != nil {
		return r.end(err)
	}
	r.out.Night = o.Now.In(r.zone).Format(time.DateOnly)
	if err := r.work(ctx); err != nil {
		return r.end(err)
	}
	return r.end(nil)
}

// work does the steps, and tells of what they have found even where one has failed.
func (r *run) work(ctx context.Context) error {
	done, err := r.prepare(ctx)
	if err != nil {
		return err
	}
	defer done()
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{{"ingest", r.load}, {"report", r.report}} {
		r.out.Step = step.name
		if err := step.do(ctx); err != nil {
			if ctx.Err() != nil {
				return err
			}
			r.fail(err)
			break
		}
	}
	failedAt := r.out.Step
	events := r.judge(failedAt)
	r.out.Step = "alert"
	r.tell(ctx, events)
	switch {
	case len(r.errs) > 0:
		r.out.Step = failedAt
	case len(r.unread) > 0:
		r.state.Night.Finished, r.out.Step = true, "ingest" // there it went wrong, though it went on
	default:
		r.state.Night.Finished, r.state.LastSuccess, r.out.Step = true, r.out.StartedAt, "done"
	}
	return r.state.save()
}

// prepare takes the lock and reads the state. A dry run takes no lock, and works on a copy.
func (r *run) prepare(ctx context.Context) (done func(), err error) {
	real := r.db
	if r.o.DryRun {
		dir, err := os.MkdirTemp("", "retrytax-dry-")
		if err != nil {
			return nil, err
		}
		done = func() { _ = os.RemoveAll(dir) }
		r.db = filepath.Join(dir, "copy.duckdb")
		if err := pipeline.CopyDatabase(ctx, store.Options{Path: real, Threads: r.o.Threads}, r.db); err != nil {
			done()
			return nil, err
		}
	} else if done, err = lock(real, r.o.Now); err != nil {
		r.locked = true
		return nil, err
	}
	s, warning, err := loadState(real, !r.o.DryRun)
	if err != nil {
		done()
		return nil, err
	}
	r.state = s
	r.warn(warning)
	s.open(r.out.Night)
	return done, nil
}

// load ingests what is new, and reconciles.
func (r *run) load(ctx context.Context) error {
	names, err := r.find()
	if err != nil {
		return err
	}
	files, err := r.open(ctx, names)
	defer func() {
		for _, f := range files {
			_ = f.Input.Close()
		}
	}()
	if err != nil {
		return err
	}
	if _, err := os.Stat(r.db); err != nil && len(files) == 0 {
		if len(r.unread) > 0 {
			return &pipeline.NothingError{Found: "no database, and no file that can be opened", Expected: "files that the sources of the configuration name",
				Advice: "what was said of each file tells what to do"}
		}
		return &pipeline.NothingError{Found: "no files and no database", Expected: "files that the sources of the configuration name",
			Advice: "retrytax config check shows the patterns of sources: files; relative ones are taken from the folder of the configuration"}
	}
	l, err := pipeline.OpenLiving(ctx, pipeline.LivingOptions{Options: r.store(), Command: "nightly", Create: true, Now: r.o.Now, Wait: r.o.Wait})
	if err != nil {
		return err
	}
	err = r.take(ctx, l, files)
	if cerr := l.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return r.look(ctx)
}

// open opens what was found. A file that cannot be opened keeps none of the others from being read.
func (r *run) open(ctx context.Context, names []string) (files []pipeline.File, err error) {
	for _, n := range names {
		opened, err := r.o.Open(n)
		if err != nil && ctx.Err() != nil {
			return files, err
		}
		if err != nil {
			r.passOver(pipeline.Unread{File: n, Err: err})
		}
		files = append(files, opened...)
	}
	return files, nil
}

// passOver notes a file that the night goes on without.
func (r *run) passOver(u pipeline.Unread) {
	r.unread = append(r.unread, u)
	r.out.Unread = append(r.out.Unread, r.shown(u.File))
}

// shown is a path as the configuration would write it.
func (r *run) shown(file string) string {
	if rel, err := filepath.Rel(r.o.Config.Path(""), file); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return file
}

func (r *run) unreadErrors() (out []error) {
	for _, u := range r.unread {
		out = append(out, u.Err)
	}
	return out
}

func (r *run) take(ctx context.Context, l *pipeline.Living, files []pipeline.File) error {
	next, err := l.NextRun(ctx)
	if err != nil {
		return err
	}
	r.state.number(next)
	if err := r.state.save(); err != nil {
		return err
	}
	if len(files) > 0 {
		in, unread, err := pipeline.IngestReadable(ctx, l, files, r.options(""))
		if err != nil {
			return err
		}
		for _, u := range unread {
			r.passOver(u)
		}
		for _, f := range in.Files {
			r.out.Ingest.Files[f.State]++
			r.out.Ingest.Rejected += f.Rejected
		}
		r.out.Ingest.Attempts, r.out.Ingest.Charges, r.out.Ingest.Superseded = in.Attempts, in.Charges, in.Superseded
		r.warn(in.Warnings...)
	}
	r.out.Step = "reconcile"
	months, err := l.ChangedMonths(ctx, r.out.Zone)
	if err != nil {
		return err
	}
	// Before they are judged: then nothing tells any more what has changed.
	r.state.addDue(months...)
	if err := r.state.save(); err != nil {
		return err
	}
	j, err := pipeline.Reconcile(ctx, l, r.options(""), false)
	if err != nil {
		return err
	}
	r.out.Reconcile = Reconcile{Changes: j.Changes, Attempts: j.Attempts, Charges: j.Charges, Everything: j.Everything}
	return nil
}

// look finds out what the night has brought, and what is missing.
func (r *run) look(ctx context.Context) (err error) {
	n := r.state.Night
	r.night, err = pipeline.ReadNight(ctx, r.store(), n.FilesFrom, n.LinesFrom, r.o.Config.Alerts.When.ErrorRateCalls.Value)
	if err != nil {
		return err
	}
	r.state.Through = r.night.NextRun - 1
	r.out.Missing = r.missing()
	if m := r.night.Worst; m != nil {
		r.out.Worst = &Minute{At: m.At.Format(time.RFC3339), Attempts: m.Attempts, Failed: m.Failed, Rate: ratio(m.Failed, m.Attempts)}
	}
	return nil
}

func (r *run) store() store.Options {
	return store.Options{Path: r.db, Threads: r.o.Threads, MemoryLimit: r.o.MemoryLimit}
}

func (r *run) options(period string) pipeline.Options {
	return pipeline.Options{Config: r.o.Config, ConfigFile: r.o.ConfigFile, Now: r.o.Now, Clock: r.o.Clock, Version: r.o.Version, Threads: r.o.Threads, Period: period, Progress: r.o.Progress}
}

func (r *run) warn(texts ...string) {
	for _, t := range texts {
		if t != "" {
			r.out.Warnings = append(r.out.Warnings, t)
		}
	}
}

// fail notes an error; the night goes on to tell of it.
func (r *run) fail(err error) { r.errs = append(r.errs, err) }

// end fills in how the night went, and returns the error that says so.
func (r *run) end(err error) (*Result, error) {
	if err != nil {
		r.fail(err)
	}
	r.errs = append(r.unreadErrors(), r.errs...)
	r.out.EndedAt = r.out.StartedAt
	if t, cerr := r.o.Clock(); cerr == nil {
		r.out.EndedAt = t.UTC().Format(time.RFC3339)
	}
	if len(r.errs) == 0 && len(r.out.Met) > 0 {
		r.fail(&ui.Error{Code: ui.Found, Msg: "found what alerts.when asks for: " + strings.Join(r.out.Met, ", "), Hint: "the result's alerts say who was told"})
	}
	r.out.conclude(r.errs, r.o.Code)
	if err := r.writeMetrics(); err != nil {
		r.fail(err) // the next night's file says so
		r.out.conclude(r.errs, r.o.Code)
	}
	return r.out, errors.Join(r.errs...)
}

// conclude says in the result what the errors of the night make of it.
func (r *Result) conclude(errs []error, code func(error) int) {
	for _, e := range errs {
		r.Exit = ui.Worst(r.Exit, code(e))
	}
	switch {
	case r.Exit == ui.InUse:
		r.State = "in_use"
	case r.Exit != ui.OK && r.Exit != ui.Found:
		r.State = "failed"
	}
	if err := errors.Join(errs...); r.State != "done" && err != nil {
		r.Error = ui.Clean(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
}

// NotBegun is the result of a night that could not begin, for want of a configuration or a
// clock: then neither its date nor its database is known, and now may be zero.
func NotBegun(now time.Time, dryRun bool, err error, code func(error) int) *Result {
	r := newResult(now)
	r.State, r.Step, r.DryRun = "failed", "config", dryRun
	r.conclude([]error{err}, code)
	return r
}

func newResult(now time.Time) *Result {
	r := &Result{Schema: Schema, State: "done", Step: "open", Ingest: Ingest{Files: map[string]int{}},
		Reports: []Report{}, RetryTax: []Tax{}, Missing: []string{}, Unread: []string{}, Met: []string{}, Alerts: []Alert{}, Warnings: []string{}}
	if !now.IsZero() {
		r.StartedAt = now.UTC().Format(time.RFC3339)
		r.EndedAt = r.StartedAt
	}
	return r
}
