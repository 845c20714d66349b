package pipeline

import (
	"bytes"
	"flag"
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"retrytax/internal/synth"
)

var stampWorlds = flag.Int("stamp-worlds", 0, "how many seeds of each world to audit as they are, and with other stamps; 0: two seeds of the first, by the minute")

// Worlds whose bill knows the request id, or the receipts of what was answered.
var worldsWithIDs = []struct {
	name  string
	plain bool
	make  func(seed uint64) synth.Config
}{
	{"ids", true, func(s uint64) synth.Config { c := synth.Troubled(s); c.Numbers = false; return c }},
	{"receipts", true, func(s uint64) synth.Config { return synth.Unnamed(synth.Troubled(s), synth.ReceiptsOnly) }},
	{"ids, app retries", false, func(s uint64) synth.Config { return withVendor(synth.AppRetries(s)) }},
	{"ids, hidden sdk", false, func(s uint64) synth.Config { return withVendor(synth.HiddenSDK(s)) }},
	{"ids, layers", false, func(s uint64) synth.Config { return withVendor(synth.Layers(s)) }},
	{"ids, fallback", false, synth.Fallback},
	{"ids, fan-out", false, func(s uint64) synth.Config { return withVendor(synth.FanOut(s)) }},
	{"ids, hedging", false, func(s uint64) synth.Config { return withVendor(synth.Hedging(s)) }},
	{"ids, server errors", false, func(s uint64) synth.Config { return withVendor(synth.ServerErrors(s)) }},
	{"ids, mixed", false, synth.Mixed},
	{"receipts, mixed", false, func(s uint64) synth.Config { return synth.Unnamed(synth.Mixed(s), synth.ReceiptsOnly) }},
}

// The same traffic on a bill of other stamps.
var otherStamps = []struct {
	name   string
	change func(synth.Config) synth.Config
}{
	{"clock 90 s off", synth.ClockOff},
	{"at the end", synth.StampsAtEnd},
	{"by the second", func(c synth.Config) synth.Config { return synth.Coarse(c, time.Second) }},
	{"by the minute", synth.ByTheMinute},
	{"by the minute, at the end", func(c synth.Config) synth.Config { return synth.ByTheMinute(synth.StampsAtEnd(c)) }},
}

// stampTally sums what was right over seeds. Swapped are retries of a timed-out attempt that took each other's place: which
// of two executions began first, and so is the attempt's own, a stamp at the end or of a minute does not tell. They are
// excess of the same money under either name.
type stampTally struct {
	lines, right, swapped int
	money                 synth.Scorecard
}

func (s *stampTally) add(score synth.Scorecard) {
	s.lines, s.right = s.lines+score.Lines, s.right+score.Right
	for _, own := range []string{synth.TimeoutRetry, synth.PartialTokens, synth.ServerErrorRetry} {
		s.swapped += score.Confusion[own][synth.DoubleRetry] + score.Confusion[synth.DoubleRetry][own]
	}
	m := &s.money
	m.Called, m.CalledTrue = m.Called.Add(score.Called), m.CalledTrue.Add(score.CalledTrue)
	m.Excess, m.Found = m.Excess.Add(score.Excess), m.Found.Add(score.Found)
}

// shares are the verdicts that are right, those with what was swapped, the money called excess that is right, and the
// true excess that is found.
func (s *stampTally) shares() [4]float64 {
	n := float64(s.lines)
	return [4]float64{float64(s.right) / n, float64(s.right+s.swapped) / n, s.money.Precision(), s.money.Recall()}
}

// TestOtherStamps audits worlds as they are, and with the same charges stamped otherwise: what the bill's clock
// does must cost no more than half a point. Of a day of about a call a minute that holds for every verdict, in the harder worlds
// but for what is swapped.
func TestOtherStamps(t *testing.T) {
	seeds, worlds, stamps := *stampWorlds, worldsWithIDs, otherStamps
	if seeds == 0 { // the ordinary run takes two days, the second with an SDK that retries, by the minute
		seeds, worlds, stamps = 2, worlds[:1], stamps[3:4]
	}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "world\tstamps\tverdicts right\tbut for what is swapped\tof the money called excess, right\tof the true excess, found")
	for _, kind := range worlds {
		t.Run(strings.ReplaceAll(kind.name, " ", "_"), func(t *testing.T) {
			tallies := make([]stampTally, 1+len(stamps))
			for seed := range seeds {
				c := kind.make(uint64(seed))
				tallies[0].add(worldScore(t, c))
				for i, s := range stamps {
					tallies[i+1].add(worldScore(t, s.change(c)))
				}
			}
			before := tallies[0].shares()
			fmt.Fprintf(w, "%s\tas they are\t%.4f\t%.4f\t%.4f\t%.4f\n", kind.name, before[0], before[1], before[2], before[3])
			for i, s := range stamps {
				after := tallies[i+1].shares()
				fmt.Fprintf(w, "%s\t%s", kind.name, s.name)
				for j, what := range []string{"verdicts right", "verdicts right but for what is swapped", "money called excess, right", "true excess, found"} {
					fmt.Fprintf(w, "\t%.4f (%+.2f)", after[j], 100*(after[j]-before[j]))
					if after[j] < before[j]-0.005 && (j > 0 || kind.plain) {
						t.Errorf("%s: %s fell from %.4f to %.4f, more than half a point", s.name, what, before[j], after[j])
					}
				}
				fmt.Fprintln(w)
			}
		})
	}
	w.Flush()
	t.Logf("\n%s", table.String())
}
