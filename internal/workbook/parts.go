package workbook

import "retrytax/internal/report"

// partColumns are the parts of the ledger as columns, in the order of the Summary. sum is the look of a row's sums.
func partColumns[R any](parts func(*R) *report.Parts, share func(*R) *float64, sum func(*R) kind) []column[R] {
	part := func(key, title string, get func(*report.Parts) report.Money) column[R] {
		c := amount(title, func(r *R) report.Money { return get(parts(r)) }).as(key)
		c.cell = func(r *R) value {
			k := sum(r)
			if m := get(parts(r)); key == "adjustments" || isZero(m) {
				k = kindMoney
			}
			return money(k, get(parts(r)))
		}
		return c
	}
	return []column[R]{
		part("billed", "Billed", func(p *report.Parts) report.Money { return p.Billed }),
		part("delivered", "Delivered", func(p *report.Parts) report.Money { return p.Delivered }),
		part("excess", "Excess", func(p *report.Parts) report.Money { return p.Excess }),
		{key: "share", title: "Excess, share of billed", number: true, widest: 14, cell: func(r *R) value {
			if f := share(r); f != nil {
				return fraction(kindShare, f)
			}
			return muted("–")
		}},
		part("undelivered", "Undelivered", func(p *report.Parts) report.Money { return p.Undelivered }),
		part("orphan", "Orphan", func(p *report.Parts) report.Money { return p.Orphan }),
		part("unsettled", "Unsettled", func(p *report.Parts) report.Money { return p.Unsettled }),
		part("adjustments", "Adjustments", func(p *report.Parts) report.Money { return p.Adjustments }),
	}
}

// ledgerKeys are the keys of partColumns in the order of ledgerTerms.
var ledgerKeys = []string{"billed", "delivered", "excess", "undelivered", "orphan", "unsettled", "adjustments"}

// partsOf are the parts of a total.
func partsOf(t report.Total) []report.Money {
	return []report.Money{t.Billed, t.Delivered, t.Excess, t.Undelivered, t.Orphan, t.Unsettled, t.Adjustments}
}

// ledgerTotals are the rows under a table of parts: one a book and currency, with the ledger's sums.
func (b *builder) ledgerTotals(charges func(book, currency string) int64) []total {
	var out []total
	for _, t := range b.wholeBooks() {
		row := total{label: b.t("Total, %s, %s", b.t(bookWords(book(t))), t.Currency), book: book(t), currency: t.Currency, atLeast: t.AtLeast,
			amounts: map[string]report.Money{}, counts: map[string]int64{"charges": charges(book(t), t.Currency)}}
		row.share, _ = shareOf(t.Excess, t.Billed)
		for i, m := range partsOf(t) {
			row.amounts[ledgerKeys[i]] = m
		}
		out = append(out, row)
	}
	return out
}

// wholeBooks are the totals over all providers, the paid book first.
func (b *builder) wholeBooks() []report.Total { return b.wb.Books() }

// chargesOf adds up the charges of rows of a book and currency.
func chargesOf[R any](rows []R, of func(*R) (book, currency string, charges int64)) func(book, currency string) int64 {
	return func(book, currency string) int64 {
		var n int64
		for i := range rows {
			if b, c, charges := of(&rows[i]); b == book && c == currency {
				n += charges
			}
		}
		return n
	}
}
