package cost_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	_ "retrytax/internal/drawn"

	"retrytax/internal/cost"
)

// enumerated is the model by brute force: every pattern of timeouts of up to M executions and, of
// those that timed out, which ones the server had started.
func enumerated(p cost.Params, m int) (delivered, excess, undelivered, lost float64) {
	n, u, g, f := p.Requests.InexactFloat64(), p.UnitCost.InexactFloat64(), p.Partial.InexactFloat64(), p.Started.InexactFloat64()
	long := u
	if p.TimedOutCost.Valid {
		long = p.TimedOutCost.Decimal.InexactFloat64()
	}
	var walk func(k int, chance, paid float64)
	walk = func(k int, chance, paid float64) { // after k-1 timeouts that cost paid
		if k > m {
			undelivered, lost = undelivered+n*chance*paid, lost+n*chance
			return
		}
		t := p.Timeout[min(k, len(p.Timeout))-1].InexactFloat64()
		delivered += n * chance * (1 - t) * u
		excess += n * chance * (1 - t) * paid
		walk(k+1, chance*t*f, paid+long*g)
		walk(k+1, chance*t*(1-f), paid)
	}
	walk(1, 1, 0)
	excess += n * u * p.Hidden.InexactFloat64()
	return delivered, excess, undelivered, lost
}

func drawn(t *rapid.T) cost.Params {
	share := func(name string) decimal.Decimal {
		return decimal.New(int64(rapid.IntRange(0, 1000).Draw(t, name)), -3)
	}
	p := cost.Params{Requests: decimal.NewFromInt(int64(rapid.IntRange(0, 10).Draw(t, "N"))), Started: share("f"), UnitCost: share("u"),
		Partial: decimal.New(int64(rapid.IntRange(0, 1500).Draw(t, "g")), -3), Kept: decimal.New(1, 0)}
	if rapid.Bool().Draw(t, "long") {
		p.TimedOutCost = decimal.NewNullDecimal(share("long u"))
	}
	if rapid.Bool().Draw(t, "any hidden") {
		p.Hidden = share("h")
	}
	for range rapid.IntRange(1, 4).Draw(t, "rates") {
		p.Timeout = append(p.Timeout, share("p"))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "layers") {
		p.Layers = append(p.Layers, cost.Layer{Name: string(rune('a' + i)), Retries: rapid.IntRange(0, 1).Draw(t, "r")})
	}
	return p
}

func projected(t interface{ Fatal(...any) }, p cost.Params) cost.Projection {
	r, err := cost.Project(p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEnumerationAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawn(t)
		r := projected(t, p)
		delivered, excess, undelivered, lost := enumerated(p, r.Executions)
		for _, c := range []struct {
			name string
			got  decimal.Decimal
			want float64
		}{{"delivered", r.Delivered, delivered}, {"excess", r.Excess, excess}, {"undelivered", r.Undelivered, undelivered}, {"lost", r.Lost, lost}} {
			if got := c.got.InexactFloat64(); math.Abs(got-c.want) > 1e-12*math.Max(1, math.Abs(c.want)) {
				t.Fatalf("%s: %v, by enumeration %v", c.name, got, c.want)
			}
		}
	})
}

// TestNothingIsLost: what the calls would have cost = what was delivered + what was not; and every
// timed-out execution that was started is paid, as excess or as undelivered.
func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawn(t)
		r := projected(t, p)
		if want := r.Base.Sub(r.Lost.Mul(p.UnitCost)); !r.Delivered.Equal(want) {
			t.Fatalf("delivered %s, expected %s", r.Delivered, want)
		}
		long := p.UnitCost
		if p.TimedOutCost.Valid {
			long = p.TimedOutCost.Decimal
		}
		if want := cost.TimedOut(r).Mul(p.Started).Mul(p.Partial).Mul(long).Add(r.Base.Mul(p.Hidden)); !r.Waste().Equal(want) {
			t.Fatalf("excess + undelivered = %s, expected %s", r.Waste(), want)
		}
		if r.Excess.IsNegative() {
			t.Fatalf("excess %s", r.Excess)
		}
	})
}

func TestMoreTroubleCostsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := drawn(t), cost.Params{}
		q = p
		up := func(v decimal.Decimal) decimal.Decimal {
			return decimal.Min(decimal.New(1, 0), v.Add(decimal.New(int64(rapid.IntRange(0, 1000).Draw(t, "more")), -3)))
		}
		q.Timeout = make([]decimal.Decimal, len(p.Timeout))
		for i := range p.Timeout {
			q.Timeout[i] = up(p.Timeout[i])
		}
		q.Started = up(p.Started)
		a, b := projected(t, p), projected(t, q)
		if b.Waste().LessThan(a.Waste()) || b.Lost.LessThan(a.Lost) {
			t.Fatalf("more timeouts, less waste: %s, %s", a.Waste(), b.Waste())
		}
	})
}

