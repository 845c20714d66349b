package pipeline

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrytax/internal/config"
	"retrytax/internal/source"
	"retrytax/internal/store"
)

const formatCases = "../../testdata/formats"

// TestFormats walks all formats that have a query file. Each has in testdata/formats a folder of
// its name: samples (sample…) with the rows that they must give (sample….expect, or what is said
// where a format is refused), and near misses (near_miss…), which must be taken for something else.
func TestFormats(t *testing.T) {
	formats := source.AllFormats()
	if len(formats) == 0 {
		t.Fatal("no format has a query file")
	}
	s := newFormatStore(t)
	defer s.Close()
	for _, f := range formats {
		t.Run(f.Name, func(t *testing.T) {
			samples := casesOf(t, f, "sample*")
			if len(samples) == 0 {
				t.Errorf("no testdata/formats/%s/sample…", f.Name)
			}
			for _, path := range samples {
				testSample(t, s, f, path)
			}
			misses := casesOf(t, f, "near_miss*")
			if len(misses) == 0 {
				t.Errorf("no testdata/formats/%s/near_miss…", f.Name)
			}
			for _, path := range misses {
				testNearMiss(t, f, path)
			}
		})
	}
	folders, _ := os.ReadDir(formatCases)
	for _, d := range folders {
		if !slices.ContainsFunc(formats, func(f *source.Format) bool { return f.Name == d.Name() }) {
			t.Errorf("testdata/formats/%s: no format has that name", d.Name())
		}
	}
}

func casesOf(t *testing.T, f *source.Format, pattern string) (out []string) {
	paths, err := filepath.Glob(filepath.Join(formatCases, f.Name, pattern))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		if filepath.Ext(p) != ".expect" {
			out = append(out, p)
		}
	}
	return out
}

// recogniseCase recognises a file as an audit does that has a price list, where the format needs one.
func recogniseCase(t *testing.T, f *source.Format, path string) (*source.Input, source.Recognised, error) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in := source.BytesInput(filepath.Base(path), text)
	in.Priced = f.Priced
	rec, err := source.Recognise(in, "")
	return in, rec, err
}

func testNearMiss(t *testing.T, f *source.Format, path string) {
	_, rec, err := recogniseCase(t, f, path)
	if rec.Vendor() == f || err == nil && rec.Format == f.Name || err != nil && f.Refused != "" && strings.Contains(err.Error(), f.Refused) {
		t.Errorf("%s was taken for %s", path, f.Name)
	}
}

func testSample(t *testing.T, s *store.Store, f *source.Format, path string) {
	t.Helper()
	in, _, err := recogniseCase(t, f, path)
	var got []string
	if err != nil {
		got = []string{"refused: " + err.Error()}
	} else if got, err = landCase(s, in); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	text := strings.Join(got, "\n") + "\n"
	golden := path + ".expect"
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")); d != "" {
		t.Errorf("%s (-expected +found):\n%s", golden, d)
	}
	if !strings.Contains(string(want), " "+f.Name+" ") && !strings.HasPrefix(string(want), "refused: ") {
		t.Errorf("%s was not taken for %s", path, f.Name)
	}
}

var formatOptions = Options{Config: config.Default(), Now: testClock, Threads: 1}

// newFormatStore is a database with all tables and nothing in them.
func newFormatStore(t testing.TB) *store.Store {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Threads: 1})
	if err == nil {
		err = errors.Join(prepare(ctx, s, formatOptions), setVariables(ctx, s, map[string]string{"run_no": "1", "first_file": "1"}))
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// landCase loads one file and returns what became of it: a line for each of its roles, and all
// of its rows with the values that they have. The database is then as before.
func landCase(s *store.Store, in *source.Input) (lines []string, err error) {
	ctx := context.Background()
	err = s.InTransaction(ctx, func() error {
		if lines, err = landedLines(ctx, s, in); err != nil {
			return err
		}
		return errDone
	})
	if errors.Is(err, errDone) {
		err = nil
	}
	return lines, err
}

// landOnly loads one file; the database is then as before.
func landOnly(s *store.Store, in *source.Input) error {
	ctx := context.Background()
	err := s.InTransaction(ctx, func() error {
		if _, err := landFiles(ctx, s, 1, []File{{Input: in}}, formatOptions); err != nil {
			return err
		}
		return errDone
	})
	if errors.Is(err, errDone) {
		return nil
	}
	return err
}

func landedLines(ctx context.Context, s *store.Store, in *source.Input) (lines []string, err error) {
	notes, err := landFiles(ctx, s, 1, []File{{Input: in}}, formatOptions)
	if err == nil {
		err = lendIDs(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		lines = append(lines, "note: "+n)
	}
	type file struct {
		no                   int
		role, format, counts string
	}
	var files []file
	err = s.Query(ctx, "SELECT file_no, role, format, read, loaded, known, ignored, rejected FROM src_files ORDER BY file_no", func(r *sql.Rows) error {
		var f file
		var n [5]int64
		err := r.Scan(&f.no, &f.role, &f.format, &n[0], &n[1], &n[2], &n[3], &n[4])
		f.counts = fmt.Sprintf("read %d, loaded %d, ignored %d, rejected %d", n[0], n[1], n[3], n[4])
		if n[0] != n[1]+n[2]+n[3]+n[4] {
			err = errors.Join(err, fmt.Errorf("%s do not add up", f.counts))
		}
		files = append(files, f)
		return err
	})
	for _, f := range files {
		rows, rerr := shownRows(ctx, s, f.role, f.no)
		err = errors.Join(err, rerr)
		lines = append(append(lines, fmt.Sprintf("%s of %s : %s", f.role, f.format, f.counts)), rows...)
	}
	return lines, err
}

// shownRows are the rows of a file, each with the values that it has.
func shownRows(ctx context.Context, s *store.Store, role string, no int) (lines []string, err error) {
	table := map[string]string{"attempts": "src_attempts", "charges": "src_charges", "bills": "src_bills", "retries": "src_retries"}[role]
	show := func(table, order string) error {
		return s.Query(ctx, "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (FROM "+table+" WHERE file_no = ? ORDER BY "+order+")", func(r *sql.Rows) error {
			cols, err := r.Columns()
			if err != nil {
				return err
			}
			values, into := make([]sql.NullString, len(cols)), make([]any, len(cols))
			for i := range values {
				into[i] = &values[i]
			}
			if err := r.Scan(into...); err != nil {
				return err
			}
			var parts []string
			for i, c := range cols {
				if values[i].Valid && !slices.Contains([]string{"row_id", "file_no", "newest_file", "stage_basis", "raw"}, c) {
					v := values[i].String
					if strings.HasSuffix(c, "amount") || strings.HasSuffix(c, "price") || c == "quantity" {
						v = trimmed(v)
					}
					parts = append(parts, c+"="+v)
				}
			}
			lines = append(lines, "  "+strings.Join(parts, " "))
			return nil
		}, no)
	}
	if err := show(table, "row_id"); err != nil {
		return nil, err
	}
	return lines, show("src_rejects", "ALL")
}
