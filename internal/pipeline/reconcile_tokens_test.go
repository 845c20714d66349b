package pipeline

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrytax/internal/config"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/internal/synth"
)

// A bill that knows no ids of the caller's: night after night, the books are those of an audit, and the matches
// by tokens and time are among them. When a bill that knows them takes its place, they are gone.
func TestReconcileMatchesByTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some reconciles")
	}
	t.Parallel()
	c := synth.Unnamed(synth.Troubled(3), synth.NoSharedIDs)
	c.Requests, c.Period = 300, 40*time.Hour
	w := tables(synth.Generate(c))
	rapid.Check(t, func(rt *rapid.T) {
		l := living(rt, t)
		defer l.Close()
		o := Options{Config: config.Default(), Now: testClock, Threads: 1}
		var files []File
		for i, night := range drawNights(rt, hostileWorld{attempts: w.attempts, charges: w.charges}) {
			files = append(files, night...)
			if _, err := Ingest(context.Background(), l, night, o); err != nil {
				rt.Fatal(err)
			}
			if _, err := Reconcile(context.Background(), l, o, false); err != nil {
				rt.Fatalf("night %d: %v", i, err)
			}
		}
		if n, err := l.Store.Int(context.Background(), "SELECT count(*) FROM int_matches WHERE match = 'tokens' AND NOT lead"); err != nil || n == 0 {
			rt.Fatalf("%d matches by tokens and time (%v), expected some", n, err)
		}
		if err := ask(context.Background(), l.Store, o); err != nil {
			rt.Fatal(err)
		}
		if _, err := runChecks(context.Background(), l.Store); err != nil {
			rt.Fatal(err)
		}
		got := outcome{linesOf(rt, verdictsCSV(t, l.Store)), totalsOf(rt, l.Store)}
		same(rt, auditTables(rt, t, files, Options{}), got, "source_file", "source_line")
	})
}

// A report over a database hides ids and matches again, as an audit does, and says the same of what was claimed; of a
// period that a day of the bill lies in as well. A night leaves it out.
func TestReportChecksClaims(t *testing.T) {
	t.Parallel()
	c := synth.Unnamed(synth.Troubled(3), synth.ReceiptsOnly)
	c.Requests = 700
	w := synth.Generate(c)
	var attempts, charges bytes.Buffer
	if err := errors.Join(w.WriteAttempts(&attempts, synth.JSONL), w.WriteCharges(&charges, synth.CSV)); err != nil {
		t.Fatal(err)
	}
	a := auditBytes(t, map[string][]byte{"attempts.jsonl": attempts.Bytes(), "charges.csv": charges.Bytes()}, Options{})
	defer a.Store.Close()
	want := claimsOf(t, a.Store)
	if len(want) == 0 {
		t.Fatal("the audit checked nothing")
	}

	ctx, path := context.Background(), filepath.Join(t.TempDir(), "living.duckdb")
	so := store.Options{Path: path, Threads: 2}
	l, err := OpenLiving(ctx, LivingOptions{Options: so, Command: "test", Create: true, Now: testClock})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Config: config.Default(), Now: testClock, Threads: 2}
	files := []File{{Input: source.BytesInput("attempts.jsonl", attempts.Bytes())}, {Input: source.BytesInput("charges.csv", charges.Bytes())}}
	if _, err = Ingest(ctx, l, files, o); err == nil {
		_, err = Reconcile(ctx, l, o, false)
	}
	if err := errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		period string
		check  bool
		want   []string
	}{{"", true, want}, {"2026-10", true, want}, {"2026-10", false, nil}} {
		o.Period, o.CheckClaims = x.period, x.check
		r, err := ReportOver(ctx, so, o, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := claimsOf(t, r.Store); !slices.Equal(got, x.want) {
			t.Errorf("period %q, check %v: %q, expected %q", x.period, x.check, got, x.want)
		}
		if _, err := runChecks(ctx, r.Store); err != nil {
			t.Error(err)
		}
		r.Store.Close()
	}
}

// claimsOf are the rows of what was claimed and what was right.
func claimsOf(t *testing.T, s *store.Store) (rows []string) {
	err := s.Query(context.Background(), "SELECT concat_ws(' ', from_confidence, charges, claimed, right_share) FROM rpt_claims ORDER BY from_confidence", func(r *sql.Rows) error {
		var row string
		err := r.Scan(&row)
		rows = append(rows, row)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
