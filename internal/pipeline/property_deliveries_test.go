package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"retrytax/internal/config"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/internal/synth"
)

// delivery is a file that comes on some night.
type delivery struct {
	name    string
	content []byte
}

func (d delivery) file() File {
	return File{Input: source.BytesInput(d.name, d.content), Role: roleOf(d.name)}
}

// drawDeliveries cuts both sides into files that overlap, repeats some under other names, and
// corrects the amounts of one.
func drawDeliveries(rt *rapid.T, w hostileWorld) (out []delivery) {
	for _, side := range []struct {
		name string
		t    csvTable
	}{{"attempts", w.attempts}, {"charges", w.charges}} {
		n := len(side.t.rows)
		parts := rapid.IntRange(1, 3).Draw(rt, "parts of the "+side.name)
		for i := range parts {
			from := max(0, n*i/parts-rapid.IntRange(0, n/2).Draw(rt, "overlap"))
			part := csvTable{side.t.header, side.t.rows[from : n*(i+1)/parts]}
			out = append(out, delivery{fmt.Sprintf("%s-%d.csv", side.name, i), part.bytes()})
			if rapid.IntRange(0, 3).Draw(rt, "again") == 0 {
				out = append(out, delivery{fmt.Sprintf("%s-%d-again.csv", side.name, i), part.bytes()})
			}
			if side.name == "charges" && rapid.Bool().Draw(rt, "corrected") {
				by := rapid.SampledFrom([]string{"2", "0.5"}).Draw(rt, "factor")
				out = append(out, delivery{fmt.Sprintf("charges-%d-corrected.csv", i), part.mapped(func(v string) string { return times(v, by) }, "amount").bytes()})
			}
		}
	}
	return out
}

func times(v, factor string) string {
	d, err := decimal.NewFromString(v)
	if err != nil || len(v) > 15 {
		return v
	}
	return d.Mul(decimal.RequireFromString(factor)).String()
}

// ingestAll delivers the files on so many nights, and judges what is there in the end.
func ingestAll(rt *rapid.T, t *testing.T, files []delivery, nights int) outcome {
	ctx := context.Background()
	o := Options{Config: config.Default(), Now: testClock, Threads: 1}
	s, err := store.Open(ctx, store.Options{Threads: 1})
	if err != nil {
		rt.Fatal(err)
	}
	defer s.Close()
	l := &Living{Store: s}
	for night := range nights {
		var tonight []File
		for i, d := range files {
			if i*nights/len(files) == night {
				tonight = append(tonight, d.file())
			}
		}
		if _, err := Ingest(ctx, l, tonight, o); err != nil {
			rt.Fatalf("night %d: %v", night, err)
		}
	}
	if err := reconcile(ctx, s, o); err != nil {
		rt.Fatal(err)
	}
	if err := ask(ctx, s, o); err != nil {
		rt.Fatal(err)
	}
	if _, err := runChecks(ctx, s); err != nil {
		rt.Fatal(err)
	}
	return outcome{linesOf(rt, verdictsCSV(t, s)), totalsOf(rt, s)}
}

// Files that overlap, come twice or are corrected give the same books in whatever order and
// on however many nights they are delivered, and as an audit of all of them at once.
func TestOrderOfDeliveriesChangesNothing(t *testing.T) {
	property(t, func(rt *rapid.T, w hostileWorld) {
		files := drawDeliveries(rt, w)
		var all []File
		for _, d := range files {
			all = append(all, d.file())
		}
		once := auditTables(rt, t, all, Options{})
		for range 2 {
			order := rapid.Permutation(files).Draw(rt, "order")
			nights := rapid.IntRange(1, len(files)).Draw(rt, "nights")
			same(rt, once, ingestAll(rt, t, order, nights), "source_file", "source_line")
		}
	})
}

// The same month delivered five times over, in exports that are cut anew each time and overlap, in any order,
// night after night, gives the same books as once.
func TestMonthDeliveredFiveTimes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few audits")
	}
	t.Parallel()
	fewWorlds.Do(func() { setUnasked(t) })
	c := synth.Mixed(5)
	c.Requests, c.Period = 300, 31*24*time.Hour
	w := tables(synth.Generate(c))
	var once []File
	for _, d := range []delivery{{"attempts.csv", w.attempts.bytes()}, {"charges.csv", w.charges.bytes()}} {
		once = append(once, d.file())
	}
	rapid.Check(t, func(rt *rapid.T) {
		want := auditTables(rt, t, once, Options{})
		files := fiveTimes(rt, w)
		same(rt, want, ingestAll(rt, t, rapid.Permutation(files).Draw(rt, "order"), rapid.IntRange(1, 6).Draw(rt, "nights")), "source_file", "source_line")
	})
}

// fiveTimes is both sides whole, and cut four times into files that overlap. (A row that stands twice in one
// file and apart in all others would count once, if no file had it twice.)
func fiveTimes(rt *rapid.T, w hostileWorld) (out []delivery) {
	for again := range 5 {
		for _, side := range []struct {
			name string
			t    csvTable
		}{{"attempts", w.attempts}, {"charges", w.charges}} {
			name, t := side.name, side.t
			parts := 1
			if again > 0 {
				parts = rapid.IntRange(1, 4).Draw(rt, fmt.Sprintf("files of %s, delivery %d", name, again))
			}
			n := len(t.rows)
			for i := range parts {
				from := max(0, n*i/parts-rapid.IntRange(0, n/3).Draw(rt, "overlap"))
				out = append(out, delivery{fmt.Sprintf("%s-%d-%d.csv", name, again, i), csvTable{t.header, t.rows[from : n*(i+1)/parts]}.bytes()})
			}
		}
	}
	slices.SortFunc(out, func(a, b delivery) int { return strings.Compare(a.name, b.name) })
	return out
}
