package demo

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
	"retrytax/internal/ui"
)

var october = time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)

func small(seed uint64) Options {
	return Options{Seed: seed, Requests: 800, Month: october, FilesOnly: true}
}

func noAudit(Inputs) (*report.Audit, error) { return nil, errors.New("an audit was not asked for") }

// make makes a demo of files only.
func makeFiles(t *testing.T, o Options) (string, *Result) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "month")
	r, err := Make(context.Background(), dir, o, noAudit)
	if err != nil {
		t.Fatal(err)
	}
	return dir, r
}

// digest is a hash of the names and the contents of all files below a folder.
func digest(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		fmt.Fprintf(h, "%s %d\n", strings.TrimPrefix(path, dir), len(b))
		h.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func TestOneSeedIsOneMonth(t *testing.T) {
	for _, plain := range []bool{false, true} {
		o := small(7)
		o.Plain = plain
		one, _ := makeFiles(t, o)
		two, _ := makeFiles(t, o)
		if digest(t, one) != digest(t, two) {
			t.Errorf("plain %v: the same options gave different bytes", plain)
		}
		o.Seed = 8
		if other, _ := makeFiles(t, o); digest(t, one) == digest(t, other) {
			t.Errorf("plain %v: two seeds gave the same bytes", plain)
		}
	}
}

// TestLabelsAddUpToTheBills: each line of each export has exactly one label, which says the
// same of it; where exports overlap, both lines have the same one.
func TestLabelsAddUpToTheBills(t *testing.T) {
	dir, r := makeFiles(t, small(3))
	if r.RepeatedCharges == 0 {
		t.Error("no exports overlap")
	}
	labels := table(t, filepath.Join(dir, labelsName))
	if int64(len(labels)) != r.Charges {
		t.Fatalf("%d labels for %d charges", len(labels), r.Charges)
	}
	places := map[string]map[string]string{}
	sum := decimal.Zero
	for _, l := range labels {
		sum = sum.Add(decimal.RequireFromString(l["amount"]))
		for _, at := range []string{l["source_file"] + ":" + l["source_line"], l["again_file"] + ":" + l["again_line"]} {
			if places[at] != nil {
				t.Fatalf("%s has two labels", at)
			}
			if at != ":" {
				places[at] = l
			}
		}
	}
	billed := decimal.Zero
	for _, name := range []string{"northwind-2026-10-first-half.csv", "northwind-2026-10-second-half.csv", "contoso-2026-10.csv"} {
		for i, c := range table(t, filepath.Join(dir, "bills", name)) {
			at := fmt.Sprintf("%s:%d", name, i+2)
			l := places[at]
			if l == nil || l["charge_id"] != c["charge_id"] || l["amount"] != c["amount"] || l["provider"] != c["provider"] {
				t.Fatalf("%s: %v is labelled %v", at, c, l)
			}
			if l["source_file"] == name {
				billed = billed.Add(decimal.RequireFromString(c["amount"]))
			}
		}
	}
	for _, l := range labels {
		if l["provider"] == "fabrikam" || l["provider"] == "tailspin" {
			billed = billed.Add(decimal.RequireFromString(l["amount"]))
		}
	}
	if !billed.Equal(sum) || sum.IsZero() {
		t.Errorf("the labels add up to %s, the bills to %s", sum, billed)
	}
}

func table(t *testing.T, path string) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil || len(records) < 2 {
		t.Fatalf("%s: %d records, %v", path, len(records), err)
	}
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestAFolderInUseIsRefused: nothing is written over, nor into what is no folder.
func TestAFolderInUseIsRefused(t *testing.T) {
	dir := t.TempDir()
	note := filepath.Join(dir, "note.txt")
	if err := os.WriteFile(note, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, note} {
		_, err := Make(context.Background(), name, small(1), noAudit)
		var e *ui.Error
		if !errors.As(err, &e) || e.Code != ui.Usage || e.Hint == "" {
			t.Errorf("%s: %v, expected wrong usage and a hint", name, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if b, rerr := os.ReadFile(note); err != nil || rerr != nil || len(entries) != 1 || string(b) != "mine" {
		t.Errorf("found %v, %q", entries, b)
	}
}

// TestAFailureLeavesNothing: neither an interrupt nor an audit that fails leaves a trace, in
// a new folder as in an empty one.
func TestAFailureLeavesNothing(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	broken := errors.New("the disk is full")
	for name, run := range map[string]func(dir string) error{
		"interrupted": func(dir string) error {
			_, err := Make(stopped, dir, small(1), noAudit)
			return err
		},
		"audit fails": func(dir string) error {
			o := small(1)
			o.FilesOnly = false
			_, err := Make(context.Background(), dir, o, func(Inputs) (*report.Audit, error) { return nil, broken })
			return err
		},
	} {
		empty, fresh := t.TempDir(), filepath.Join(t.TempDir(), "new")
		for _, dir := range []string{empty, fresh} {
			if err := run(dir); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		if entries, err := os.ReadDir(empty); err != nil || len(entries) > 0 {
			t.Errorf("%s: left %v in an empty folder (%v)", name, entries, err)
		}
		if _, err := os.Lstat(fresh); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: left the folder that it made (%v)", name, err)
		}
	}
}

func TestCommandCanBePasted(t *testing.T) {
	for dir, want := range map[string]string{
		"month":    "month/logs/*",
		"my month": "'my month/logs/*'",
		"it's":     `'it'\''s/logs/*'`,
		"a[1]":     `'a\[1]/logs/*'`,
		"-x":       "./-x/logs/*",
	} {
		r := Result{Dir: dir}
		if got := r.glob("logs"); got != want {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
}

// TestTinyMonths: months of hardly any requests, and of every length, are whole.
func TestTinyMonths(t *testing.T) {
	for _, month := range []time.Month{time.February, time.April, time.December} {
		for _, requests := range []int{1, 3, 40} {
			o := small(1)
			o.Requests, o.Month = requests, time.Date(2027, month, 1, 0, 0, 0, 0, time.UTC)
			makeFiles(t, o)
		}
	}
}
