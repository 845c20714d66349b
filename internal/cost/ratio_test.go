package cost_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"retrytax/internal/cost"
)

func hour(part, whole int64) cost.Hour {
	return cost.Hour{Part: decimal.NewFromInt(part), Whole: decimal.NewFromInt(whole), Observations: whole}
}

func TestRatioOfNothingIsNotZero(t *testing.T) {
	if e := cost.Ratio(nil, true); e.Measured || e.HasInterval {
		t.Errorf("found %+v, expected not measurable", e)
	}
	if e := cost.Ratio([]cost.Hour{hour(1, 4)}, true); !e.Measured || e.HasInterval || !e.Value.Equal(d("0.25")) {
		t.Errorf("one hour: found %+v, expected 0.25 without an interval", e)
	}
}

// TestRatioAtTheEdge: where all or none did, the interval still has a width, by hours.
func TestRatioAtTheEdge(t *testing.T) {
	var none, all []cost.Hour
	for range 10 {
		none, all = append(none, hour(0, 50)), append(all, hour(50, 50))
	}
	if e := cost.Ratio(none, true); !e.Low.IsZero() || e.High.LessThan(d("0.3")) || e.High.GreaterThan(d("0.31")) {
		t.Errorf("none of 500 in 10 hours: %s … %s, expected 0 … 0.308", e.Low, e.High)
	}
	if e := cost.Ratio(all, true); !e.High.Equal(d("1")) || e.Low.GreaterThan(d("0.7")) {
		t.Errorf("all of 500 in 10 hours: %s … %s, expected 0.69 … 1", e.Low, e.High)
	}
}

func TestRatioStaysInItsDomain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var hours []cost.Hour
		for range rapid.IntRange(0, 40).Draw(t, "hours") {
			whole := rapid.Int64Range(0, 30).Draw(t, "whole")
			hours = append(hours, hour(rapid.Int64Range(0, whole).Draw(t, "part"), whole))
		}
		e := cost.Ratio(hours, true)
		if e.HasInterval && (e.Low.IsNegative() || e.High.GreaterThan(d("1")) || e.Low.GreaterThan(e.Value) || e.High.LessThan(e.Value)) {
			t.Fatalf("%s in %s … %s", e.Value, e.Low, e.High)
		}
	})
}

// TestRatioCoversIncidents draws months with incidents, in which an hour times out ten times as
// often: the interval must hold the rate of the process in nine months of ten. One that takes the calls for
// independent does not.
func TestRatioCoversIncidents(t *testing.T) {
	const months, hours, calls, quiet, incident, share = 300, 720, 30, 0.03, 0.35, 0.03
	truth := quiet + share*(incident-quiet)
	covered, naive := 0, 0
	rng := rand.New(rand.NewPCG(1, 2))
	for range months {
		var list []cost.Hour
		sum, n := 0.0, 0.0
		for range hours {
			p := quiet
			if rng.Float64() < share {
				p = incident
			}
			timeouts := int64(0)
			for range calls {
				if rng.Float64() < p {
					timeouts++
				}
			}
			list = append(list, hour(timeouts, calls))
			sum, n = sum+float64(timeouts), n+calls
		}
		e := cost.Ratio(list, true)
		if e.Low.InexactFloat64() <= truth && truth <= e.High.InexactFloat64() {
			covered++
		}
		r := sum / n
		if math.Abs(r-truth) <= 1.96*math.Sqrt(r*(1-r)/n) {
			naive++
		}
	}
	t.Logf("%d months: the interval covers in %d, one of independent calls in %d", months, covered, naive)
	if covered < months*90/100 || naive > months*85/100 {
		t.Errorf("covered %d of %d months, expected 90 in 100; independent calls would give %d", covered, months, naive)
	}
}

func TestSimulationIsSeeded(t *testing.T) {
	p := article("0.05")
	doubt := []cost.Uncertain{{Param: cost.NameTimeout, Value: d("0.05"), Low: d("0.04"), High: d("0.062")},
		{Param: cost.NameStarted, Value: d("0.8"), Low: d("0.75"), High: d("0.84")}, {Param: cost.NamePartial, Value: d("1"), Low: d("0.9"), High: d("1.1")}}
	q, err := cost.Simulate(p, doubt, 2000, 7, 5, 50, 95)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := cost.Simulate(p, doubt, 2000, 7, 5, 50, 95)
	other, _ := cost.Simulate(p, doubt, 2000, 8, 5, 50, 95)
	if !q[0].Equal(again[0]) || !q[2].Equal(again[2]) || q[0].Equal(other[0]) {
		t.Errorf("seed 7: %v and %v; seed 8: %v", q, again, other)
	}
	if !q[0].LessThan(q[1]) || !q[1].LessThan(q[2]) || q[1].Sub(d("400")).Abs().GreaterThan(d("10")) {
		t.Errorf("P5, P50, P95 are %v, expected to rise around 400", q)
	}
	certain, _ := cost.Simulate(p, nil, 10, 1, 5, 95)
	if !certain[0].Equal(d("400")) || !certain[1].Equal(d("400")) {
		t.Errorf("without doubt: %v, expected 400", certain)
	}
}
