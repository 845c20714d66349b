package main

import (
	"context"
	"flag"
	"path/filepath"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/config"
	"retrytax/internal/demo"
	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/internal/synth"
)

var (
	coverageSeeds    = flag.Int("coverage", 0, "over so many labelled demo months, count how often the truth lies in the measured intervals")
	coverageRequests = flag.Int("coverage-requests", 100_000, "how many requests each of these months has")
	coverageFirst    = flag.Int("coverage-first", 1, "the first seed")
	coveragePlain    = flag.Bool("coverage-plain", false, "plain months instead of the company's")
)

// TestCoverage is long and runs on demand: in at least 90 of 100 labelled months each of p₁, f and g,
// counted singly by the simulated server, must lie in its measured interval.
func TestCoverage(t *testing.T) {
	if *coverageSeeds == 0 {
		t.Skip("long: -coverage 100 runs it")
	}
	inside, months := map[string]int{}, []coverageResult{}
	var all synth.Rates
	for seed := *coverageFirst; seed < *coverageFirst+*coverageSeeds; seed++ {
		r := coverageMonth(t, uint64(seed))
		months = append(months, r)
		all.Add(r.truth)
		for name, e := range r.estimates() {
			is, in := r.inside(name, e, r.truth)
			if in {
				inside[name]++
			}
			t.Logf("seed %d: %s is %s, measured %s in %s … %s: %v", seed, name, is, *e.Value, *e.Low, *e.High, in)
		}
	}
	for _, name := range []string{"p1", "f", "g"} {
		// A month's own truth is what counts; that of all months together asks more: whether the
		// interval allows for the luck of a single month.
		together := 0
		for _, r := range months {
			if _, in := r.inside(name, r.estimates()[name], all); in {
				together++
			}
		}
		t.Logf("%s: in %d of %d months; the value over all months in %d", name, inside[name], *coverageSeeds, together)
		if inside[name]*100 < 90**coverageSeeds {
			t.Errorf("%s lay in its interval in %d of %d months, expected 90 of 100", name, inside[name], *coverageSeeds)
		}
	}
}

// coverageResult is a month: what it truly was, and what was measured.
type coverageResult struct {
	truth synth.Rates
	found report.MeasuredGroup
}

func (r coverageResult) estimates() map[string]report.Estimate {
	return map[string]report.Estimate{"p1": r.found.Timeout[0], "f": r.found.Started, "g": r.found.Partial}
}

// inside tells what a parameter truly is, and whether it lies in the interval.
func (r coverageResult) inside(name string, e report.Estimate, truth synth.Rates) (is decimal.Decimal, in bool) {
	part, of := truth.Abandoned.Decimal(), truth.Twins.Decimal()
	switch name {
	case "p1":
		part, of = decimal.NewFromInt(int64(truth.FirstTimeouts)), decimal.NewFromInt(int64(truth.Calls))
	case "f":
		part, of = decimal.NewFromInt(int64(truth.Started)), decimal.NewFromInt(int64(truth.Timeouts))
	}
	is = part.DivRound(of, 6)
	low, high := decimal.RequireFromString(*e.Low), decimal.RequireFromString(*e.High)
	return is, !is.LessThan(low) && !is.GreaterThan(high)
}

// coverageMonth makes a month, counts its truth, and measures it.
func coverageMonth(t *testing.T, seed uint64) coverageResult {
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "month")
	month := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	o := demo.Options{Seed: seed, Requests: *coverageRequests, Month: month, FilesOnly: true, Plain: *coveragePlain}
	if _, err := demo.Make(ctx, dir, o, nil); err != nil {
		t.Fatal(err)
	}
	world := synth.Company
	if *coveragePlain {
		world = synth.Plain
	}
	var truth synth.Rates
	err := world(seed, month, *coverageRequests).Run(func(d *synth.Day) error { truth.Add(d.Rates); return nil })
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(filepath.Join(dir, demo.ConfigName))
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in %s (%v)", dir, err)
	}
	var files []pipeline.File
	for _, n := range names {
		in, err := source.NewInput(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, pipeline.File{Input: in})
	}
	defer closeInputs(files)
	s, err := store.Open(ctx, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a, err := pipeline.Run(ctx, s, files, pipeline.Options{Config: cfg, Now: month.AddDate(0, 1, 2)})
	if err != nil {
		t.Fatal(err)
	}
	data, period, err := a.Cost(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return coverageResult{truth, data.Measure("", period).Measured.All}
}
