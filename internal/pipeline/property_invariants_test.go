package pipeline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/csv"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	_ "retrytax/internal/drawn"

	"retrytax/internal/config"
	"retrytax/internal/source"
	"retrytax/internal/store"
)

// outcome is what a run says of an input: its verdict lines as maps, and its totals.
type outcome struct {
	lines  []map[string]string
	totals map[string]string // "all/bill USD excess" → amount
}

// property checks a property over drawn worlds: a few, or as many as -rapid.checks asks.
func property(t *testing.T, check func(rt *rapid.T, w hostileWorld)) {
	if testing.Short() {
		t.Skip("each world takes an audit or two")
	}
	t.Parallel()
	fewWorlds.Do(func() { setUnasked(t) })
	var last hostileWorld
	defer func() {
		if t.Failed() {
			last.dump(t)
		}
	}()
	rapid.Check(t, func(rt *rapid.T) {
		last = drawWorld(rt)
		check(rt, last)
	})
}

// fewWorlds keeps an ordinary test run short: one world for each property, by drawn's seed the same each time. Whoever asks
// for more, or for another seed, with rapid's own flags gets it.
var fewWorlds sync.Once

func setUnasked(t *testing.T) {
	asked := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { asked[f.Name] = true })
	for name, value := range map[string]string{"rapid.checks": "1", "rapid.shrinktime": "20s"} {
		if asked[name] {
			continue
		}
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
}

// tableFile is one input of a property, under a fixed name.
func tableFile(name string, t csvTable) File {
	return File{Input: source.BytesInput(name, t.bytes()), Role: roleOf(name)}
}

func roleOf(name string) source.Role {
	if strings.HasPrefix(name, "charges") {
		return source.Charges
	}
	return source.Attempts
}

func (w hostileWorld) files() []File {
	return []File{tableFile("attempts.csv", w.attempts), tableFile("charges.csv", w.charges)}
}

// auditTables audits files and fails where a check fails.
func auditTables(rt *rapid.T, t *testing.T, files []File, o Options) outcome {
	ctx := context.Background()
	o.Config, o.Now, o.Threads = config.Default(), testClock, 2
	s, err := store.Open(ctx, store.Options{Threads: 1})
	if err != nil {
		rt.Fatal(err)
	}
	defer s.Close()
	a, err := Run(ctx, s, files, o)
	if err != nil {
		rt.Fatalf("the audit failed: %v", err)
	}
	if _, err := runChecks(ctx, a.Store); err != nil {
		rt.Fatal(err)
	}
	return outcome{linesOf(rt, verdictsCSV(t, s)), totalsOf(rt, s)}
}

func linesOf(rt *rapid.T, verdicts []byte) []map[string]string {
	rows, err := csv.NewReader(strings.NewReader(string(verdicts))).ReadAll()
	if err != nil {
		rt.Fatal(err)
	}
	var out []map[string]string
	for _, r := range rows[min(1, len(rows)):] {
		line := map[string]string{}
		for i, name := range rows[0] {
			line[name] = r[i]
		}
		out = append(out, line)
	}
	return out
}

func totalsOf(rt *rapid.T, s *store.Store) map[string]string {
	out := map[string]string{}
	err := s.Query(context.Background(), `UNPIVOT (SELECT provider_book || ' ' || currency AS party, CAST(COLUMNS(c -> c IN ('billed', 'delivered', 'excess',
		'undelivered', 'orphan', 'unsettled', 'adjustments', 'excess_net')) AS VARCHAR) FROM rpt_totals) ON * EXCLUDE (party) INTO NAME part VALUE amount`,
		func(r *sql.Rows) error {
			var party, part, amount string
			err := r.Scan(&party, &part, &amount)
			out[party+" "+part] = trimmed(amount)
			return err
		})
	if err != nil {
		rt.Fatal(err)
	}
	return out
}

// without is the lines without some columns, in an order that hangs on nothing else.
func (o outcome) without(columns ...string) []string {
	var out []string
	for _, l := range o.lines {
		var cells []string
		for _, name := range slices.Sorted(maps.Keys(l)) {
			if !slices.Contains(columns, name) {
				cells = append(cells, name+"="+l[name])
			}
		}
		out = append(out, strings.Join(cells, " "))
	}
	slices.Sort(out)
	return out
}

// same compares two runs but for some columns of the verdicts.
func same(rt *rapid.T, a, b outcome, columns ...string) {
	if d := diff.Diff(a.totals, b.totals); d != "" {
		rt.Errorf("totals (-before +after):\n%s", d)
	}
	x, y := a.without(columns...), b.without(columns...)
	only := func(p, q []string) (out []string) {
		for _, l := range p {
			if _, found := slices.BinarySearch(q, l); !found {
				out = append(out, l)
			}
		}
		return out[:min(6, len(out))]
	}
	if !slices.Equal(x, y) {
		rt.Errorf("verdicts differ\n  before: %s\n  after:  %s", strings.Join(only(x, y), "\n          "), strings.Join(only(y, x), "\n          "))
	}
}

