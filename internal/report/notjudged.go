package report

import "github.com/shopspring/decimal"

// muchOpen is the share of what was billed above which the part that was not judged keeps a
// result without excess from being a clean one.
var muchOpen = decimal.New(1, -1)

// NotJudged is the money of a book about which no verdict is settled, orphan and unsettled
// together, and why it is so: "not explained by the log". much is false where it is little or
// nothing. Orphan and unsettled are two parts of one ledger; theirs is the one sum made here.
func (t Total) NotJudged() (rest Money, why string, much bool) {
	orphan, _ := decimal.NewFromString(string(t.Orphan)) // an unknown one adds nothing that could be named
	unsettled, _ := decimal.NewFromString(string(t.Unsettled))
	sum := orphan.Add(unsettled)
	billed, err := decimal.NewFromString(string(t.Billed))
	if !sum.IsPositive() || err == nil && billed.IsPositive() && !sum.GreaterThan(billed.Mul(muchOpen)) {
		return "", "", false
	}
	why = "not explained by the log"
	switch {
	case !orphan.IsPositive():
		why = "not settled yet"
	case unsettled.IsPositive():
		why += " or not settled yet"
	}
	return Money(sum.String()), why, true
}
