package ui

import (
	"cmp"
	"fmt"
	"strings"

	"retrytax/internal/report"
)

// title is what was audited: the period, and what was read of it.
func (s *summary) title() {
	s.text("retrytax "+short(cmp.Or(s.x.Command, "audit"))+" · "+periodText(s.a.Period), "", bold)
	var attempts, charges, bills, prices, other int64
	var sum report.Input
	for _, in := range s.a.Inputs {
		switch in.Role {
		case "attempts":
			attempts++
		case "charges":
			charges++
		case "bills":
			bills++
		case "prices":
			prices++
		default:
			other++
		}
		sum.Rows += in.Rows
		sum.Loaded += in.Loaded
		sum.Known += in.Known
		sum.Ignored += in.Ignored
		sum.Rejected += in.Rejected
	}
	files := []string{counted(attempts, "attempt log", "attempt logs"), counted(charges, "charge file", "charge files")}
	if bills > 0 {
		files = append(files, counted(bills, "file of totals", "files of totals"))
	}
	if prices > 0 {
		files = append(files, counted(prices, "price list", "price lists"))
	}
	if other > 0 {
		files = append(files, counted(other, "other file", "other files"))
	}
	s.text(fmt.Sprintf("Read %s: %s = %s loaded + %s known + %s ignored + %s rejected",
		strings.Join(files, ", "), counted(sum.Rows, "row", "rows"),
		count(sum.Loaded), count(sum.Known), count(sum.Ignored), count(sum.Rejected)), "", dim)
	for _, in := range s.a.Inputs {
		if in.Rejected > 0 {
			s.item(Clean(in.File)+": "+counted(in.Rejected, "row", "rows")+" rejected", "  ", yellow)
		}
	}
}

// headlines is one sentence for each book and currency.
func (s *summary) headlines() {
	s.blank()
	if failed := s.failing(); len(failed) > 0 {
		s.text("the checks failed: these numbers contradict each other, do not use them", "", red)
	}
	books := s.books()
	if len(books) == 0 {
		s.text("nothing was audited: there is no charge in "+periodText(s.a.Period), "", red)
	}
	for _, t := range books {
		text, st := s.headline(t)
		s.text(text, "", st)
	}
}

func (s *summary) headline(t report.Total) (string, style) {
	_, book := splitBook(t.ProviderBook)
	where := " (" + periodText(s.a.Period) + ", " + short(book) + ")"
	reckoned := "billed"
	if book == "estimate" {
		reckoned = "estimated"
	}
	if s.a.NoAmounts(t) {
		return "no amount of the " + short(book) + " is known: what should not have been paid cannot be told in money" + where, yellow
	}
	billed := money(t.Currency, t.Billed)
	if t.GuessedAtNothing() {
		return "what was paid twice of " + billed + " estimated is " + notMeasure +
			": a gateway prices failed calls at 0" + where, yellow
	}
	if isZero(t.Excess) {
		return s.clean(t, where)
	}
	if _, ok := value(t.Excess); !ok {
		return "how much of " + billed + " " + reckoned + " should not have been paid is unknown" + where, yellow
	}
	atLeast := ""
	if t.AtLeast {
		atLeast = "at least "
	}
	excess, billed := moneyOf(t.Currency, t.Excess, t.Billed)
	text := atLeast + excess + " of " + atLeast + billed + " " + reckoned + " should not have been paid"
	if part := share(t.Excess, t.Billed); part != "" {
		text += ": " + part
		if t.AtLeast {
			text += " of what is known"
		}
	}
	return text + where, red
}

// openText says how much of a book was not judged, where that is much: "USD 7.25 of USD 19.00
// (38.2 %) is not explained by the log".
func openText(t report.Total) (string, bool) {
	rest, why, much := t.NotJudged()
	if !much {
		return "", false
	}
	sum, whole := moneyOf(t.Currency, rest, t.Billed)
	text := sum + " of " + whole
	if t.AtLeast {
		text = "at least " + sum + " of at least " + whole
	}
	if part := share(rest, t.Billed); part != "" {
		text += " (" + part + ")"
	}
	return text + " is " + why, true
}

// clean is the sentence where no excess was found. It calls a bill clean only if the log
// explains charges of it, most of its money was judged and no check failed: an audit of
// nothing finds nothing.
func (s *summary) clean(t report.Total, where string) (string, style) {
	of := " of " + money(t.Currency, t.Billed) + " billed"
	if _, explained := s.explained(); explained == 0 {
		return "nothing was found to be paid twice" + of +
			", but the log explains none of the charges: this is no clean bill" + where, yellow
	}
	if open, ok := openText(t); ok {
		text := "nothing was found to be paid twice"
		if t.AtLeast {
			text += " in what could be read"
		}
		return text + "; but " + open + where, yellow
	}
	if len(s.failing()) > 0 {
		return "nothing was found to be paid twice" + of + where, yellow
	}
	text, st := "nothing was paid twice"+of, green
	if t.AtLeast {
		text, st = "nothing was found to be paid twice in what could be read"+of, yellow
	}
	if d, ok := value(t.Unsettled); ok && !d.IsZero() {
		text += ", of which " + money(t.Currency, t.Unsettled) + " is not settled yet"
	}
	return text + where, st
}

// money is an amount with its currency, which never part at the end of a line.
func money(currency string, m report.Money) string {
	text := unknown
	if d, ok := value(m); ok {
		text = amount(d, places(maxPlaces, d))
	}
	return currencyName(currency) + string(noBreak) + text
}

// moneyOf is a part and a whole, with equally many decimals.
func moneyOf(currency string, part, whole report.Money) (partText, wholeText string) {
	p, okP := value(part)
	w, okW := value(whole)
	if !okP || !okW {
		return money(currency, part), money(currency, whole)
	}
	n := places(maxPlaces, p, w)
	name := currencyName(currency) + string(noBreak)
	return name + amount(p, n), name + amount(w, n)
}

// currencyWidth is how much of a currency's code is shown; ISO's have three letters.
const currencyWidth = 16

// currencyName is the code, or a question mark for ISO's "no currency".
func currencyName(code string) string {
	if code == "" || code == "XXX" {
		return "XXX"
	}
	return Cut(Clean(code), currencyWidth)
}
