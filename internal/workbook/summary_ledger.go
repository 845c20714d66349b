package workbook

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
)

// allProviders begins the name of the books that cover every provider: "all/bill".
const allProviders = "all/"

// book is "bill" of "openai/bill".
func book(t report.Total) string {
	return t.ProviderBook[strings.LastIndex(t.ProviderBook, "/")+1:]
}

// providers writes the same ledger per provider, at the end of the sheet, where there are
// several: with one it would say the same again.
func (s *summary) providers() {
	for _, t := range s.b.audit.Totals {
		if strings.HasPrefix(t.ProviderBook, allProviders) || s.isOnlyProvider(t) {
			continue
		}
		provider := strings.TrimSuffix(t.ProviderBook, "/"+book(t))
		s.section("Ledger of " + provider + ": " + bookWords(book(t)) + ", " + t.Currency)
		s.ledger(t)
	}
}

func (s *summary) isOnlyProvider(t report.Total) bool {
	whole, parts := 0, 0
	for _, other := range s.b.audit.Totals {
		switch {
		case other.Currency != t.Currency || book(other) != book(t):
		case strings.HasPrefix(other.ProviderBook, allProviders):
			whole++
		default:
			parts++
		}
	}
	return whole > 0 && parts == 1
}

// ledger writes one ledger with its check, and returns the row of the excess.
func (s *summary) ledger(t report.Total) (excessRow int) {
	parts := []report.Money{t.Billed, t.Delivered, t.Excess, t.Undelivered, t.Orphan, t.Unsettled, t.Adjustments}
	digits := len(exactCells(parts...)) > 0
	places := placesOf(append(parts, t.ExcessNet, t.CostPerDelivered, t.CacheEffect, t.ReroutePremium)...)
	s.ledgerHeader(digits, t.Currency)
	first := s.row + 1
	for i, m := range parts {
		k := kindMoney
		switch name := ledgerTerms[i].name; {
		case name == "Excess":
			k, excessRow = kindStrong, s.row+1
			if t.AtLeast {
				k = kindStrongAtLeast
			}
		case name != "Adjustments":
			k = sumKind(t.AtLeast)
		}
		s.ledgerRow(ledgerTerms[i], share(m, t.Billed), money(k, m).at(places), m, digits)
	}
	s.check(first, parts)
	s.beside(t, places, digits)
	if t.AtLeast {
		s.wide(kindNote, "≥ means at least: an amount is unknown, or a line could not be read.", colLabel, 1)
	}
	return excessRow
}

func (s *summary) ledgerHeader(digits bool, currency string) {
	titles := []string{"Part", ">Share of billed", ">Amount, " + currency, "What it means"}
	if digits {
		titles = []string{"Part", ">Share of billed", ">Amount, " + currency, ">Exact amount", "What it means"}
	}
	s.header(titles...)
}

// ledgerRow is one part of a ledger, with its exact amount where the ledger has that column.
func (s *summary) ledgerRow(t term, share, amount value, m report.Money, digits bool) {
	label := textOf(kindText, t.name)
	if amount.kind == kindStrong || amount.kind == kindStrongAtLeast {
		label.kind = kindLabel
	}
	if digits {
		s.explained(label, []value{share, amount, exact(m), textOf(kindNote, t.meaning)}, colShare)
		return
	}
	s.explained(label, []value{share, amount, textOf(kindNote, t.meaning)}, colSecond)
}

// beside writes what stands next to the ledger and is no part of its sum.
func (s *summary) beside(t report.Total, places int, digits bool) {
	k := sumKind(t.AtLeast)
	s.ledgerRow(term{"Excess after refunds", "The excess less the refunds that name these charges."}, blank, money(k, t.ExcessNet).at(places), t.ExcessNet, digits)
	s.ledgerRow(term{"Cost per delivered call", "What one answer cost."}, blank, money(k, t.CostPerDelivered).at(places), t.CostPerDelivered, digits)
	s.ledgerRow(term{"Cache effect", "What delivered charges cost more (or, negative, less) because of the retries' effect on the prompt cache."},
		blank, money(kindMoney, t.CacheEffect).at(places), t.CacheEffect, digits)
	s.ledgerRow(term{"Reroute premium", "What delivered charges cost more because a retry went to another model or provider."},
		blank, money(kindMoney, t.ReroutePremium).at(places), t.ReroutePremium, digits)
}

func share(part, whole report.Money) value {
	f, ok := shareOf(part, whole)
	if !ok {
		return muted("–")
	}
	return fraction(kindShare, &f)
}

// Words of the check cells.
const (
	addsUp       = "adds up"
	doesNot      = "DOES NOT ADD UP"
	notCheckable = "not checkable"
)

// check writes the cell that says whether the first amount is the sum of the others. Its
// formula rounds, as a sum of doubles is not exact to the last digit; an amount that is not
// known leaves nothing to check.
func (s *summary) check(first int, amounts []report.Money) {
	last := first + len(amounts) - 1
	formula := fmt.Sprintf(`IF(COUNT(C%d:C%d)<%d,"%s",IF(ROUND(C%d-SUM(C%d:C%d),%d)=0,"%s","%s"))`,
		first, last, len(amounts), notCheckable, first, first+1, last, checkPlaces(amounts), addsUp, doesNot)
	s.explained(textOf(kindText, "Check: billed is the sum of the rest"),
		[]value{blank, checkCell(formula, amounts[0], amounts[1:])}, colMeaning)
}

func checkCell(formula string, whole report.Money, parts []report.Money) value {
	return value{kind: kindCheck, formula: formula, text: sumVerdict(whole, parts)}
}

// sumVerdict is what the formula of a check gives, for readers that do not compute.
func sumVerdict(whole report.Money, parts []report.Money) string {
	sum := decimal.Zero
	for _, m := range parts {
		d, err := parseMoney(m)
		if err != nil {
			return notCheckable
		}
		sum = sum.Add(d)
	}
	d, err := parseMoney(whole)
	switch {
	case err != nil:
		return notCheckable
	case d.Sub(sum).Round(checkPlaces(append(parts, whole))).IsZero():
		return addsUp
	}
	return doesNot
}

// checkPlaces is to how many decimals a check can be exact: six, and fewer where the largest
// amount leaves fewer of a cell's 15 digits (one is kept for the error of the sum).
func checkPlaces(amounts []report.Money) int32 {
	places := int32(6)
	for _, m := range amounts {
		if d, err := parseMoney(m); err == nil {
			places = min(places, excelDigits-1-int32(d.Truncate(0).NumDigits()))
		}
	}
	return max(places, 0)
}

func bookWords(book string) string {
	switch book {
	case "bill":
		return "the vendor's bill"
	case "estimate":
		return "a gateway's estimate"
	}
	return book
}
