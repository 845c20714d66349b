package pipeline

import (
	"context"
	"flag"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"retrytax/internal/config"
	"retrytax/internal/store"
	"retrytax/internal/synth"
)

var (
	nights  = flag.Int("nights", 0, "measure so many nights of a database that lives; 0 is none")
	nightly = flag.Int("nightly", 2000, "requests of a night")
)

// TestNights prints what each night costs of the processor, for people: a night's cost follows the night's
// data, not the years before it.
func TestNights(t *testing.T) {
	if *nights == 0 {
		return // -nights 31 -nightly 100000 measures; nothing here asserts a time
	}
	ctx := context.Background()
	c := synth.Mixed(1)
	c.Requests, c.Period = *nights**nightly, time.Duration(*nights)*24*time.Hour
	w := tables(synth.Generate(c))
	attempts, charges := byDay(w.attempts, "started_at"), byDay(w.charges, "charged_at")
	l, err := OpenLiving(ctx, LivingOptions{Options: store.Options{Path: filepath.Join(t.TempDir(), "living.duckdb"), Threads: 2}, Command: "test", Create: true, Now: testClock})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	o := Options{Config: config.Default(), Now: testClock, Threads: 2}
	for _, day := range days(charges) {
		before := processorTime(t)
		files := []File{tableFile("attempts-"+day+".csv", csvTable{w.attempts.header, attempts[day]}), tableFile("charges-"+day+".csv", csvTable{w.charges.header, charges[day]})}
		if len(attempts[day]) == 0 {
			files = files[1:]
		}
		if _, err := Ingest(ctx, l, files, o); err != nil {
			t.Fatal(err)
		}
		between := processorTime(t)
		r, err := Reconcile(ctx, l, o, false)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: ingest %v, reconcile %v; %d changes, %d log lines and %d bill lines looked at", day, between-before, processorTime(t)-between, r.Changes, r.Attempts, r.Charges)
	}
}

func byDay(t csvTable, column string) map[string][][]string {
	out, at := map[string][][]string{}, t.col(column)
	for _, r := range t.rows {
		day := r[at][:min(10, len(r[at]))]
		out[day] = append(out[day], r)
	}
	return out
}

func days(m map[string][][]string) []string {
	var out []string
	for d := range m {
		out = append(out, d)
	}
	slices.Sort(out)
	return out
}

// processorTime is what this process has used of the processors.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Round(time.Millisecond)
}
