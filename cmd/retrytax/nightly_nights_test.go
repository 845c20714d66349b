//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"retrytax/internal/nightly"
	"retrytax/internal/parts"
	"retrytax/internal/ui"
)

// TestFiveNights drives five nights with what happens to nights: one is killed, one lacks its log, a
// bill comes two nights late, two runs overlap. The books are those of one audit.
func TestFiveNights(t *testing.T) {
	parts.Later(t)
	s := newStage(t, 5, 1000)

	s.deliverLog(1)
	s.deliverBill(1)
	r := s.run(1)
	if r.Exit != ui.OK || r.Night != "2026-10-02" || r.Ingest.Attempts == 0 || len(r.Missing) != 0 {
		t.Errorf("night 1: %+v", r)
	}
	for _, f := range []string{"reports/2026-10/report.xlsx", "reports/2026-10-01/verdicts.csv", "retrytax.prom"} {
		if _, err := os.Stat(s.path(f)); err != nil {
			t.Error(err)
		}
	}

	s.deliverLog(2)
	s.deliverBill(2)
	s.killed(2, 150*time.Millisecond)

	// It goes on where the killed run was; its own bill is late.
	s.deliverLog(3)
	if r := s.run(3); r.State != "done" || len(r.Missing) != 0 || !slices.ContainsFunc(r.Reports, func(x nightly.Report) bool { return x.Period == "2026-10" }) {
		t.Errorf("night 3: %+v", r)
	}

	// Its log is missing, and somebody runs it a second time.
	s.deliverBill(4)
	if r := s.run(4); r.Exit != ui.Found || !slices.Equal(r.Missing, []string{"logs/app-*.jsonl"}) {
		t.Errorf("night 4: %+v", r)
	}
	again := s.run(4)
	if len(again.Alerts) == 0 || slices.ContainsFunc(again.Alerts, func(a nightly.Alert) bool { return a.State != "already_sent" }) {
		t.Errorf("night 4 again: %+v", again)
	}

	s.deliverLog(4)
	s.deliverLog(5)
	s.deliverBill(5)
	s.deliverBill(3)
	first, second := s.overlapped(5)
	if second.Exit != ui.InUse || second.State != "in_use" || !strings.Contains(second.Error, "retrytax nightly (process ") {
		t.Errorf("the second run: %+v", second)
	}
	if first.State != "done" || len(first.Missing) != 0 {
		t.Errorf("the first run: %+v", first)
	}

	s.compare()
	told := s.toldOnce()
	if !slices.Contains(told, "2026-10-05 missing_input") {
		t.Errorf("told: %v", told)
	}
	if left, _ := filepath.Glob(s.path(".retrytax-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
