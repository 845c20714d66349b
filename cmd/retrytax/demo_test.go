package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// demoScores is what the test reads of retrytax demo --json.
type demoScores struct {
	Scores struct {
		Excess   struct{ Precision, Recall float64 }
		Disputes struct{ Precision, Recall float64 }
		Verdicts []struct {
			Verdict           string
			True              struct{ Lines int }
			Precision, Recall float64
		}
	}
}

// TestDemo makes the default month, and holds its audit to what a user is promised: every
// verdict, recovery and tier occurs, what is claimed is so, and what is so is found.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("takes an audit of 20 000 requests")
	}
	dir := filepath.Join(t.TempDir(), "month")
	cmd := exec.Command("retrytax", "demo", dir, "--json", "--no-workbook")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var said demoScores
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatal(err)
	}
	floor := func(what string, found, least float64) {
		if found < least {
			t.Errorf("%s: found %.5f, expected at least %v", what, found, least)
		}
	}
	floor("precision of the excess by money", said.Scores.Excess.Precision, 0.995)
	floor("recall of the excess by money", said.Scores.Excess.Recall, 0.99)
	floor("precision of the disputes by money", said.Scores.Disputes.Precision, 0.995)
	floor("recall of the disputes by money", said.Scores.Disputes.Recall, 0.95)
	for _, v := range said.Scores.Verdicts {
		if v.True.Lines == 0 {
			t.Errorf("no %s in the month, expected every verdict", v.Verdict)
		}
		if v.True.Lines >= 200 { // of few lines one moves the share
			floor("precision of "+v.Verdict, v.Precision, 0.9)
			floor("recall of "+v.Verdict, v.Recall, 0.9)
		}
	}
	inAudit(t, filepath.Join(dir, "report", "audit.json"))
}

// inAudit asserts that every tier and every recovery occurs in an audit.
func inAudit(t *testing.T, path string) {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var audit struct {
		Verdicts []struct {
			Verdict, Recovery string
			Charges           int
		}
		Tiers []struct {
			Match   string
			Charges int
		}
	}
	if err := json.Unmarshal(b, &audit); err != nil {
		t.Fatal(err)
	}
	charges := map[string]int{}
	for _, v := range audit.Verdicts {
		charges[v.Recovery] += v.Charges
	}
	for _, tier := range audit.Tiers {
		charges["tier "+tier.Match] += tier.Charges
	}
	for _, what := range []string{"vendor_dispute", "own_policy", "none", "tier receipt", "tier attempt", "tier request", "tier none"} {
		if charges[what] == 0 {
			t.Errorf("no charge with %s in the audit, expected some: %v", what, charges)
		}
	}
}
