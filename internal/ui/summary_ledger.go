package ui

import (
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
)

// ledger is the identity of one book and currency, as a sum that can be checked by eye.
func (s *summary) ledger(t report.Total) {
	s.heading(s.bookTitle(t))
	if s.a.NoAmounts(t) {
		s.text("no amount is known, so that there is no sum; with --prices FILE a price list gives amounts", "  ", dim)
		return
	}
	parts := []struct {
		sign, name string
		amount     report.Money
		note       string
	}{
		{" ", "delivered", t.Delivered, "paid once, for answers"},
		{"+", "excess", t.Excess, "should not have been paid"},
		{"+", "undelivered", t.Undelivered, "paid for calls that were never answered"},
		{"+", "orphan", t.Orphan, "not explained by the log"},
		{"+", "unsettled", t.Unsettled, "too near the edge of the data to tell"},
		{"+", "adjustments", t.Adjustments, "refunds, credits, taxes"},
		{"=", "billed", t.Billed, ""},
	}
	var shown []report.Money
	for _, part := range parts {
		shown = append(shown, part.amount)
	}
	n := ledgerPlaces(shown[:len(shown)-1], t.Billed)
	tab := table{cols: []column{{}, {}, {title: currencyName(t.Currency), right: true}, {title: "share", right: true, drop: true}, {drop: true}}}
	for _, part := range parts {
		st := normal
		switch {
		case part.name == "billed":
			st = bold
		case part.name == "excess" && !isZero(part.amount):
			st = red
		}
		tab.rows = append(tab.rows, []cell{{part.sign, dim}, {part.name, st}, {fixed(part.amount, n), st},
			{share(part.amount, t.Billed), normal}, {part.note, dim}})
	}
	tab.write(s.page)
	s.besides(t)
	s.byProvider(t)
}

func (s *summary) bookTitle(t report.Total) string {
	_, book := splitBook(t.ProviderBook)
	title := "The " + short(book) + ", " + currencyName(t.Currency) + ", " + periodText(s.a.Period)
	if currencyName(t.Currency) == "XXX" {
		title += " (currency unknown)"
	}
	if book == s.x.PaidBook && s.otherBook(book) {
		title += " · the one that is paid"
	}
	if t.AtLeast {
		title += " · at least: an amount is unknown or a row was rejected"
	}
	return title
}

func (s *summary) otherBook(book string) bool {
	for _, t := range s.books() {
		if _, b := splitBook(t.ProviderBook); b != book {
			return true
		}
	}
	return false
}

// ledgerPlaces is how many decimals the ledger shows: six at most, unless the parts, each
// rounded to them, would no longer add up.
func ledgerPlaces(parts []report.Money, billed report.Money) int32 {
	var values []decimal.Decimal
	exact, rounded := decimal.Zero, decimal.Zero
	for _, m := range parts {
		d, ok := value(m)
		if !ok {
			continue // then nothing adds up anyway
		}
		values = append(values, d)
		exact, rounded = exact.Add(d), rounded.Add(d.Round(maxPlaces))
	}
	if d, ok := value(billed); ok {
		values = append(values, d)
	}
	if rounded.Equal(exact.Round(maxPlaces)) {
		return places(maxPlaces, values...)
	}
	return places(allPlaces, values...)
}

// fixed is an amount with n decimals.
func fixed(m report.Money, n int32) string {
	if d, ok := value(m); ok {
		return amount(d, n)
	}
	return unknown
}

// besides are the amounts that stand beside the identity, where they say something.
func (s *summary) besides(t report.Total) {
	var notes []string
	if !sameMoney(t.ExcessNet, t.Excess) && t.ExcessNet != "" {
		notes = append(notes, "after refunds that name a charge, the excess is "+money(t.Currency, t.ExcessNet))
	}
	if d, ok := value(t.CacheEffect); ok && !d.IsZero() {
		word := "lost caching cost"
		if d.IsNegative() {
			word = "warmed caches saved"
		}
		notes = append(notes, word+" "+money(t.Currency, report.Money(d.Abs().String())))
	}
	if d, ok := value(t.ReroutePremium); ok && !d.IsZero() {
		notes = append(notes, "answers from another model or provider cost "+money(t.Currency, t.ReroutePremium)+" more")
		if d.IsNegative() {
			notes[len(notes)-1] = "answers from another model or provider cost " +
				money(t.Currency, report.Money(d.Abs().String())) + " less"
		}
	}
	if t.CostPerDelivered != "" {
		notes = append(notes, "a delivered call cost "+money(t.Currency, t.CostPerDelivered))
	}
	if len(notes) > 0 {
		s.item(strings.Join(notes, "; "), "  ", dim)
	}
	s.bounds(t)
}

// bounds says how sure the excess is. They are given by currency, for the paid book.
func (s *summary) bounds(t report.Total) {
	if _, book := splitBook(t.ProviderBook); book != s.x.PaidBook {
		return
	}
	for _, b := range s.a.Bounds {
		if b.Currency == t.Currency && !(sameMoney(b.Lower, b.Expected) && sameMoney(b.Expected, b.Upper)) {
			s.item("of the excess, "+money(b.Currency, b.Lower)+" is proven, "+money(b.Currency, b.Expected)+
				" expected, at most "+money(b.Currency, b.Upper)+" possible", "  ", dim)
		}
	}
}

// byProvider splits a book where more than one provider has a part in it.
func (s *summary) byProvider(t report.Total) {
	_, book := splitBook(t.ProviderBook)
	var rows []report.Total
	var billed, excess []decimal.Decimal
	for _, other := range s.a.Totals {
		provider, b := splitBook(other.ProviderBook)
		if provider == "all" || b != book || other.Currency != t.Currency {
			continue
		}
		rows = append(rows, other)
		x, _ := value(other.Billed)
		y, _ := value(other.Excess)
		billed, excess = append(billed, x), append(excess, y)
	}
	if len(rows) < 2 {
		return
	}
	s.blank()
	tab := table{cols: []column{{title: "provider", min: 8, data: true}, {title: "billed, " + currencyName(t.Currency), right: true},
		{title: "excess", right: true}, {title: "share", right: true, drop: true}, {drop: true}}}
	for _, other := range rows {
		provider, _ := splitBook(other.ProviderBook)
		note := ""
		if other.AtLeast {
			note = "at least"
		}
		tab.add(short(provider), fixed(other.Billed, places(maxPlaces, billed...)),
			fixed(other.Excess, places(maxPlaces, excess...)), share(other.Excess, other.Billed), note)
	}
	tab.write(s.page)
}
