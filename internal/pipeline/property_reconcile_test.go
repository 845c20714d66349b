package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"retrytax/internal/config"
	"retrytax/internal/store"
	"retrytax/internal/synth"
)

// Night after night, whatever is delivered: what a reconcile of the changes gives is what a reconcile
// of everything gives, table by table, and the books are those of an audit over the same files.
func TestReconcilingChangesIsReconcilingEverything(t *testing.T) {
	property(t, func(rt *rapid.T, w hostileWorld) {
		if rapid.Bool().Draw(rt, "over several days") {
			w = severalDays(rt)
		}
		nights := drawNights(rt, w)
		l := living(rt, t)
		defer l.Close()
		// By ids alone, since with a bill that needs more every reconcile is one of everything.
		o := Options{Config: config.Default(), Now: testClock, Threads: 1, NoTokens: true}
		var files []File
		for i, night := range nights {
			files = append(files, night...)
			if _, err := Ingest(context.Background(), l, night, o); err != nil {
				rt.Fatal(err)
			}
			if _, err := Reconcile(context.Background(), l, o, false); err != nil {
				rt.Fatalf("night %d: %v", i, err)
			}
		}
		changes := derivedRows(rt, l.Store)
		if _, err := Reconcile(context.Background(), l, o, true); err != nil {
			rt.Fatal(err)
		}
		if d := cmp.Diff(derivedRows(rt, l.Store), changes); d != "" {
			rt.Fatalf("of everything (-), of the changes (+):\n%s", d)
		}
		if err := ask(context.Background(), l.Store, o); err != nil {
			rt.Fatal(err)
		}
		if _, err := runChecks(context.Background(), l.Store); err != nil {
			rt.Fatal(err)
		}
		got := outcome{linesOf(rt, verdictsCSV(t, l.Store)), totalsOf(rt, l.Store)}
		same(rt, auditTables(rt, t, files, Options{NoTokens: true}), got, "source_file", "source_line")
	})
}

// severalDays is a world of some days, with days that measure themselves and thin ones.
func severalDays(rt *rapid.T) hostileWorld {
	c := rapid.SampledFrom([]func(uint64) synth.Config{synth.Mixed, synth.AppRetries, synth.HiddenSDK}).Draw(rt, "preset of days")(rapid.Uint64Range(0, 1<<20).Draw(rt, "seed of days"))
	c.Requests = rapid.IntRange(50, 900).Draw(rt, "requests of days")
	c.Period = time.Duration(rapid.IntRange(20, 80).Draw(rt, "hours")) * time.Hour
	w := tables(synth.Generate(c))
	addStranger(rt, &w)
	return w
}

// drawNights cuts a world into files and hands them out night by night: in any order,
// overlapping, some of them twice, some lines of the bill corrected.
func drawNights(rt *rapid.T, w hostileWorld) [][]File {
	var files []File
	for name, t := range map[string]csvTable{"attempts": w.attempts, "charges": w.charges} {
		parts := rapid.IntRange(1, 4).Draw(rt, "files of "+name)
		for i := range parts {
			from, to := len(t.rows)*i/parts, len(t.rows)*(i+1)/parts
			to = min(len(t.rows), to+rapid.IntRange(0, 20).Draw(rt, "overlap"))
			part := csvTable{t.header, t.rows[from:to]}
			if name == "charges" && len(part.rows) > 0 && rapid.Bool().Draw(rt, "corrected") {
				part = part.clone()
				overwrite(rt, &part, rapid.SampledFrom([]string{"0.01", "0.5"}), "amount")
			}
			files = append(files, tableFile(fmt.Sprintf("%s-%d.csv", name, i), part))
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Input.Name, b.Input.Name) }) // a map has no order
	files = rapid.Permutation(files).Draw(rt, "order")
	var nights [][]File
	for len(files) > 0 {
		n := rapid.IntRange(1, len(files)).Draw(rt, "files of the night")
		nights = append(nights, files[:n])
		files = files[n:]
	}
	return nights
}

// living is a fresh database that lives.
func living(rt *rapid.T, t *testing.T) *Living {
	l, err := OpenLiving(context.Background(), LivingOptions{Options: store.Options{Path: filepath.Join(t.TempDir(), "living.duckdb"), Threads: 1},
		Command: "test", Create: true, Now: testClock})
	if err != nil {
		rt.Fatal(err)
	}
	return l
}

// derivedRows are the rows of all derived tables that are kept, as text. ord only orders rows that
// are looked at together, so its values hang on how many those were.
func derivedRows(rt *rapid.T, s *store.Store) map[string][]string {
	var names []string
	for _, d := range keptByRow {
		names = append(names, d.name)
	}
	for _, d := range measuredByDay {
		names = append(names, d.table)
	}
	out := map[string][]string{}
	for _, n := range append(names, madeAnew...) {
		columns := "*"
		if k, err := s.Int(context.Background(), "SELECT count(*) FROM duckdb_columns() WHERE table_name = ? AND column_name = 'ord'", n); err != nil {
			rt.Fatal(err)
		} else if k > 0 {
			columns = "* EXCLUDE (ord)"
		}
		err := s.Query(context.Background(), "SELECT CAST(to_json(t) AS VARCHAR) FROM (SELECT "+columns+" FROM "+store.Ident(n)+") t ORDER BY 1", func(r *sql.Rows) error {
			var row string
			err := r.Scan(&row)
			out[n] = append(out[n], row)
			return err
		})
		if err != nil {
			rt.Fatal(err)
		}
	}
	return out
}
