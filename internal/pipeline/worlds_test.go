package pipeline

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"flag"
	"fmt"
	"testing"

	"retrytax/internal/config"
	"retrytax/internal/parts"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/internal/synth"
)

var worlds = flag.Int("worlds", 1, "how many seeds of each labelled world to audit; a long search uses 50")

// labelledWorlds are the simulated ones, each with a trouble of its own.
var labelledWorlds = []struct {
	name string
	make func(seed uint64) synth.Config
}{
	{"clean", func(seed uint64) synth.Config { c := synth.Clean(); c.Seed = seed; return c }},
	{"mixed", synth.Mixed},
	{"lost lines", func(seed uint64) synth.Config { return synth.LostLines(seed, 0.05) }},
	{"app retries", synth.AppRetries},
	{"hidden sdk", synth.HiddenSDK},
	{"fallback", synth.Fallback},
	{"hedging", synth.Hedging},
	{"id reuse", synth.IDReuse},
	{"fan-out", synth.FanOut},
	{"other calls", synth.OtherCalls},
	{"billed refusals", synth.BilledRefusals},
	{"duplicate lines", synth.DuplicateLines},
	{"orphans", synth.Orphans},
	{"dedup", synth.Dedup},
	{"server errors", synth.ServerErrors},
	{"layers", synth.Layers},
	{"stream tail", synth.StreamTail},
}

func TestWorlds(t *testing.T) {
	oneIn := 3
	if *worlds > 1 {
		oneIn = 1
	}
	for _, w := range parts.Of(t, labelledWorlds, oneIn) {
		for seed := range *worlds {
			t.Run(fmt.Sprintf("%s/%d", w.name, seed), func(t *testing.T) { t.Parallel(); world(t, w.name, w.make(uint64(seed))) })
		}
	}
}

func world(t *testing.T, name string, c synth.Config) {
	w := synth.Generate(c)
	var attempts, charges, labels bytes.Buffer
	for _, err := range []error{w.WriteAttempts(&attempts, synth.JSONL), w.WriteCharges(&charges, synth.CSV), w.WriteLabels(&labels)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	a := auditBytes(t, map[string][]byte{"attempts.jsonl": attempts.Bytes(), "charges.csv": charges.Bytes()}, Options{})
	defer a.Store.Close()
	if _, err := runChecks(context.Background(), a.Store); err != nil {
		t.Error(err)
	}
	verdicts := verdictsCSV(t, a.Store)
	score, err := synth.Score(&labels, bytes.NewReader(verdicts))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d charges, right %.4f, precision %.5f, recall %.4f", name, score.Lines, score.Accuracy(), score.Precision(), score.Recall())
	for want, row := range score.Confusion {
		for got, n := range row {
			if want != got {
				t.Logf("   %5d %s called %s", n, want, got)
			}
		}
	}
	least, money := 0.99, 0.999
	if name == "lost lines" {
		least, money = 0.9, 0.98
	}
	if score.Accuracy() < least || score.Precision() < money {
		t.Errorf("verdicts right %.4f (at least %v), money called excess right %.5f (at least %v)", score.Accuracy(), least, score.Precision(), money)
	}
}

// auditBytes audits contents in memory.
func auditBytes(t testing.TB, contents map[string][]byte, o Options) *Audit {
	t.Helper()
	ctx := context.Background()
	var files []File
	for _, name := range []string{"attempts.jsonl", "attempts.log", "attempts.csv", "charges.csv", "charges.jsonl"} {
		if b, ok := contents[name]; ok {
			files = append(files, File{Input: source.BytesInput(name, b)})
		}
	}
	if o.Config == nil {
		o.Config = config.Default()
	}
	o.Now, o.Threads = testClock, 2
	s, err := store.Open(ctx, store.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Run(ctx, s, files, o)
	if err != nil {
		s.Close()
		t.Fatal(err)
	}
	return a
}

func verdictsCSV(t testing.TB, s *store.Store) []byte {
	t.Helper()
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	first := true
	err := s.Query(context.Background(), `SELECT * EXCLUDE (sort_at, sort_provider, sort_charge, sort_item, sort_row) FROM rpt_verdicts
		ORDER BY sort_at, sort_provider, sort_charge, sort_item, source_file, source_line`, func(r *sql.Rows) error {
		cols, _ := r.Columns()
		if first {
			first = false
			if err := w.Write(cols); err != nil {
				return err
			}
		}
		vals := make([]sql.NullString, len(cols))
		ptrs := make([]any, len(cols))
		for i := range vals {
			ptrs[i] = &vals[i]
		}
		if err := r.Scan(ptrs...); err != nil {
			return err
		}
		rec := make([]string, len(cols))
		for i := range vals {
			rec[i] = vals[i].String
		}
		return w.Write(rec)
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Flush()
	return out.Bytes()
}