// TestEveryLineHasOneVerdict adds the bill up without the help of any query.
func TestEveryLineHasOneVerdict(t *testing.T) {
	property(t, func(rt *rapid.T, w hostileWorld) {
		o := auditTables(rt, t, w.files(), Options{})
		seen := map[string]int{}
		for _, l := range o.lines {
			seen[l["source_line"]]++
		}
		billed := map[string]decimal.Decimal{}
		for i, r := range w.charges.rows {
			if n := seen[fmt.Sprint(i+2)]; n != 1 {
				rt.Errorf("line %d of the bill has %d verdicts", i+2, n)
			}
			key := fmt.Sprintf("all/%s %s billed", cmp.Or(r[w.charges.col("book")], "bill"), cmp.Or(r[w.charges.col("currency")], "XXX"))
			billed[key] = billed[key].Add(amountOf(r[w.charges.col("amount")]))
		}
		for key, sum := range billed {
			if !sum.Equal(amountOf(o.totals[key])) {
				rt.Errorf("%s: found %s, expected %s", key, o.totals[key], sum)
			}
		}
		addsUp(rt, o)
	})
}

// addsUp holds the identity of the ledger, party by party, and once more from the lines.
func addsUp(rt *rapid.T, o outcome) {
	parts := map[string]decimal.Decimal{} // of all providers, from the lines
	for _, l := range o.lines {
		amount, excess := amountOf(l["amount"]), amountOf(l["excess"])
		party := "all/" + l["book"] + " " + l["currency"] + " "
		part := "delivered"
		switch {
		case l["settled"] != "true":
			part = "unsettled"
		case l["verdict"] == "adjustment":
			part = "adjustments"
		case l["verdict"] == "orphan" || l["verdict"] == "undelivered":
			part = l["verdict"]
		case l["verdict"] != "delivered":
			part = "excess"
			if !excess.Equal(amount) {
				rt.Errorf("%v: found an excess of %s, expected the amount", l, excess)
			}
		}
		parts[party+part] = parts[party+part].Add(amount)
	}
	for key, billed := range o.totals {
		party, ok := strings.CutSuffix(key, "billed")
		if !ok {
			continue
		}
		sum := decimal.Zero
		for _, part := range []string{"delivered", "excess", "undelivered", "orphan", "unsettled", "adjustments"} {
			v := amountOf(o.totals[party+part])
			sum = sum.Add(v)
			if lines, all := parts[party+part], strings.HasPrefix(party, "all/"); all && !lines.Equal(v) {
				rt.Errorf("%s%s: found %s, expected %s, as the lines add up", party, part, v, lines)
			}
		}
		if !sum.Equal(amountOf(billed)) {
			rt.Errorf("%s: the parts add up to %s, expected %s", key, sum, billed)
		}
	}
}

func amountOf(text string) decimal.Decimal {
	if text == "" {
		return decimal.Zero
	}
	return decimal.RequireFromString(text)
}

func TestOrderOfLinesChangesNothing(t *testing.T) {
	property(t, func(rt *rapid.T, w hostileWorld) {
		v := hostileWorld{w.attempts.clone(), w.charges.clone()}
		v.attempts.rows = rapid.Permutation(v.attempts.rows).Draw(rt, "attempts")
		v.charges.rows = rapid.Permutation(v.charges.rows).Draw(rt, "charges")
		same(rt, auditTables(rt, t, w.files(), Options{}), auditTables(rt, t, v.files(), Options{}), "source_line")
	})
}

func TestOrderOfFilesChangesNothing(t *testing.T) {
	property(t, func(rt *rapid.T, w hostileWorld) {
		a := rapid.IntRange(0, len(w.attempts.rows)).Draw(rt, "cut of the log")
		c := rapid.IntRange(0, len(w.charges.rows)).Draw(rt, "cut of the bill")
		part := func(t csvTable, from, to int) csvTable { return csvTable{t.header, t.rows[from:to]} }
		overlap := max(0, c-rapid.IntRange(0, 5).Draw(rt, "overlap"))
		files := func() []File {
			return []File{tableFile("attempts-1.csv", part(w.attempts, 0, a)), tableFile("attempts-2.csv", part(w.attempts, a, len(w.attempts.rows))),
				tableFile("charges-1.csv", part(w.charges, 0, c)), tableFile("charges-2.csv", part(w.charges, overlap, len(w.charges.rows)))}
		}
		same(rt, auditTables(rt, t, files(), Options{}), auditTables(rt, t, rapid.Permutation(files()).Draw(rt, "files"), Options{}))
	})
}

func TestLongWayAgreesWithShortWay(t *testing.T) {
	property(t, func(rt *rapid.T, w hostileWorld) {
		same(rt, auditTables(rt, t, w.files(), Options{}), auditTables(rt, t, w.files(), Options{Careful: true}))
	})
}

func TestOtherRequestIDsAreTheSame(t *testing.T) {
	renamed := func(v string) string {
		if strings.Trim(v, "0-") == "" || slices.Contains([]string{"None", "null", "N/A"}, v) {
			return v
		}
		return fmt.Sprintf("r%x", sha256.Sum256([]byte(v)))[:24]
	}
	property(t, func(rt *rapid.T, w hostileWorld) {
		before := auditTables(rt, t, w.files(), Options{})
		for _, l := range before.lines {
			l["request_id"] = renamed(l["request_id"])
		}
		v := hostileWorld{w.attempts.mapped(renamed, "request_id"), w.charges.mapped(renamed, "request_id")}
		same(rt, before, auditTables(rt, t, v.files(), Options{}))
	})
}

func TestTheSameFileTwiceCountsOnce(t *testing.T) {
	property(t, func(rt *rapid.T, w hostileWorld) {
		again := append(w.files(), tableFile("attempts.later.csv", w.attempts), tableFile("charges.later.csv", w.charges))
		same(rt, auditTables(rt, t, w.files(), Options{}), auditTables(rt, t, again, Options{}))
	})
}
