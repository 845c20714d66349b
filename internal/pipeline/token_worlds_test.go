package pipeline

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"

	"retrytax/internal/synth"
)

var tokenWorlds = flag.Int("token-worlds", 0, "how many seeds of each world without shared ids to audit, at full size; 0: one small seed of the first four")

// tokenWorld is a kind of world whose bill does not know the request id, and what must be
// reached in it: of the money called excess the share that is right, and of the true excess the share that
// is found.
type tokenWorld struct {
	name         string
	make         func(seed uint64) synth.Config
	right, found float64
}

// A quiet world in which nothing was paid twice, and nobody shares an id.
func quiet(seed uint64) synth.Config {
	c := synth.Unnamed(synth.Clean(), synth.NoSharedIDs)
	c.Seed = seed
	return c
}

var worldsWithoutIDs = []tokenWorld{
	{"receipts only", func(s uint64) synth.Config { return synth.Unnamed(synth.Troubled(s), synth.ReceiptsOnly) }, 0.995, 0.98},
	{"no ids at all", func(s uint64) synth.Config { return synth.Unnamed(synth.Troubled(s), synth.NoSharedIDs) }, 0.99, 0.97},
	{"receipts only, 200 prompts", func(s uint64) synth.Config { return synth.Unnamed(synth.Crowded(s), synth.ReceiptsOnly) }, 0.99, 0.95},
	{"the same, half logged", func(s uint64) synth.Config { return synth.Unnamed(synth.HalfLogged(s), synth.ReceiptsOnly) }, 0.98, 0.75},
	{"no ids, 200 prompts", func(s uint64) synth.Config { return synth.Unnamed(synth.Crowded(s), synth.NoSharedIDs) }, 0.98, 0.9},
	{"receipts, clock 90 s off", func(s uint64) synth.Config {
		return synth.ClockOff(synth.Unnamed(synth.Troubled(s), synth.ReceiptsOnly))
	}, 0.99, 0.975},
	{"receipts, stamps at the end", func(s uint64) synth.Config {
		return synth.StampsAtEnd(synth.Unnamed(synth.Troubled(s), synth.ReceiptsOnly))
	}, 0.99, 0.975},
	{"receipts, by the minute", func(s uint64) synth.Config {
		return synth.ByTheMinute(synth.Unnamed(synth.Troubled(s), synth.ReceiptsOnly))
	}, 0.99, 0.975},
	{"no ids, clock 90 s off", func(s uint64) synth.Config {
		return synth.ClockOff(synth.Unnamed(synth.Troubled(s), synth.NoSharedIDs))
	}, 0.985, 0.96},
	{"no ids, stamps at the end", func(s uint64) synth.Config {
		return synth.StampsAtEnd(synth.Unnamed(synth.Troubled(s), synth.NoSharedIDs))
	}, 0.98, 0.95},
	{"no ids, by the minute", func(s uint64) synth.Config {
		return synth.ByTheMinute(synth.Unnamed(synth.Troubled(s), synth.NoSharedIDs))
	}, 0.98, 0.95},
	{"mixed, receipts only", func(s uint64) synth.Config { return synth.Unnamed(synth.Mixed(s), synth.ReceiptsOnly) }, 0.97, 0.9},
	{"mixed, no ids", func(s uint64) synth.Config { return synth.Unnamed(synth.Mixed(s), synth.NoSharedIDs) }, 0.95, 0.85},
}

