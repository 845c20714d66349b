package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/synth"
	"retrytax/internal/ui"
)

// Options is what a demo depends on: the same options give the same bytes.
type Options struct {
	Seed      uint64
	Requests  int
	Month     time.Time // the first day, at 00:00 UTC
	Plain     bool      // one pair of files in the canonical columns
	FilesOnly bool

	NoWorkbook bool // no report.xlsx in the report
}

// Names of what stands in the folder of a demo, beside logs, bills and the report.
const (
	ConfigName = "retrytax.yaml"
	labelsName = "labels.csv"
	reportName = "report"
)

// Input is a file to audit: where it lies now, and under which name it will be found.
type Input struct{ Path, Name string }

// Inputs is all that an audit of the files needs.
type Inputs struct {
	Files  []Input
	Config string    // path of the configuration
	Out    string    // folder for the report
	Now    time.Time // the clock of the run: two days after the month
}

// Make writes a month to dir, lets audit report on it, and scores that. Everything is
// written aside within dir and renamed at the end; a run that fails leaves dir as it was.
// dir must be new or empty. The audit is not called for files only.
func Make(ctx context.Context, dir string, o Options, audit func(Inputs) (*report.Audit, error)) (r *Result, err error) {
	made, err := claim(dir)
	if err != nil {
		return nil, err
	}
	aside, err := os.MkdirTemp(dir, ".retrytax-")
	if err != nil {
		return nil, fmt.Errorf("cannot write to the folder %s: %w", dir, err)
	}
	defer func() {
		if rerr := os.RemoveAll(aside); err == nil {
			err = rerr
		}
		if err != nil && made {
			_ = os.Remove(dir) // refused if anything is in it
		}
	}()
	month, files := o.month()
	w, err := write(ctx, aside, month, files)
	if err != nil {
		return nil, fmt.Errorf("cannot write the demo to %s: %w", dir, err)
	}
	r = &Result{Dir: dir, Options: o, Written: w.count, Now: month.To().AddDate(0, 0, 2)}
	if !o.FilesOnly {
		if r.Audit, err = audit(inputs(aside, dir, r)); err != nil {
			return nil, err
		}
		if r.Card, err = score(aside); err != nil {
			return nil, err
		}
	}
	return r, publish(ctx, aside, dir)
}

// month is the world that the options ask for, and its files.
func (o Options) month() (*synth.Month, plan) {
	if o.Plain {
		m := synth.Plain(o.Seed, o.Month, o.Requests)
		return m, plainPlan(m)
	}
	return synth.Company(o.Seed, o.Month, o.Requests), companyPlan(o.Month)
}

// claim makes sure that dir is an empty folder, and tells whether it made it.
func claim(dir string) (made bool, err error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return false, fmt.Errorf("cannot make the folder %s: %w", dir, err)
		}
		return true, nil
	case err != nil:
		return false, &ui.Error{Code: ui.Usage, Msg: dir + ": found something that is no folder, expected a new or an empty one",
			Hint: "name a folder that does not exist yet"}
	case len(entries) > 0:
		return false, &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("%s: found a folder with %s in it, expected a new or an empty one", dir, entries[0].Name()),
			Hint: "name a folder that does not exist yet; retrytax demo writes over nothing"}
	}
	return false, nil
}

// inputs names the files as they will be called.
func inputs(aside, dir string, r *Result) Inputs {
	in := Inputs{Config: filepath.Join(aside, ConfigName), Out: filepath.Join(aside, reportName), Now: r.Now}
	for _, of := range []struct {
		folder string
		names  []string
	}{{"logs", r.Logs}, {"bills", r.Bills}} {
		for _, n := range of.names {
			in.Files = append(in.Files, Input{Path: filepath.Join(aside, of.folder, n), Name: filepath.Join(dir, of.folder, n)})
		}
	}
	return in
}

// score compares the labels with the verdicts of the report.
func score(aside string) (card synth.Scorecard, err error) {
	labels, err := os.Open(filepath.Join(aside, labelsName))
	if err != nil {
		return card, err
	}
	defer labels.Close()
	verdicts, err := os.Open(filepath.Join(aside, reportName, "verdicts.csv"))
	if err != nil {
		return card, err
	}
	defer verdicts.Close()
	return synth.Score(labels, verdicts)
}

// publish moves what was written aside to its place.
func publish(ctx context.Context, aside, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(aside)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if err := os.Rename(filepath.Join(aside, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			for _, moved := range entries[:i] { // they were not there before
				err = errors.Join(err, os.RemoveAll(filepath.Join(dir, moved.Name())))
			}
			return err
		}
	}
	return nil
}
