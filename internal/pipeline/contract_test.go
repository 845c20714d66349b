package pipeline

import (
	"context"
	"database/sql"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"retrytax/internal/config"
	"retrytax/internal/parts"
	"retrytax/internal/source"
	"retrytax/internal/store"
)

var testClock = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)

// TestContract runs the labelled cases of testdata/contract, one in six and with -rest the others, and explains the ids in them.
func TestContract(t *testing.T) {
	dirs, err := filepath.Glob("../../testdata/contract/*/expect.csv")
	if err != nil || len(dirs) < 40 {
		t.Fatalf("found %d cases, expected at least 40 (%v)", len(dirs), err)
	}
	oneIn := 6
	if *update {
		oneIn = 1
	}
	for _, d := range parts.Of(t, dirs, oneIn) {
		dir := filepath.Dir(d)
		t.Run(filepath.Base(dir), func(t *testing.T) { t.Parallel(); contractCase(t, dir) })
	}
}

func contractCase(t *testing.T, dir string) {
	a := audit(t, dir, false)
	defer a.Store.Close()
	if _, err := runChecks(context.Background(), a.Store); err != nil {
		t.Error(err)
	}
	want := readExpected(t, filepath.Join(dir, "expect.csv"))
	got := verdictLines(t, a.Store)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("verdicts (-expected +found), %s:\n%s", firstLineOf(filepath.Join(dir, "why.md")), d)
	}
	if !*explainCases {
		return
	}
	goldenCase(t, a, filepath.Base(dir))
	explainCase(t, a)
}

// audit runs the files of a case folder, on one thread: so few rows leave a second one nothing
// to do but to wait, and the cases run side by side.
func audit(t testing.TB, dir string, careful bool) *Audit {
	t.Helper()
	ctx := context.Background()
	cfg := caseConfig(t, dir)
	names, _ := filepath.Glob(filepath.Join(dir, "*.*"))
	var files []File
	for _, n := range names {
		base := filepath.Base(n)
		if !strings.HasPrefix(base, "attempts") && !strings.HasPrefix(base, "charges") {
			continue
		}
		in, err := source.NewInput(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		in.Name = base
		files = append(files, File{Input: in})
	}
	s, err := store.Open(ctx, store.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Run(ctx, s, files, Options{Config: cfg, Now: testClock, Threads: 1, Careful: careful})
	if err != nil {
		s.Close()
		t.Fatal(err)
	}
	return a
}

// caseConfig is the configuration of a case, or the defaults.
func caseConfig(t testing.TB, dir string) *config.Config {
	t.Helper()
	path := filepath.Join(dir, "retrytax.yaml")
	if _, err := os.Stat(path); err != nil {
		return config.Default()
	}
	cfg, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func verdictLines(t *testing.T, s *store.Store) []string {
	var out []string
	err := s.Query(context.Background(), `SELECT f.file, v.source_line, coalesce(v.charge_id, ''), coalesce(v.verdict, 'NONE'), coalesce(v.recovery, ''),
		CAST(v.excess AS VARCHAR), v.settled, coalesce(v.reason, '') FROM fct_verdicts v JOIN src_files f USING (file_no)`, func(r *sql.Rows) error {
		var file, id, verdict, recovery, reason string
		var excess sql.NullString
		var line int64
		var settled bool
		if err := r.Scan(&file, &line, &id, &verdict, &recovery, &excess, &settled, &reason); err != nil {
			return err
		}
		out = append(out, fmt.Sprintf("%s:%d %s %s %s %s settled=%v %s", file, line, id, verdict, recovery, trimmed(excess.String), settled, reason))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(out)
	return out
}

func trimmed(d string) string {
	if strings.Contains(d, ".") {
		d = strings.TrimRight(strings.TrimRight(d, "0"), ".")
	}
	return d
}

func readExpected(t *testing.T, path string) []string {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %v", path, err)
	}
	var out []string
	for _, r := range rows[1:] {
		out = append(out, fmt.Sprintf("%s:%s %s %s %s %s settled=%s %s", r[0], r[1], r[2], r[3], r[4], trimmed(r[5]), r[6], r[7]))
	}
	sort.Strings(out)
	return out
}

func firstLineOf(path string) string {
	b, _ := os.ReadFile(path)
	line, _, _ := strings.Cut(string(b), "\n")
	return line
}