// TestRemediesDoNotHarm: none leaves more waste than there was; all together at most what
// the best of them leaves.
func TestRemediesDoNotHarm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawn(t)
		p.Layers = append(p.Layers, cost.Layer{Name: "sdk", Retries: 1})
		share := func(name string) decimal.Decimal {
			return decimal.New(int64(rapid.IntRange(0, 100).Draw(t, name)), -2)
		}
		all := []cost.Remedy{
			{Kind: cost.Idempotency, Coverage: share("c"), RunsOn: share("s")}, {Kind: cost.StatusFirst, Share: share("q")},
			{Kind: cost.SDKRetriesOff}, {Kind: cost.LongerTimeout, Share: share("a")}, {Kind: cost.Streaming, Share: share("b")},
		}
		now := projected(t, p)
		for _, r := range all {
			left, err := cost.ProjectWith(p, r)
			if err != nil || left.Waste().GreaterThan(now.Waste()) {
				t.Fatalf("%s leaves %s of %s (%v)", r.Kind, left.Waste(), now.Waste(), err)
			}
		}
		left, err := cost.ProjectWith(p, all...)
		if err != nil || left.Waste().GreaterThan(now.Waste()) {
			t.Fatalf("together they leave %s of %s (%v)", left.Waste(), now.Waste(), err)
		}
	})
}

func TestDocumentedIsASpecialCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawn(t)
		p.Timeout, p.Partial = []decimal.Decimal{p.Timeout[0], decimal.Zero}, decimal.New(1, 0)
		p.Layers, p.Hidden, p.TimedOutCost = []cost.Layer{{Name: "app", Retries: 1}}, decimal.Zero, decimal.NullDecimal{}
		r := projected(t, p)
		if !r.Excess.Equal(cost.Documented(p)) || !r.Undelivered.IsZero() || !r.Lost.IsZero() {
			t.Fatalf("excess %s, documented %s", r.Excess, cost.Documented(p))
		}
	})
}

func TestOutsideTheDomain(t *testing.T) {
	for _, c := range []struct {
		name  string
		parse func() error
		flag  string
	}{
		{"120 %", func() error { _, err := cost.ParseShare("timeout-rate", "120%"); return err }, "--timeout-rate"},
		{"NaN", func() error { _, err := cost.ParseShare("started", "NaN"); return err }, "--started"},
		{"infinity", func() error { _, err := cost.ParseAmount("unit-cost", "Inf"); return err }, "--unit-cost"},
		{"exponent", func() error { _, err := cost.ParseAmount("unit-cost", "1e999999999"); return err }, "--unit-cost"},
		{"negative price", func() error { _, err := cost.ParseAmount("unit-cost", "-1"); return err }, "--unit-cost"},
		{"13 decimals", func() error { _, err := cost.ParseAmount("unit-cost", "0.0000000000001"); return err }, "--unit-cost"},
		{"decimal comma", func() error { _, err := cost.ParseAmount("unit-cost", "0,5"); return err }, "--unit-cost"},
		{"empty", func() error { _, err := cost.ParseShares("repeat-timeout-rate", "5%,"); return err }, "--repeat-timeout-rate"},
		{"-1 retries", func() error { _, err := cost.ParseLayers("sdk=-1"); return err }, "--layers"},
		{"half a retry", func() error { _, err := cost.ParseLayers("sdk=1.5"); return err }, "--layers"},
		{"no number", func() error { _, err := cost.ParseLayers("sdk"); return err }, "--layers"},
		{"twice", func() error { _, err := cost.ParseLayers("sdk=1,sdk=1"); return err }, "--layers"},
		{"a billion", func() error { _, err := cost.ParseLayers("sdk=1000000000"); return err }, "--layers"},
		{"more than an int", func() error { _, err := cost.ParseLayers("sdk=99999999999999999999999"); return err }, "--layers"},
		{"absurdly many", func() error {
			_, err := cost.ParseLayers("a" + strings.Repeat("=0,a", 1000) + "=0")
			return err
		}, "--layers"},
		{"they multiply", func() error { _, err := cost.ParseLayers("a=31,b=32"); return err }, "--layers"},
	} {
		var e *cost.DomainError
		if err := c.parse(); !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.flag+": found ") || e.Hint() == "" {
			t.Errorf("%s: found %v, expected a DomainError of %s with a hint", c.name, err, c.flag)
		}
	}
	if layers, err := cost.ParseLayers("sdk=0, app=1"); err != nil || len(layers) != 2 {
		t.Errorf("0 retries is a layer: %v, %v", layers, err)
	}
}
