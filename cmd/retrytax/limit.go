package main

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/cost"
	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// failLimit is what --fail-over asks: an amount in each currency, or a share of the bill.
type failLimit struct {
	value   decimal.Decimal
	percent bool
}

// parseLimit reads "12.50" or "2%"; "" is no limit.
func parseLimit(v string) (*failLimit, error) {
	if v == "" {
		return nil, nil
	}
	num, percent := strings.CutSuffix(v, "%")
	d, err := cost.ParseNumber("--fail-over", num)
	if err != nil || d.IsNegative() || len(num) > 40 {
		return nil, &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--fail-over: found %.60q, expected an amount such as 12.50 or a share such as 2%%", v),
			Hint: "--fail-over 12.50 is in the bill's currency, --fail-over 2% of what was billed"}
	}
	return &failLimit{d, percent}, nil
}

// check returns an error of exit code 3 where the paid book's settled excess, less the findings that
// the user has dealt with, is above the limit in any currency.
func (l *failLimit) check(r *report.Audit, paidBook string) error {
	if l == nil {
		return nil
	}
	handled := settledClaims(r.Disputes)
	for _, t := range r.Totals {
		if t.ProviderBook != "all/"+paidBook {
			continue
		}
		excess, billed := asDecimal(t.Excess).Sub(handled[t.Currency]), asDecimal(t.Billed)
		limit := l.value
		if l.percent {
			limit = billed.Mul(l.value).Shift(-2)
		}
		if excess.GreaterThan(limit) {
			return &ui.Error{Code: ui.Found, Msg: fmt.Sprintf("excess of %s %s is above the limit of %s %s", t.Currency, excess, t.Currency, limit),
				Hint: "that is what --fail-over asked for"}
		}
	}
	return nil
}

func asDecimal(m report.Money) decimal.Decimal {
	d, err := decimal.NewFromString(string(m))
	if err != nil {
		return decimal.Zero // unknown: the report says "at least"
	}
	return d
}
