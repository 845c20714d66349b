package cost_test

import (
	"fmt"

	"github.com/shopspring/decimal"

	"retrytax/internal/cost"
)

func d(s string) decimal.Decimal { return decimal.RequireFromString(s) }

// article is the first article's service: 10 000 requests a day at 1 each, 80 % of the
// timed-out ones started, one retry, which succeeds.
func article(timeoutRate string) cost.Params {
	return cost.Params{Requests: d("10000"), Timeout: []decimal.Decimal{d(timeoutRate), d("0")}, Started: d("0.8"),
		UnitCost: d("1"), Partial: d("1"), Kept: d("1"), Layers: []cost.Layer{{Name: "app", Retries: 1}}}
}

func ExampleProject() {
	r, _ := cost.Project(article("0.05"))
	overpay, _ := r.Overpay()
	fmt.Println("a day:", cost.Text(r.Base), "+", cost.Text(r.Excess), "=", cost.Text(r.Total()))
	fmt.Println("of the bill without retries:", cost.Text(overpay))
	fmt.Println("a year:", cost.Text(cost.Over(r.Excess, cost.DaysAYear)))
	// Output:
	// a day: 10000 + 400 = 10400
	// of the bill without retries: 0.04
	// a year: 146000
}

func ExampleProject_tenPercent() {
	r, _ := cost.Project(article("0.1"))
	fmt.Println(cost.Text(r.Excess), "a day,", cost.Text(cost.Over(r.Excess, cost.DaysAYear)), "a year")
	// Output: 800 a day, 292000 a year
}

// Two layers that each retry once execute a call up to four times. Of the calls 50 % time out
// once, 25 % twice, 12.5 % three times; 6.25 % are lost.
func ExampleProject_layers() {
	p := article("0.5")
	p.Timeout, p.Started = []decimal.Decimal{d("0.5")}, d("1")
	p.Layers = []cost.Layer{{Name: "sdk", Retries: 1}, {Name: "app", Retries: 1}}
	r, _ := cost.Project(p)
	fmt.Println("executions at most:", r.Executions)
	fmt.Println("excess:", cost.Text(r.Excess), "undelivered:", cost.Text(r.Undelivered), "calls lost:", cost.Text(r.Lost))
	// Output:
	// executions at most: 4
	// excess: 6875 undelivered: 2500 calls lost: 625
}

func ExampleProjectWith() {
	p := article("0.05")
	r, _ := cost.ProjectWith(p,
		cost.Remedy{Kind: cost.Idempotency, Coverage: d("0.5"), RunsOn: d("1")},
		cost.Remedy{Kind: cost.LongerTimeout, Share: d("0.5")})
	fmt.Println(cost.Text(r.Excess), "of 400 are left")
	// Output: 100 of 400 are left
}
