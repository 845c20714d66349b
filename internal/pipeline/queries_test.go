package pipeline

import (
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrytax/internal/store"
	"retrytax/queries"
)

var update = flag.Bool("update", false, "rewrite the expect files of testdata/queries with what the queries give; read the diff")

const queryCases = "../../testdata/queries"

// TestQueries runs every query file alone over the cases in testdata/queries: a folder a
// table, in it a folder a case, in that one CSV a table read, settings.csv where a variable
// differs, and expect.csv. Columns and tables that a case leaves out hold defaults
// (queries_defaults_test.go), so that a case shows nothing but its point.
func TestQueries(t *testing.T) {
	files := queriesByFolder()
	dirs, err := filepath.Glob(queryCases + "/*/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no case in %s (%v)", queryCases, err)
	}
	b := newBench(t)
	defer b.s.Close()
	seen := map[string]bool{}
	for _, dir := range dirs {
		folder := filepath.Base(filepath.Dir(dir))
		name := folder + "/" + filepath.Base(dir)
		if files[folder] == nil {
			t.Errorf("%s: no query file writes %s", dir, folder)
			continue
		}
		seen[folder] = true
		t.Run(name, func(t *testing.T) {
			if strings.HasSuffix(name, ".todo") {
				t.Skipf("%s: the query does not give this yet", dir)
			}
			b.run(t, dir, files[folder])
		})
	}
	for _, folder := range slices.Sorted(maps.Keys(files)) {
		if !seen[folder] {
			t.Errorf("queries/%s: no case in testdata/queries/%s", files[folder][0].Path, folder)
		}
	}
}

// queriesByFolder maps the folder of a file's cases, its name without number, to the file.
// Where a table is created and filled by two files of one name, both run, in order.
func queriesByFolder() map[string][]queries.File {
	out := map[string][]queries.File{}
	for _, stage := range headedFolders {
		for _, f := range queries.In(stage) {
			if f.Name() != "macros" && !f.IsFormat() {
				out[f.Name()] = append(out[f.Name()], f)
			}
		}
	}
	return out
}

// errDone makes the store roll a case back.
var errDone = errors.New("case is done")

// run compares what the files make of a case with its expect files.
func (b *bench) run(t *testing.T, dir string, files []queries.File) {
	t.Helper()
	changed, err := b.set(dir)
	defer b.reset(t, changed)
	if err != nil {
		t.Fatal(err)
	}
	var results []result
	err = b.s.InTransaction(b.ctx, func() error {
		if err := b.arrange(dir, files); err != nil {
			return err
		}
		for _, f := range files {
			if err := runFile(b.ctx, b.s, f); err != nil {
				return err
			}
		}
		var err error
		if results, err = b.results(dir, head(files[0].SQL).writes()); err != nil {
			return err
		}
		return errDone
	})
	if !errors.Is(err, errDone) {
		t.Fatalf("%s: %v", dir, err)
	}
	for _, r := range results {
		if *update {
			if err := os.WriteFile(r.path, []byte(strings.Join(r.got, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if d := cmp.Diff(r.want, r.got); d != "" {
			t.Errorf("%s (-expected +found):\n%s", r.path, d)
		}
	}
}

// set sets the variables of a case and returns their names.
func (b *bench) set(dir string) (names []string, err error) {
	path := filepath.Join(dir, "settings.csv")
	if _, err := os.Stat(path); err != nil {
		return nil, nil
	}
	t, err := readTable(path)
	if err != nil {
		return nil, err
	}
	for _, r := range t.rows {
		names = append(names, r[0])
		if err := b.s.SetVariable(b.ctx, r[0], r[1]); err != nil {
			return names, err
		}
	}
	return names, nil
}

func (b *bench) reset(t *testing.T, names []string) {
	for _, n := range names {
		if err := b.s.SetVariable(b.ctx, n, b.settings[n]); err != nil {
			t.Fatal(err)
		}
	}
}

// result is one table after a case has run, and what it should be: lines of CSV.
type result struct {
	path      string
	want, got []string
}

// results reads the table that the files write against expect.csv, and any other table
// against expect.<table>.csv.
func (b *bench) results(dir, writes string) ([]result, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "expect*.csv"))
	if err != nil || len(paths) == 0 {
		return nil, errors.New("no expect.csv")
	}
	var out []result
	for _, p := range paths {
		table := strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(p), "expect"), ".csv"), ".")
		if table == "" {
			table = writes
		}
		r, err := b.compare(p, table)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// compare reads the expected rows through the types of the table, so that 5 and 5.00 are one.
func (b *bench) compare(path, table string) (result, error) {
	want, err := readTable(path)
	if err != nil {
		return result{}, err
	}
	types, err := b.describe("SELECT " + identList(want.cols) + " FROM " + store.Ident(table))
	if err != nil {
		return result{}, err
	}
	if err := b.create("TEMP TABLE", "expected", types); err != nil {
		return result{}, err
	}
	if err := b.fill("expected", types, want, nil); err != nil {
		return result{}, err
	}
	r := result{path: path}
	if r.want, err = b.lines("expected", types); err == nil {
		r.got, err = b.lines(table, types)
	}
	return r, err
}
