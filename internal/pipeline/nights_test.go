package pipeline

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"retrytax/internal/config"
	"retrytax/internal/report"
	"retrytax/internal/source"
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
	list := writeNights(t)
	debug.FreeOSMemory() // what made the files shall cost the nights nothing
	path := filepath.Join(t.TempDir(), "living.duckdb")
	for _, night := range deliveries(list) {
		files := filesOfNights(t, night)
		before := processorTime(t)
		openNight(ctx, t, path, "ingest", func(l *Living, o Options) error {
			_, err := Ingest(ctx, l, files, o)
			return err
		})
		between := processorTime(t)
		var r *report.Reconciled
		openNight(ctx, t, path, "reconcile", func(l *Living, o Options) (err error) {
			r, err = Reconcile(ctx, l, o, false)
			return err
		})
		after := processorTime(t)
		for _, f := range files {
			f.Input.Close()
		}
		name := slices.Compact([]string{filepath.Base(night[0]), filepath.Base(night[len(night)-1])})
		t.Logf("%s: ingest %v, reconcile %v, together %v; %d changes, %d log lines and %d bill lines looked at",
			strings.Join(name, " … "), between-before, after-between, after-before, r.Changes, r.Attempts, r.Charges)
	}
}

// openNight opens the database for one command, as a night does.
func openNight(ctx context.Context, t *testing.T, path, command string, run func(*Living, Options) error) {
	l, err := OpenLiving(ctx, LivingOptions{Options: store.Options{Path: path, Threads: 1}, Command: command, Create: true, Now: testClock})
	if err != nil {
		t.Fatal(err)
	}
	if err := run(l, Options{Config: config.Default(), Now: testClock, Threads: 1}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// writeNights writes the log and the bill of each day to a folder of its own, and returns the folders in order.
func writeNights(t *testing.T) (folders []string) {
	c := synth.Mixed(1)
	c.Requests, c.Period = *nights**nightly, time.Duration(*nights)*24*time.Hour
	w := tables(synth.Generate(c))
	attempts, charges := byDay(w.attempts, "started_at"), byDay(w.charges, "charged_at")
	root := t.TempDir()
	for _, day := range days(charges) {
		folder := filepath.Join(root, day)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, part := range map[string]csvTable{"attempts.csv": {w.attempts.header, attempts[day]}, "charges.csv": {w.charges.header, charges[day]}} {
			if err := os.WriteFile(filepath.Join(folder, name), part.bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		folders = append(folders, folder)
	}
	return folders
}

// filesOfNights opens the files of some days.
func filesOfNights(t *testing.T, folders []string) (files []File) {
	for _, folder := range folders {
		for _, name := range []string{"attempts.csv", "charges.csv"} {
			in, err := source.NewInput(filepath.Join(folder, name), nil)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, File{Input: in, Role: roleOf(name)})
		}
	}
	return files
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
