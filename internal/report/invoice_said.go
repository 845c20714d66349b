package report

import (
	"slices"

	"retrytax/internal/words"
)

// Caveat is the verdict where a plain one would claim more than was shown: lines were not read, tell no
// period, or hide a unit in their rounding. It is "" where the plain one holds.
func (i *Invoice) Caveat(l words.Lang) string {
	differing, places := i.Differing()
	agrees := i.Result == InvoiceEqual || i.Result == InvoiceRounded
	switch {
	case i.Result == InvoiceUnread && i.Unread == 1:
		return l.T("The invoice is not shown to agree: 1 line of it could not be read; those that could agree with the charges")
	case i.Result == InvoiceUnread:
		return l.T("The invoice is not shown to agree: %d lines of it could not be read; those that could agree with the charges", i.Unread)
	case i.Result == InvoiceDiffers && len(i.Totals) == 0:
		return l.T("The invoice was not held against charges, of which the period has none; its lines do not add up to the sum that was named")
	case i.Result == InvoiceDiffers && i.Unread > 0 && differing == 0:
		return l.T("The lines of the invoice that could be read agree with the charges, but not with the sum that was named; lines that could not be read: %d", i.Unread)
	case i.Result == InvoiceDiffers && i.Unread > 0:
		return l.T("The invoice differs from the charges in %d of %d places; lines of it that could not be read, and are in none of them: %d", differing, places, i.Unread)
	case i.Result == InvoiceDiffers && differing == 0 && i.SumUnheld():
		return l.T("The lines of the invoice agree with the charges, but none of them is in the currency of the sum that was named")
	case i.Result == InvoiceDiffers && differing == 0:
		return l.T("The lines of the invoice agree with the charges, but not with the sum that was named")
	case agrees && i.Undated == 1:
		return l.T("The invoice agrees with the charges if its lines are of this period, which 1 line does not tell")
	case agrees && i.Undated > 0:
		return l.T("The invoice agrees with the charges if its lines are of this period, which %d lines do not tell", i.Undated)
	case i.Result == InvoiceRounded && i.hiding() > 0:
		return l.T("The invoice agrees with the charges as far as the rounding of its own lines lets see")
	case i.Result == InvoiceNothing && i.Prices != nil && !i.named():
		return l.T("No invoice was named: the charges were held against the price list alone")
	}
	return ""
}

// named tells that there was an invoice, with amounts or without.
func (i *Invoice) named() bool {
	return i.Bill != nil || i.Stated != nil || slices.ContainsFunc(i.Inputs, func(f Input) bool { return f.Role == "bills" }) ||
		slices.ContainsFunc(i.Money, func(m CurrencyTotal) bool { return m.Side == "invoice" })
}

// SumUnheld tells that a sum was named and held against nothing: no line of the invoice is in its currency, or there are
// neither lines nor charges.
func (i *Invoice) SumUnheld() bool {
	s := i.Stated
	return s != nil && s.Lines == "" && !slices.ContainsFunc(i.Totals, func(t InvoiceTotal) bool {
		return t.Provider == "all" && t.Currency == s.Currency && t.InvoiceLines > 0
	})
}

// Hides tells in how many places the rounding of the lines could hide a unit of their last decimal; "" where in none.
func (i *Invoice) Hides(l words.Lang) string {
	_, places := i.Differing()
	if i.hiding() == 0 || i.Result != InvoiceRounded && i.Result != InvoiceUnread {
		return ""
	}
	return l.T("In %d of %d places several rounded lines are added up: one of them could be off by one in its last decimal, and nothing here would tell", i.hiding(), places)
}

// hiding counts the places of all providers that could hide one.
func (i *Invoice) hiding() (n int64) {
	for _, t := range i.Totals {
		if t.Provider == "all" {
			n += t.Hiding
		}
	}
	return n
}
