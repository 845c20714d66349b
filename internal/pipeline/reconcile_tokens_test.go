package pipeline

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrytax/internal/config"
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
