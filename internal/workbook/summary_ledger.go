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
	return t.Book()
}

// providers writes the same ledger per provider, at the end of the sheet, where there are
// several: with one it would say the same again.
func (s *summary) providers() {
	for _, t := range s.b.audit.Totals {
		if strings.HasPrefix(t.ProviderBook, allProviders) || s.isOnlyProvider(t) {
			continue
		}
		provider := strings.TrimSuffix(t.ProviderBook, "/"+book(t))
		s.section(s.t("Ledger of %s: %s, %s", provider, s.t(bookWords(book(t))), t.Currency))
		s.ledger(t, false)
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

// ledger writes one ledger with its check, and returns the row of the excess. The amounts of a live one
// are sums over the sheet By day, so that whoever changes a cell there sees what follows.
func (s *summary) ledger(t report.Total, live bool) (excessRow int) {
	parts := partsOf(t)
	digits := len(exactCells(parts...)) > 0
	places := placesOf(append(parts, t.ExcessNet)...)
	s.ledgerHeader(digits, t.Currency)
	first := s.row + 1
	for i, m := range parts {
		k := kindMoney
		switch {
		case i == 2:
			k, excessRow = kindStrong, s.row+1
			if t.AtLeast {
				k = kindStrongAtLeast
			}
		case i != 6:
			k = sumKind(t.AtLeast)
		}
		amount := money(k, m).at(places)
		if formula, ok := s.b.days.ref.sum(ledgerKeys[i], book(t), t.Currency); ok && live && amount.numeric {
			if amount.kind == kindMoneyTiny {
				amount.kind, amount.places = k, places
			}
			amount.formula = formula
		}
		s.ledgerRow(ledgerTerms[i], s.share(m, t.Billed), amount, m, digits)
	}
	s.check(first, parts)
	s.beside(t, places, digits)
	if t.AtLeast {
		s.wide(kindNote, s.t("≥ means at least: an amount is unknown, or a line could not be read."), colLabel, 1)
	}
	return excessRow
}

func (s *summary) ledgerHeader(digits bool, currency string) {
	titles := []string{s.t("Part"), ">" + s.t("Share of billed"), ">" + s.t("Amount, %s", currency), s.t("What it means")}
	if digits {
		titles = []string{titles[0], titles[1], titles[2], ">" + s.t("Exact amount"), titles[3]}
	}
	s.header(titles...)
}

// ledgerRow is one part of a ledger, with its exact amount where the ledger has that column.
func (s *summary) ledgerRow(t term, share, amount value, m report.Money, digits bool) {
	label := textOf(kindText, s.t(t.name))
	if amount.kind == kindStrong || amount.kind == kindStrongAtLeast {
		label.kind = kindLabel
	}
	if digits {
		s.explained(label, []value{share, amount, exact(m), textOf(kindNote, s.t(t.meaning))}, colShare)
		return
	}
	s.explained(label, []value{share, amount, textOf(kindNote, s.t(t.meaning))}, colSecond)
}

// beside writes what stands next to the ledger and is no part of its sum. What a call cost and the effects of retries on delivered
// calls are quotients and differences of prices: they have decimals of their own, and give the sums above none.
func (s *summary) beside(t report.Total, places int, digits bool) {
	k := sumKind(t.AtLeast)
	s.ledgerRow(term{"Excess after refunds", "The excess less the refunds that name these charges."}, blank, money(k, t.ExcessNet).at(places), t.ExcessNet, digits)
	s.ledgerRow(term{"Cost per delivered call", "What one answer cost, all that was billed included."}, blank, money(k, t.CostPerDelivered), t.CostPerDelivered, digits)
	s.ledgerRow(term{"Cache effect", "What delivered charges cost more (or, negative, less) because of the retries' effect on the prompt cache."},
		blank, money(kindMoney, t.CacheEffect), t.CacheEffect, digits)
	s.ledgerRow(term{"Reroute premium", "What delivered charges cost more because a retry went to another model or provider."},
		blank, money(kindMoney, t.ReroutePremium), t.ReroutePremium, digits)
}

func (s *summary) share(part, whole report.Money) value {
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

// check writes the difference between the first amount and the sum of the others, which must be nothing,
// and says so in words. Its formula rounds, as a sum of doubles is not exact to the last digit; an amount
// that is not known leaves nothing to check.
func (s *summary) check(first int, amounts []report.Money) {
	last := first + len(amounts) - 1
	difference := fmt.Sprintf("ROUND(C%d-SUM(C%d:C%d),%d)", first, first+1, last, checkPlaces(amounts))
	s.zero(s.t("Billed less all the rest"), difference, fmt.Sprintf("COUNT(C%d:C%d)<%d", first, last, len(amounts)), sumVerdict(amounts[0], amounts[1:]))
}

// zero is a row that must come to nothing: the difference as a number, and beside it in words.
// missing is a condition under which there is nothing to compare.
func (s *summary) zero(label, difference, missing, verdict string) {
	number := value{kind: kindZero, formula: difference, numeric: true}
	if verdict == notCheckable {
		number = value{kind: kindZero, formula: fmt.Sprintf(`IF(%s,"–",%s)`, missing, difference), text: "–"}
	}
	words := value{kind: kindCheck, text: s.t(verdict),
		formula: fmt.Sprintf(`IF(%s,"%s",IF(%s=0,"%s","%s"))`, missing, s.t(notCheckable), difference, s.t(addsUp), s.t(doesNot))}
	s.put(0, textOf(kindText, label), blank, number, words)
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

// addMoney is the sum of two amounts that are known.
func addMoney(a, b report.Money) report.Money {
	x, errX := parseMoney(a)
	y, errY := parseMoney(b)
	if errX != nil || errY != nil {
		return a
	}
	return report.Money(x.Add(y).String())
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

func bookWords(book string) string { return report.BookWords(book) }

// ties writes what the sheets must agree on, as live differences.
func (s *summary) ties() {
	begun := false
	for _, t := range s.b.wholeBooks() {
		for _, c := range s.b.agreements(t) {
			left, okL := c.left.sum(c.leftKey, book(t), t.Currency, c.leftMore...)
			right, okR := c.right.sum(c.rightKey, book(t), t.Currency)
			if !okL || !okR {
				continue
			}
			if !begun {
				s.section(s.t("The sheets agree"))
				s.header(s.t("What is compared"), "", ">"+s.t("Difference"), ">"+s.t("Result"))
				begun = true
			}
			verdict := addsUp
			if c.differs {
				verdict = doesNot
			}
			difference := fmt.Sprintf("ROUND(%s-(%s),%d)", left, right, checkPlaces(partsOf(t)))
			s.zero(s.t(c.label)+", "+t.Currency+", "+s.t(bookWords(book(t))), difference, "FALSE", verdict)
		}
	}
}

// agreement is a sum that two sheets must have in common.
type agreement struct {
	label             string
	left, right       ref
	leftKey, rightKey string
	leftMore          []string
	differs           bool
}

// agreements are those of one book and currency.
func (b *builder) agreements(t report.Total) []agreement {
	return []agreement{
		{label: "Billed: By day, By model", left: b.days.ref, leftKey: "billed", right: b.models.ref, rightKey: "billed"},
		{label: "Billed: By day, By key", left: b.days.ref, leftKey: "billed", right: b.keys.ref, rightKey: "billed"},
		{label: "Excess: By day, Evidence", left: b.days.ref, leftKey: "excess", right: b.evidence.ref, rightKey: "excess", differs: b.evidence.ref.rows == 0 && !isZero(t.Excess)},
		{label: "Paid: Evidence, Duplicated requests", left: b.evidence.ref, leftKey: "amount", leftMore: []string{"place", ">0"}, right: b.duplicated.ref, rightKey: "paid"},
	}
}
