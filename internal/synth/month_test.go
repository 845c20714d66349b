package synth

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

var october = time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)

// TestCompanyHasEverything: the default month has every verdict with every recovery that it
// can have, every reason, and every kind of line.
func TestCompanyHasEverything(t *testing.T) {
	seen := map[string]int{}
	err := Company(1, october, 20_000).Run(func(d *Day) error {
		for _, bill := range d.Bills {
			for _, c := range bill {
				seen[c.Label.Verdict+" "+c.Label.Recovery]++
				seen["reason "+c.Label.Reason]++
				seen["kind "+c.Kind]++
				if !c.Label.Settled {
					seen["unsettled"]++
				}
				if c.Kind == "refund" && c.RequestID != "" {
					seen["refund that names a request"]++
				}
				if c.LineItem != "" {
					seen["line items"]++
				}
				if c.Attempt != Unknown {
					seen["numbers on the bill"]++
				}
				if c.Cancelled == "true" {
					seen["cancelled on the bill"]++
				}
			}
		}
		for _, log := range d.Logs {
			for _, a := range log {
				seen["outcome "+a.Outcome]++
				seen["layer "+a.Layer]++
				seen["kind "+a.Kind]++
				seen["stage "+a.Stage]++
				seen[fmt.Sprint("status ", a.HTTPStatus)]++
				if a.EndedAt == 0 {
					seen["no end"]++
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for verdict, row := range recoveries {
		want = append(want, verdict+" "+row.recovery)
	}
	for _, verdict := range []string{TimeoutRetry, ServerErrorRetry, Undelivered} {
		want = append(want, verdict+" "+VendorDispute) // under a promise that was broken
	}
	want = append(want, "reason no_log", "reason other_call", "reason outside_log", "reason stands_in", "reason tail_lost",
		"reason recovered", "kind refund", "kind tax", "kind credit", "kind query", "unsettled", "refund that names a request",
		"line items", "numbers on the bill", "cancelled on the bill", "outcome timeout", "outcome cancelled", "outcome rate_limited",
		"outcome server_error", "outcome client_error", "outcome unknown", "layer gateway", "layer sdk", "stage connect", "stage stream",
		"status 504", "status 429", "status 400", "status 401", "status 422", "no end")
	for _, what := range want {
		if seen[what] == 0 {
			t.Errorf("found no %s in the month, expected some", what)
		}
	}
}

// TestAMonthIsOneStream: days come in order, each row on its own day and in order, and
// nothing reaches past the end.
func TestAMonthIsOneStream(t *testing.T) {
	m := Company(3, october, 4000)
	next, attempts, charges := october, 0, 0
	err := m.Run(func(d *Day) error {
		if !d.From.Equal(next) || len(d.Logs) != len(m.Services) || len(d.Bills) != len(m.Vendors()) {
			t.Fatalf("found %s, %d logs, %d bills", d.From, len(d.Logs), len(d.Bills))
		}
		next = next.AddDate(0, 0, 1)
		to := next.UnixMilli()
		for _, log := range d.Logs {
			attempts += len(log)
			if !slices.IsSortedFunc(log, func(a, b AttemptLine) int { return int(a.Written() - b.Written()) }) {
				t.Error("a log is out of order")
			}
			if n := len(log); n > 0 && (log[0].Written() < d.From.UnixMilli() || log[n-1].Written() >= to) {
				t.Errorf("%s: a line of another day", d.From)
			}
		}
		for i, bill := range d.Bills {
			charges += len(bill)
			for _, c := range bill {
				if c.Provider != m.Vendors()[i] || c.ChargedAt >= to {
					t.Errorf("%s: a charge of another day or vendor", d.From)
				}
			}
		}
		return nil
	})
	if err != nil || !next.Equal(m.To()) || attempts < 4000 || charges < 4000 {
		t.Errorf("%d attempts, %d charges up to %s, %v", attempts, charges, next, err)
	}
}

func TestRunStopsAtAnError(t *testing.T) {
	stop, days := errors.New("enough"), 0
	err := Company(3, october, 400).Run(func(*Day) error {
		days++
		if days == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || days != 3 {
		t.Errorf("%d days, %v", days, err)
	}
}

// TestPeopleSleep: nights and weekends are quiet, and the busy hours are slow.
func TestPeopleSleep(t *testing.T) {
	hours, weekdays := [24]int{}, [7]int{}
	err := Plain(5, october, 20_000).Run(func(d *Day) error {
		for _, log := range d.Logs {
			for _, a := range log {
				at := time.UnixMilli(a.StartedAt).UTC()
				hours[at.Hour()]++
				weekdays[at.Weekday()]++
			}
		}
		return nil
	})
	if err != nil || hours[3] < 5*hours[18] || weekdays[time.Sunday]*3 > weekdays[time.Tuesday]*2 {
		t.Error(hours, weekdays, err)
	}
}

// TestAnIncidentIsWhenTimeoutsCome: a given spell has far more of them than the hour before.
func TestAnIncidentIsWhenTimeoutsCome(t *testing.T) {
	c := slowAnswers(3)
	c.Requests, c.IncidentsPerDay, c.IncidentErrors = 20_000, 0, 0.2
	c.Incidents = []Incident{{"northwind", october.Add(10 * time.Hour), october.Add(12 * time.Hour)}}
	failures := [24]int{}
	for _, a := range Generate(c).Attempts {
		if a.Outcome == "timeout" || a.Outcome == "server_error" {
			failures[time.UnixMilli(a.StartedAt).UTC().Hour()]++
		}
	}
	if failures[10] < 3*failures[8] {
		t.Error(failures)
	}
}

// TestAskingFirstSavesRetries: what had ended by the time of the query is delivered and not
// run again; what never ran costs nothing.
func TestAskingFirstSavesRetries(t *testing.T) {
	blind, asking := AppRetries(4), AppRetries(4)
	asking.AsksFirst, asking.AskWait = 1, 4*time.Minute
	count := func(c Config, is func(ChargeLine) bool) (n int) {
		for _, line := range Generate(c).Charges {
			n += count(is(line))
		}
		return n
	}
	retried := func(c ChargeLine) bool { return c.Label.Verdict == TimeoutRetry }
	if before, after := count(blind, retried), count(asking, retried); after > before/5 {
		t.Errorf("%d retries that were paid for nothing, %d without asking", after, before)
	}
	if count(asking, func(c ChargeLine) bool { return c.Label.Reason == "recovered" }) == 0 {
		t.Error("nothing was recovered")
	}
	for _, a := range Generate(asking).Attempts {
		if a.Kind == "query" && (a.Outcome == "success") != (a.HTTPStatus == 200) {
			t.Fatalf("%+v", a)
		}
	}
}

// TestABrokenPromiseIsTheVendors: of a call that was billed twice under one key, what is
// excess is the vendor's to give back; of one that was billed once, nothing is.
func TestABrokenPromiseIsTheVendors(t *testing.T) {
	c := slowAnswers(4)
	c.Providers = []Provider{{Name: "northwind", Promised: true}}
	c.IdempotencyKeys = true
	charges, disputes := map[string]int{}, 0
	lines := Generate(c).Charges
	for _, line := range lines {
		charges[line.IdempotencyKey]++
	}
	for _, line := range lines {
		twice := charges[line.IdempotencyKey] > 1
		if got := line.Label.Recovery == VendorDispute; line.Label.Verdict != Delivered && got != twice {
			t.Fatalf("%s, billed %d times, is %+v", line.IdempotencyKey, charges[line.IdempotencyKey], line.Label)
		}
		disputes += count(line.Label.Recovery == VendorDispute)
	}
	if disputes == 0 {
		t.Error("no promise was broken")
	}
}

// TestAnExportAtTheEnd: what was under way at the end of the period is in the log without
// its end, or not at all, and its charges are not settled.
func TestAnExportAtTheEnd(t *testing.T) {
	for _, begins := range []bool{true, false} {
		c := slowAnswers(4)
		c.Requests, c.CutAtEnd, c.Begins = 40_000, true, begins
		to := october.Add(24 * time.Hour).UnixMilli()
		w, open := Generate(c), 0
		for _, a := range w.Attempts {
			if a.StartedAt >= to || a.EndedAt >= to {
				t.Fatalf("a line of after the end: %+v", a)
			}
			open += count(a.EndedAt == 0)
		}
		if (open > 0) != begins {
			t.Errorf("begins %v: %d lines without an end", begins, open)
		}
		unsettled := 0
		for _, line := range w.Charges {
			unsettled += count(!line.Label.Settled)
		}
		if unsettled == 0 {
			t.Errorf("begins %v: nothing is unsettled", begins)
		}
	}
}

func TestWhy(t *testing.T) {
	for want, c := range map[string]ChargeLine{
		"attempt 1 of 2 (timeout); execution 2 of 3; stopped when the client left; attempt 2 answered": {Kind: "usage",
			story: story{attempt: 1, attempts: 2, try: 2, tries: 3, outcome: "timeout", answered: 2, early: true}},
		"attempt 1 of 1 (server_error); nothing answered the call": {Kind: "usage", story: story{attempt: 1, attempts: 1, try: 1, tries: 1, outcome: "server_error"}},
		"made by a program that writes no log":                     {Kind: "usage"},
		"gives a charge back":                                      {Kind: "refund"},
	} {
		if got := c.Why(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
