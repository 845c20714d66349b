package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/words"
)

// What page and workbook both say is said here once, so that the two never differ.

// Title is the name of the report.
const Title = "Retry audit of LLM API charges"

// Term is a word of the report and what it means, in English.
type Term struct{ Name, Meaning string }

// LedgerTerms explain the parts of a bill, in the order of Parts; billed is the sum of all others.
var LedgerTerms = []Term{
	{"Billed", "All charge lines of the period, refunds and credits included."},
	{"Delivered", "Paid for answers that were used."},
	{"Excess", "Should not have been paid: the call was delivered by another charge, or was not billable."},
	{"Undelivered", "Paid for calls that never got an answer."},
	{"Orphan", "Charges that no log line explains, or not surely enough."},
	{"Unsettled", "Too recent: late lines could still change the verdict."},
	{"Adjustments", "Refunds, credits, taxes and corrections, in the month of their date."},
}

// BookWords is a book as finance would say it; one that is not known stays as it is.
func BookWords(book string) string {
	switch book {
	case "bill":
		return "the vendor's bill"
	case "estimate":
		return "a gateway's estimate"
	}
	return book
}

// RecoveryWords is who can get an excess back; one that is not known stays as it is.
func RecoveryWords(recovery string) string {
	switch recovery {
	case "vendor_dispute":
		return "claim from the vendor"
	case "own_policy":
		return "own retries"
	}
	return recovery
}

// Book is "bill" of "openai/bill".
func (t Total) Book() string { return t.ProviderBook[strings.LastIndex(t.ProviderBook, "/")+1:] }

// Paid is the book that is paid.
func (wb *Workbook) Paid() string { return cmp.Or(wb.PaidBook, "bill") }

// Books are the totals over all providers, the paid book first.
func (wb *Workbook) Books() []Total {
	var paid, others []Total
	for _, t := range wb.Audit.Totals {
		switch {
		case !strings.HasPrefix(t.ProviderBook, "all/"):
		case t.Book() == wb.Paid():
			paid = append(paid, t)
		default:
			others = append(others, t)
		}
	}
	return append(paid, others...)
}

// Main is the book and currency that charts draw, and whose share heads the report: of the paid book's currencies in which there is an
// excess, the one with most charges; the first of those that have equally many. Where the paid book has no excess, another book's is
// taken; false if there is none at all. Currencies are not compared by money, as that would need a rate.
func (wb *Workbook) Main() (book, currency string, ok bool) {
	most := int64(-1)
	for _, t := range wb.Books() {
		charges, excess := int64(0), false
		for _, v := range wb.Audit.Verdicts {
			if v.Book == t.Book() && v.Currency == t.Currency {
				d, err := decimal.NewFromString(string(v.Excess))
				charges, excess = charges+v.Charges, excess || err == nil && d.IsPositive()
			}
		}
		if !excess || ok && (book == wb.Paid()) != (t.Book() == wb.Paid()) || charges <= most {
			continue
		}
		book, currency, most, ok = t.Book(), t.Currency, charges, true
	}
	return book, currency, ok
}

// Limit is one thing that keeps the numbers from being the whole truth.
type Limit struct{ Topic, Text string }

// Limits are these in a language. amount writes money with its currency, lead a kind of lead, count a whole number, as
// page and workbook show them.
func (wb *Workbook) Limits(l words.Lang, amount func(m Money, currency string) string, lead func(kind string) string, count func(int64) string) (out []Limit) {
	say := func(topic, text string) { out = append(out, Limit{topic, text}) }
	a := wb.Audit
	for _, t := range wb.Books() {
		part := func(m Money) string {
			text := amount(m, t.Currency)
			if share := ShareText(m, t.Billed); share != "" {
				text += " (" + share + ")"
			}
			return text
		}
		book := l.T(BookWords(t.Book()))
		if some(t.Unsettled) {
			say(l.T("Not settled"), l.T("%s of %s lies too near the edge of the data: later lines of log or bill can change its verdict. It is in no finding.", part(t.Unsettled), book))
		}
		if some(t.Orphan) {
			say(l.T("Not explained by the log"), l.T("%s of %s has no attempt in the log that surely explains it. It is not called excess.", part(t.Orphan), book))
		}
		if t.AtLeast {
			say(l.T("At least"), l.T("Amounts of %s in %s are unknown, or lines could not be read: its sums are at least what is shown.", book, t.Currency))
		}
	}
	var charges, explained int64
	for _, c := range a.Coverage {
		charges, explained = charges+c.Charges, explained+c.Explained
	}
	if charges > 0 {
		say(l.T("Coverage"), l.T("%s of %s usage charges are explained by a line of the log: %s %%. A service that does not log finds nothing, which is not the same as clean.",
			count(explained), count(charges), strings.TrimSuffix(ShareText(Money(strconv.FormatInt(explained, 10)), Money(strconv.FormatInt(charges, 10))), " %")))
	}
	for _, x := range a.Leads {
		say(l.T("Leads"), l.T("%d × %s, %s: likely, not certain, and in no sum above.", x.Calls, lead(x.Kind), amount(x.Amount, x.Currency)))
	}
	var rejected, rows int64
	for _, in := range a.Inputs {
		rejected, rows = rejected+in.Rejected, rows+in.Rows
	}
	if rejected > 0 {
		say(l.T("Lines not read"), l.T("%s of %s lines could not be read: the sheet Exceptions and rejects.csv.", count(rejected), count(rows)))
	}
	for _, w := range slices.DeleteFunc(slices.Clone(a.Warnings), func(w Warning) bool { return w.Code != "id_reuse" }) {
		say(l.T("Reused ids"), l.Of(w.Text))
	}
	return out
}

// some says whether an amount is known and not nothing.
func some(m Money) bool {
	d, err := decimal.NewFromString(string(m))
	return err == nil && m != "" && !d.IsZero()
}

// ShareText is a part of a whole in per cent with two decimals, or "" where that says nothing. Something is
// never nothing, and less than all is never all.
func ShareText(part, whole Money) string {
	p, err1 := decimal.NewFromString(string(part))
	w, err2 := decimal.NewFromString(string(whole))
	if err1 != nil || err2 != nil || !w.IsPositive() {
		return ""
	}
	share := p.Mul(decimal.New(100, 0)).DivRound(w, 2)
	switch {
	case share.IsZero() && p.IsPositive():
		return "<0.01 %"
	case share.IsZero() && p.IsNegative():
		return ">-0.01 %"
	case share.Equal(decimal.New(100, 0)) && p.LessThan(w):
		return ">99.99 %"
	}
	return share.StringFixed(2) + " %"
}

// ShareInBrackets is ShareText as it stands behind an amount: " (12.34 %)", or "".
func ShareInBrackets(part, whole Money) string {
	if text := ShareText(part, whole); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// NoAmounts tells whether no amount of a book is known: its sums are of nothing, which is not
// the same as sums of 0.
func (a *Audit) NoAmounts(t Total) bool {
	if !t.AtLeast || some(t.Billed) {
		return false
	}
	unknown := false
	for _, v := range a.Verdicts {
		if v.Book != t.Book() || v.Currency != t.Currency {
			continue
		}
		if v.Amount != "" {
			return false
		}
		unknown = true
	}
	return unknown
}

// GuessedAtNothing tells whether a gateway's estimate found nothing paid twice, which it cannot: it prices failed calls at 0.
func (t Total) GuessedAtNothing() bool {
	return t.Book() == "estimate" && t.Excess != "" && !some(t.Excess)
}
