package synth

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	_ "retrytax/internal/drawn"
)

var presets = map[string]func(uint64) Config{
	"app_retries": AppRetries, "hidden_sdk": HiddenSDK, "fallback": Fallback, "hedging": Hedging, "id_reuse": IDReuse,
	"fan_out": FanOut, "other_calls": OtherCalls, "billed_refusals": BilledRefusals, "duplicate_lines": DuplicateLines,
	"orphans": Orphans, "dedup": Dedup, "server_errors": ServerErrors, "layers": Layers, "stream_tail": StreamTail,
	"no_ids": NoIDs, "mixed": Mixed,
}

// digest is the hash of everything that a world writes.
func digest(t testing.TB, c Config) string {
	t.Helper()
	w, h := Generate(c), sha256.New()
	for _, err := range []error{
		w.WriteAttempts(h, JSONL), w.WriteAttempts(h, CSV), w.WriteAttempts(h, Logfmt),
		w.WriteCharges(h, CSV), w.WriteCharges(h, JSONL), w.WriteLabels(h),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func TestOneConfigIsOneWorld(t *testing.T) {
	for name, preset := range presets {
		first, again := digest(t, preset(7)), digest(t, preset(7))
		if first != again {
			t.Errorf("%s: the same seed gave two worlds", name)
		}
		if first == digest(t, preset(8)) {
			t.Errorf("%s: two seeds gave the same world", name)
		}
	}
}

func TestCleanWorldHasOnlyDelivered(t *testing.T) {
	w := Generate(Clean())
	if len(w.Charges) < 1800 || len(w.Charges) != len(w.Attempts) {
		t.Fatalf("%d attempts, %d charges", len(w.Attempts), len(w.Charges))
	}
	for _, c := range w.Charges {
		if c.Label != (Label{Delivered, NoRecovery, "0", true, ""}) {
			t.Fatalf("%s is %+v", c.ChargeID, c.Label)
		}
	}
}

// recoveries is the table of verdicts: who gets the money back, and whether the
// amount is excess.
var recoveries = map[string]struct {
	recovery string
	excess   bool
}{
	Adjustment: {NoRecovery, false}, DuplicateLine: {VendorDispute, true}, Orphan: {NoRecovery, false},
	NotBillable: {VendorDispute, true}, Delivered: {NoRecovery, false}, Hedged: {OwnPolicy, true},
	Undelivered: {OwnPolicy, false}, DoubleRetry: {OwnPolicy, true}, SDKRetry: {OwnPolicy, true},
	PartialTokens: {OwnPolicy, true}, TimeoutRetry: {OwnPolicy, true}, ServerErrorRetry: {OwnPolicy, true},
}

// TestLabelsAddUpToTheBill: every line has one label of the table, the parts
// sum to the whole, and the excess of a line is its amount or nothing.
func TestLabelsAddUpToTheBill(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Mixed(rapid.Uint64().Draw(t, "seed"))
		c.Requests = 300
		c.Lost = rapid.SampledFrom([]float64{0, 0.05, 0.5, 1}).Draw(t, "lost")
		w := Generate(c)
		billed, parts := decimal.Zero, map[string]decimal.Decimal{}
		for _, line := range w.Charges {
			billed = billed.Add(line.Amount.Decimal())
			parts[line.Label.Verdict] = parts[line.Label.Verdict].Add(line.Amount.Decimal())
			row, ok := recoveries[line.Label.Verdict]
			if !ok || line.Label.Recovery != row.recovery {
				t.Fatalf("%s: label %+v is not in the table", line.ChargeID, line.Label)
			}
			want := decimal.Zero
			if row.excess {
				want = line.Amount.Decimal()
			}
			if got := decimal.RequireFromString(line.Label.Excess); !got.Equal(want) {
				t.Fatalf("%s: excess %s of %s as %s", line.ChargeID, got, line.Amount, line.Label.Verdict)
			}
			if (line.Kind == "usage") == (line.Label.Verdict == Adjustment) {
				t.Fatalf("%s: a %s is called %s", line.ChargeID, line.Kind, line.Label.Verdict)
			}
		}
		for _, part := range parts {
			billed = billed.Sub(part)
		}
		if !billed.IsZero() {
			t.Fatalf("%s of the bill has no label", billed)
		}
		if c.Lost == 1 {
			for verdict := range parts {
				if verdict != Orphan && verdict != Adjustment && verdict != DuplicateLine {
					t.Fatalf("%s without a single log line", verdict)
				}
			}
		}
	})
}

func TestEveryVerdictOccurs(t *testing.T) {
	seen, unsettled := map[string]int{}, 0
	for seed := range uint64(12) {
		for _, c := range Generate(Mixed(seed)).Charges {
			seen[c.Label.Verdict]++
			unsettled += count(!c.Label.Settled)
		}
	}
	for verdict := range recoveries {
		if seen[verdict] == 0 {
			t.Errorf("no %s in twelve mixed worlds", verdict)
		}
	}
	if unsettled == 0 {
		t.Error("nothing is unsettled in twelve mixed worlds")
	}
	t.Log(seen, "unsettled", unsettled)
}

// TestSingleTroubles: a preset shows its trouble, and no verdict that belongs to
// another.
func TestSingleTroubles(t *testing.T) {
	base := []string{Delivered, TimeoutRetry, Undelivered}
	cases := map[string][]string{
		"app_retries": nil, "hidden_sdk": {SDKRetry, DoubleRetry}, "layers": {SDKRetry, DoubleRetry},
		"fallback": {PartialTokens}, "hedging": {Hedged}, "id_reuse": nil, "fan_out": nil, "other_calls": {Orphan},
		"billed_refusals": {NotBillable}, "duplicate_lines": {DuplicateLine, Adjustment}, "orphans": {Orphan},
		"server_errors": {ServerErrorRetry}, "no_ids": nil,
	}
	for name, extra := range cases {
		seen := map[string]int{}
		for _, c := range Generate(presets[name](3)).Charges {
			seen[c.Label.Verdict]++
		}
		want := slices.Sorted(slices.Values(append(slices.Clone(base), extra...)))
		if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, seen, want)
		}
	}
}

// TestDedupBillsOnce: with keys honoured and one model a call, no call has two
// charges, and what stands in for the answer is delivered.
func TestDedupBillsOnce(t *testing.T) {
	calls, reasons := map[int32]int{}, map[string]int{}
	for _, c := range Generate(Dedup(3)).Charges {
		if calls[c.call]++; calls[c.call] > 1 {
			t.Fatalf("call %d was billed twice", c.call)
		}
		reasons[c.Label.Verdict+" "+c.Label.Reason]++
	}
	if reasons["delivered stands_in"] == 0 || reasons["timeout_retry "] > 0 {
		t.Error(reasons)
	}
}

func TestLostTailsAreDelivered(t *testing.T) {
	lost := 0
	for _, c := range Generate(StreamTail(3)).Charges {
		if c.Label.Reason == "tail_lost" {
			lost++
			if c.Label.Verdict != Delivered {
				t.Fatalf("%+v", c.Label)
			}
		}
	}
	if lost == 0 {
		t.Error("no tail was lost")
	}
}

func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		c := Mixed(1)
		c.Requests = 100_000
		Generate(c)
	}
}

func BenchmarkWrite(b *testing.B) {
	c := Mixed(1)
	c.Requests = 100_000
	w := Generate(c)
	for b.Loop() {
		if err := w.WriteAttempts(io.Discard, JSONL); err != nil {
			b.Fatal(err)
		}
		if err := w.WriteCharges(new(bytes.Buffer), CSV); err != nil {
			b.Fatal(err)
		}
	}
}
