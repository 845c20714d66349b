package pipeline

import (
	"context"
	"flag"
	"path/filepath"
	"slices"
	"strings"
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
	leap    = flag.Bool("leap", false, "deliver the nights between the second and the last at once")
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
	for _, night := range deliveries(days(charges)) {
		before := processorTime(t)
		var files []File
		for _, day := range night {
			if len(attempts[day]) > 0 {
				files = append(files, tableFile("attempts-"+day+".csv", csvTable{w.attempts.header, attempts[day]}))
			}
			files = append(files, tableFile("charges-"+day+".csv", csvTable{w.charges.header, charges[day]}))
		}
		if _, err := Ingest(ctx, l, files, o); err != nil {
			t.Fatal(err)
		}
		between := processorTime(t)
		r, err := Reconcile(ctx, l, o, false)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: ingest %v, reconcile %v; %d changes, %d log lines and %d bill lines looked at", strings.Join(slices.Compact([]string{night[0], night[len(night)-1]}), " … "), between-before, processorTime(t)-between, r.Changes, r.Attempts, r.Charges)
	}
}

// deliveries are the days that are delivered together: each alone, or with -leap all between the second and
// the last as one.
func deliveries(days []string) (out [][]string) {
	for i, d := range days {
		if *leap && i > 2 && i < *nights-1 {
			out[2] = append(out[2], d)
			continue
		}
		out = append(out, []string{d})
	}
	return out
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
func processorTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Round(time.Millisecond)
}
