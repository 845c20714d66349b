package synth

import (
	"testing"

	"pgregory.net/rapid"
)

// facts is what the labels of one call say together.
type facts struct{ delivered, undelivered, hidden, double, single int }

// TestLabelsOfACallAgree: a call was answered or it was not; its hidden retries
// are all of one kind; and what an execution cost is excess only beside a
// delivered one.
func TestLabelsOfACallAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Mixed(rapid.Uint64().Draw(t, "seed"))
		c.Requests, c.MissingAtEnd = 300, 0
		calls := map[int32]*facts{}
		for _, line := range Generate(c).Charges {
			if line.call == Unknown || line.Label.Verdict == DuplicateLine {
				continue
			}
			f := calls[line.call]
			if f == nil {
				f = &facts{}
				calls[line.call] = f
			}
			switch line.Label.Verdict {
			case Delivered:
				f.delivered++
			case Undelivered:
				f.undelivered++
			case DoubleRetry:
				f.double++
			case SDKRetry:
				f.single++
			case Hedged, TimeoutRetry, PartialTokens, ServerErrorRetry:
				f.hidden++
			}
		}
		for call, f := range calls {
			switch {
			case f.delivered > 0 && f.undelivered > 0:
				t.Fatalf("call %d is delivered and undelivered: %+v", call, *f)
			case f.double > 0 && f.single > 0:
				t.Fatalf("call %d multiplies layers and does not: %+v", call, *f)
			case f.delivered == 0 && f.hidden+f.double+f.single > 0:
				t.Fatalf("call %d has excess and no delivery: %+v", call, *f)
			}
		}
	})
}

// TestOneScenario follows a single call whose facts are forced: every execution
// takes longer than the SDK waits, until nothing is left to try.
func TestOneScenario(t *testing.T) {
	c := Config{Seed: 1, Requests: 50, Client: Client{Timeout: 60e9, SDKRetries: 1, SDKTimeout: 200e6, MaxAttempts: 2}}
	w := Generate(c)
	perCall := map[int32]int{}
	for _, line := range w.Charges {
		if perCall[line.call]++; line.Label.Verdict == Undelivered && line.Label.Excess != "0" {
			t.Fatalf("an undelivered charge has excess: %+v", line.Label)
		}
	}
	full := 0
	for _, n := range perCall {
		full += count(n == 4)
	}
	if full < len(perCall)*8/10 {
		t.Errorf("%d of %d calls ran 2 × 2 times", full, len(perCall))
	}
}

// TestLostLines: a charge whose call left no line is unlogged traffic, and a
// call whose answer left no line is not settled; nothing else changes.
func TestLostLines(t *testing.T) {
	whole, torn := Generate(Mixed(2)), Generate(LostLines(2, 0.1))
	if len(torn.Charges) != len(whole.Charges) || len(torn.Attempts) >= len(whole.Attempts) {
		t.Fatalf("%d of %d charges, %d of %d lines", len(torn.Charges), len(whole.Charges), len(torn.Attempts), len(whole.Attempts))
	}
	orphans, unsettled := 0, 0
	for i := range torn.Charges {
		is, was := torn.Charges[i].Label, whole.Charges[i].Label
		switch {
		case is.Verdict == Orphan && was.Verdict != Orphan:
			orphans++
		case is.Verdict != was.Verdict:
			t.Fatalf("%s became %s", was.Verdict, is.Verdict)
		case was.Settled && !is.Settled:
			unsettled++
		}
	}
	if orphans == 0 || unsettled == 0 {
		t.Errorf("%d orphans, %d unsettled", orphans, unsettled)
	}
}

// TestLateBill: the bill's last hour is missing, and the calls that reach into
// it are not settled.
func TestLateBill(t *testing.T) {
	c := AppRetries(5)
	c.Requests, c.MissingAtEnd = 60_000, 3600e9
	cut := c.withDefaults().Start.UnixMilli() + 23*3_600_000
	unsettled := 0
	for _, line := range Generate(c).Charges {
		if line.ChargedAt > cut {
			t.Fatalf("a charge of the missing hour: %+v", line)
		}
		if !line.Label.Settled {
			unsettled++
			if cut-line.ChargedAt > 10*60_000 {
				t.Fatalf("unsettled %d s before the end of the bill", (cut-line.ChargedAt)/1000)
			}
		}
	}
	if unsettled == 0 {
		t.Error("no call reached into the missing hour")
	}
}

func TestCopiesAreCloseAndEqual(t *testing.T) {
	c := AppRetries(5)
	c.Copies = 0.1
	seen, copies := map[int32]map[int32]AttemptLine{}, 0
	for _, a := range Generate(c).Attempts {
		if seen[a.call] == nil {
			seen[a.call] = map[int32]AttemptLine{}
		}
		first, again := seen[a.call][a.number]
		if !again {
			seen[a.call][a.number] = a
			continue
		}
		copies++
		if d := a.StartedAt - first.StartedAt; d < 0 || d > 40 || a.ElapsedMS != first.ElapsedMS {
			t.Fatalf("a copy %d ms later: %+v", d, a)
		}
	}
	if copies == 0 {
		t.Error("no copies")
	}
}
