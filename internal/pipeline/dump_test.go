package pipeline

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"flag"
	"fmt"
	"strings"
	"testing"

	"retrytax/internal/synth"
)

var (
	dumpSeed   = flag.Int("dump", -1, "show the mistakes in a mixed world of this seed")
	dumpLost   = flag.Float64("dumplost", 0, "share of lost lines in it")
	dumpMost   = flag.Int("dumpmost", 6, "how many")
	dumpCalled = flag.Bool("dumpcalled", false, "only what was wrongly called excess")
	dumpWorld  = flag.String("dumpworld", "", "fan-out, hedging, other calls, or a world of TestTokenWorlds or TestOtherStamps by its name, instead of mixed")
	dumpStamps = flag.String("dumpstamps", "", "its stamps as TestOtherStamps names them")
	dumpKind   = flag.String("dumpkind", "", "only these: TRUE>CALLED")
)

// TestDump shows what the rules got wrong in one mixed world, line by line; for people.
func TestDump(t *testing.T) {
	if *dumpSeed < 0 {
		return // nothing to check: -dump SEED shows a person the mistakes in a mixed world
	}
	c := synth.Mixed(uint64(*dumpSeed))
	switch {
	case *dumpLost > 0:
		c = synth.LostLines(uint64(*dumpSeed), *dumpLost)
	case *dumpWorld == "fan-out":
		c = synth.FanOut(uint64(*dumpSeed))
	case *dumpWorld == "hedging":
		c = synth.Hedging(uint64(*dumpSeed))
	case *dumpWorld == "other calls":
		c = synth.OtherCalls(uint64(*dumpSeed))
	}
	for _, w := range worldsWithoutIDs {
		if w.name == *dumpWorld {
			c = w.make(uint64(*dumpSeed))
		}
	}
	for _, w := range worldsWithIDs {
		if w.name == *dumpWorld {
			c = w.make(uint64(*dumpSeed))
		}
	}
	for _, s := range otherStamps {
		if s.name == *dumpStamps {
			c = s.change(c)
		}
	}
	w := synth.Generate(c)
	// the same charges, under the ids that the vendor did not see
	named := c
	named.NoRequestIDs = false
	requests := map[string]string{}
	for i, x := range synth.Generate(named).Charges {
		requests[fmt.Sprint(i+2)] = x.RequestID
	}
	var attempts, charges, labels bytes.Buffer
	_ = w.WriteAttempts(&attempts, synth.JSONL)
	_ = w.WriteCharges(&charges, synth.CSV)
	_ = w.WriteLabels(&labels)
	a := auditBytes(t, map[string][]byte{"attempts.jsonl": attempts.Bytes(), "charges.csv": charges.Bytes()}, Options{})
	defer a.Store.Close()
	lab, _ := csv.NewReader(&labels).ReadAll()
	ver, _ := csv.NewReader(bytes.NewReader(verdictsCSV(t, a.Store))).ReadAll()
	vcol := map[string]int{}
	for i, n := range ver[0] {
		vcol[n] = i
	}
	byLine := map[string][]string{}
	for _, v := range ver[1:] {
		byLine[v[vcol["source_line"]]] = v
	}
	truth := map[string][]string{}
	shown := map[string]bool{}
	for _, l := range lab[1:] {
		truth[l[0]] = l
	}
	fmt.Printf("%+v\n", c)
	_ = a.Store.Query(context.Background(), "SELECT CAST(to_json(k) AS VARCHAR) FROM int_calibrations k", func(r *sql.Rows) error {
		var x string
		err := r.Scan(&x)
		fmt.Println("K", x)
		return err
	})
	n := 0
	chargeLines := strings.Split(charges.String(), "\n")
	attemptLines := strings.Split(attempts.String(), "\n")
	for _, l := range lab[1:] {
		v := byLine[l[0]]
		kind := l[3] + ">" + v[vcol["verdict"]]
		if l[3] == v[vcol["verdict"]] || (*dumpKind != "" && kind != *dumpKind) {
			continue
		}
		if *dumpCalled && (v[vcol["excess"]] == "0" || v[vcol["settled"]] != "true" || l[5] != "0") {
			continue
		}
		rid := requests[l[0]]
		if shown[rid] || n >= *dumpMost {
			continue
		}
		shown[rid] = true
		n++
		fmt.Printf("\n=== %s %s\n%s\n", kind, rid, chargeLines[0])
		for _, x := range attemptLines {
			if strings.Contains(x, rid) {
				fmt.Println("  A", x)
			}
		}
		for i, x := range chargeLines {
			k := fmt.Sprint(i + 1)
			if rid != "" && requests[k] == rid {
				fmt.Println("  C", x, "  TRUE", truth[k][3], truth[k][6], "CALLED", byLine[k][vcol["verdict"]], byLine[k][vcol["reason"]], byLine[k][vcol["match"]], byLine[k][vcol["confidence"]], byLine[k][vcol["settled"]])
			}
		}
	}
}