// TestNothingIsFoundInAQuietWorld: where nothing was paid twice, a bill without any shared id gives not one finding.
func TestNothingIsFoundInAQuietWorld(t *testing.T) {
	for seed := range uint64(max(*tokenWorlds, 1)) {
		for name, c := range map[string]synth.Config{"quiet": quiet(seed), "at the end": synth.StampsAtEnd(withVendor(quiet(seed)))} {
			w := synth.Generate(c)
			var attempts, charges bytes.Buffer
			if err := errors.Join(w.WriteAttempts(&attempts, synth.JSONL), w.WriteCharges(&charges, synth.CSV)); err != nil {
				t.Fatal(err)
			}
			a := auditBytes(t, map[string][]byte{"attempts.jsonl": attempts.Bytes(), "charges.csv": charges.Bytes()}, Options{})
			err := a.Store.Query(context.Background(), `SELECT 'charge', verdict || ' ' || match, count(*) FROM fct_verdicts WHERE verdict <> 'delivered' GROUP BY ALL
				UNION ALL SELECT 'lead', kind, count(*) FROM fct_leads GROUP BY kind
				UNION ALL SELECT 'unbilled', '', count(*) FROM fct_unbilled HAVING count(*) > 0`, func(r *sql.Rows) error {
				var what, kind string
				var n int
				err := r.Scan(&what, &kind, &n)
				t.Errorf("%s, seed %d: found %d × %s %s", name, seed, n, what, kind)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			a.Store.Close()
		}
	}
}

// withVendor names the one vendor that a world has by default, so that it can be changed.
func withVendor(c synth.Config) synth.Config {
	c.Providers = []synth.Provider{{Name: "northwind"}}
	return c
}

// TestTokenWorlds audits labelled worlds whose bill does not know the request id, and holds the money
// called excess, and the confidences, against the truth.
func TestTokenWorlds(t *testing.T) {
	seeds, worlds := *tokenWorlds, worldsWithoutIDs
	if seeds == 0 { // the ordinary run takes the first few, small
		seeds, worlds = 1, worldsWithoutIDs[:4]
	}
	tenths := &claims{}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "world\tcharges\tright\tof the money called excess, right\tof the true excess, found\tleads\tworst")
	for _, kind := range worlds {
		t.Run(strings.ReplaceAll(kind.name, " ", "_"), func(t *testing.T) {
			var sum synth.Scorecard
			lines, right, worst := 0, 0, 1.0
			for seed := range seeds {
				c := kind.make(uint64(seed))
				if *tokenWorlds == 0 {
					c.Requests = min(c.Requests, 1440)
				}
				score := tokenWorldScore(t, c, tenths)
				sum.Called, sum.CalledTrue = sum.Called.Add(score.Called), sum.CalledTrue.Add(score.CalledTrue)
				sum.Excess, sum.Found = sum.Excess.Add(score.Excess), sum.Found.Add(score.Found)
				sum.Leads.Lines += score.Leads.Lines
				lines, right, worst = lines+score.Lines, right+score.Right, min(worst, score.Precision())
			}
			fmt.Fprintf(w, "%s\t%d\t%.4f\t%.4f\t%.4f\t%d\t%.4f\n", kind.name, lines, float64(right)/float64(lines), sum.Precision(), sum.Recall(), sum.Leads.Lines, worst)
			if sum.Precision() < kind.right || sum.Recall() < kind.found {
				t.Errorf("of the money called excess %.4f is right (at least %v), of the true excess %.4f is found (at least %v)",
					sum.Precision(), kind.right, sum.Recall(), kind.found)
			}
		})
	}
	w.Flush()
	t.Logf("\n%s\n%s", table.String(), tenths.table())
}

// tokenWorldScore audits one world, and counts its confidences.
func tokenWorldScore(t *testing.T, c synth.Config, tenths *claims) synth.Scorecard {
	t.Helper()
	return scoreWorld(t, c, tenths.add)
}

// worldScore audits one world.
func worldScore(t *testing.T, c synth.Config) synth.Scorecard {
	t.Helper()
	return scoreWorld(t, c, func(*testing.T, *Audit, []byte) {})
}

// scoreWorld audits one world, shows the audit and the labels to look, and holds the verdicts against the labels.
func scoreWorld(t *testing.T, c synth.Config, look func(*testing.T, *Audit, []byte)) synth.Scorecard {
	t.Helper()
	w := synth.Generate(c)
	var attempts, charges, labels bytes.Buffer
	if err := errors.Join(w.WriteAttempts(&attempts, synth.JSONL), w.WriteCharges(&charges, synth.CSV), w.WriteLabels(&labels)); err != nil {
		t.Fatal(err)
	}
	a := auditBytes(t, map[string][]byte{"attempts.jsonl": attempts.Bytes(), "charges.csv": charges.Bytes()}, Options{})
	defer a.Store.Close()
	if _, err := runChecks(context.Background(), a.Store); err != nil {
		t.Error(err)
	}
	score, err := synth.Score(bytes.NewReader(labels.Bytes()), bytes.NewReader(verdictsCSV(t, a.Store)))
	if err != nil {
		t.Fatal(err)
	}
	if testing.Verbose() {
		for want, row := range score.Confusion {
			for got, n := range row {
				if want != got {
					t.Logf("   %5d %s called %s", n, want, got)
				}
			}
		}
	}
	look(t, a, labels.Bytes())
	return score
}

// claims counts, by tenth of the confidence given, the charges matched by tokens: how sure the
// audit was of them in all, and how many are what it says.
type claims [11]struct {
	charges, right int
	claimed        float64
}

func (c *claims) add(t *testing.T, a *Audit, labels []byte) {
	rows, err := csv.NewReader(bytes.NewReader(labels)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	truth := map[string]string{}
	for _, r := range rows[1:] {
		truth[r[at["source_line"]]] = r[at["verdict"]]
	}
	err = a.Store.Query(context.Background(), `SELECT v.source_line, v.verdict, v.match, m.confidence, m.gives
		FROM fct_verdicts v JOIN int_matches m USING (charge_no) WHERE m.match = 'tokens'`, func(r *sql.Rows) error {
		var line, verdict, match, gives string
		var confidence float64
		if err := r.Scan(&line, &verdict, &match, &confidence, &gives); err != nil {
			return err
		}
		tenth := &c[int(confidence*10)]
		tenth.charges++
		tenth.claimed += confidence
		if match == "tokens" && verdict == truth[line] || match == "lead" && givenBy(truth[line]) == gives {
			tenth.right++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// givenBy is what a charge of a verdict is to its call.
func givenBy(verdict string) string {
	switch verdict {
	case synth.Delivered:
		return "answer"
	case synth.NotBillable:
		return "refusal"
	case synth.Undelivered, synth.Orphan:
		return verdict
	}
	return "excess"
}

func (c *claims) table() string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "confidence\tcharges\tclaimed\tright")
	for i, tenth := range c {
		if n := float64(tenth.charges); n > 0 {
			fmt.Fprintf(w, "0.%d …\t%d\t%.3f\t%.3f\n", i, tenth.charges, tenth.claimed/n, float64(tenth.right)/n)
		}
	}
	w.Flush()
	return b.String()
}
