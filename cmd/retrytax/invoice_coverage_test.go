package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/config"
	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/internal/synth"
)

var (
	totalsSeeds    = flag.Int("totals", 1, "over so many made-up months aggregated to days, count how often the started fraction lies in its interval; 100 is the long test")
	totalsRequests = flag.Int("totals-requests", 20_000, "how many requests each of these months has")
	totalsFirst    = flag.Int("totals-first", 1, "the first seed")
)

// TestTotals aggregates made-up months to days, models and kinds of token, as a vendor's usage and cost exports
// are, and holds them against the log: the started fraction must lie in its interval in 90 of 100 months, and the
// hidden retries be counted within 2 %, both counted singly by the simulated server.
func TestTotals(t *testing.T) {
	if testing.Short() {
		t.Skip("a month of requests")
	}
	inside, hidden, within := 0, synth.Rates{}, 0
	for seed := *totalsFirst; seed < *totalsFirst+*totalsSeeds; seed++ {
		truth, found := totalsMonth(t, uint64(seed))
		is := decimal.NewFromInt(int64(truth.UnansweredBilled)).DivRound(decimal.NewFromInt(int64(truth.Unanswered)), 6)
		e := found.Started
		if found.Basis != report.ByTokens || e.Value == nil || e.Low == nil {
			t.Fatalf("seed %d: found the started fraction %v by %q, expected an interval by tokens", seed, e.Value, found.Basis)
		}
		in := !is.LessThan(decimal.RequireFromString(*e.Low)) && !is.GreaterThan(decimal.RequireFromString(*e.High))
		if in {
			inside++
		}
		off := float64(*found.Hidden)/float64(truth.Hidden) - 1
		if off < 0.02 && off > -0.02 {
			within++
		}
		hidden.Add(truth)
		t.Logf("seed %d: f is %s, measured %s in %s … %s: %v; hidden retries %d, counted %d (%+.2f %%)", seed, is, *e.Value, *e.Low, *e.High, in, truth.Hidden, *found.Hidden, 100*off)
	}
	t.Logf("f inside its interval in %d of %d months, hidden retries within 2 %% in %d", inside, *totalsSeeds, within)
	if inside*100 < 90**totalsSeeds {
		t.Errorf("f lay in its interval in %d of %d months, expected 90 of 100", inside, *totalsSeeds)
	}
	if within < *totalsSeeds {
		t.Errorf("hidden retries were counted within 2 %% in %d of %d months, expected all", within, *totalsSeeds)
	}
}

// totalsMonth simulates a month, aggregates its bill and holds it against the log.
func totalsMonth(t *testing.T, seed uint64) (synth.Rates, *report.BillAgainstLog) {
	month := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	rows, err := synth.EncodeAttempts(synth.JSONL, nil)
	if err != nil {
		t.Fatal(err)
	}
	var log []byte
	var truth synth.Rates
	sums := dayTotals{}
	err = synth.Totals(seed, month, *totalsRequests).Run(func(d *synth.Day) error {
		truth.Add(d.Rates)
		for _, lines := range d.Logs {
			for i := range lines {
				log = append(log, rows.Append(nil, &lines[i])...)
			}
		}
		for _, lines := range d.Bills {
			for i := range lines {
				sums.add(&lines[i])
			}
		}
		for r, n := range d.Received {
			sums.of(r).requests += n
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	files := []pipeline.File{
		{Input: source.BytesInput("attempts.jsonl", log)},
		{Input: source.BytesInput("usage.csv", sums.csv()), Role: source.Bills},
		{Input: source.BytesInput("prices.csv", []byte(totalsPrices)), Role: source.Prices},
	}
	x, err := pipeline.RunInvoice(ctx, s, files, pipeline.Options{Config: config.Default(), Now: month.AddDate(0, 1, 2), Period: "2026-10"}, pipeline.InvoiceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return truth, x.Result.Bill
}

const totalsPrices = `model,currency,input_per_million,cached_input_per_million,output_per_million
nw-large,USD,2.5,0.25,10
ct-plus,USD,0.8,0.16,4.125
nw-small,USD,0.15,0.015,0.6
`

// dayTotals is what a vendor's usage page shows.
type dayTotals map[synth.Received]*dayTotal

type dayTotal struct {
	requests              int
	input, cached, output int
	amount                synth.Money
}

func (d dayTotals) of(r synth.Received) *dayTotal {
	if d[r] == nil {
		d[r] = &dayTotal{}
	}
	return d[r]
}

func (d dayTotals) add(c *synth.ChargeLine) {
	if c.Kind != "usage" {
		return
	}
	x := d.of(synth.Received{Day: c.ChargedAt / 86_400_000, Provider: c.Provider, Model: c.Model, APIKey: c.APIKey})
	x.input, x.cached, x.output, x.amount = x.input+int(c.InputTokens-c.CachedTokens), x.cached+int(c.CachedTokens), x.output+int(c.OutputTokens), x.amount+c.Amount
}

// csv writes a row for each kind of token of a day, in order.
func (d dayTotals) csv() []byte {
	var lines []string
	for r, x := range d {
		day := time.Unix(r.Day*86400, 0).UTC().Format(time.DateOnly)
		if !strings.HasPrefix(day, "2026-10") {
			continue // what ran over the month's end is on the next bill
		}
		at := fmt.Sprintf("%s,%s,%s,%s", r.Provider, r.APIKey, r.Model, day)
		lines = append(lines, fmt.Sprintf("%s,requests,,%d,\n", at, x.requests), fmt.Sprintf("%s,input,%d,,\n", at, x.input), fmt.Sprintf("%s,cached_input,%d,,\n", at, x.cached),
			fmt.Sprintf("%s,output,%d,,%s\n", at, x.output, x.amount))
	}
	slices.Sort(lines)
	var b bytes.Buffer
	b.WriteString("provider,api_key,model,period_start,token_type,quantity,requests,amount\n")
	for _, l := range lines {
		b.WriteString(l)
	}
	return b.Bytes()
}
