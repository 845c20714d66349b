package workbook

import "retrytax/internal/report"

type modelRow = report.ModelRow

// writeModels writes the sheet By model: money per model, book and currency. Billed is of all
// lines, so that it ties to the Summary. There is no total, as the rows may be of several
// currencies and books.
func (b *builder) writeModels() error {
	columns := []column[modelRow]{
		words("Model", func(r *modelRow) string { return r.Model }),
		words("Provider", func(r *modelRow) string { return r.Provider }),
		words("Book", func(r *modelRow) string { return r.Book }),
		words("Currency", func(r *modelRow) string { return r.Currency }),
		count("Charges", func(r *modelRow) value { return whole(r.Charges) }),
		b.modelAmount("Billed (all lines)", func(r *modelRow) report.Money { return r.Billed }),
		b.modelAmount("Delivered", func(r *modelRow) report.Money { return r.Delivered }),
		b.modelAmount("Excess", func(r *modelRow) report.Money { return r.Excess }),
		count("Excess, share of billed", func(r *modelRow) value { return fraction(kindShare, r.ExcessShare) }),
		b.modelAmount("Undelivered", func(r *modelRow) report.Money { return r.Undelivered }),
		count("Input tokens", func(r *modelRow) value { return wholeOr(r.InputTokens, unknown) }),
		count("of these from cache", func(r *modelRow) value { return wholeOr(r.CachedTokens, unknown) }),
		count("Output tokens", func(r *modelRow) value { return wholeOr(r.OutputTokens, unknown) }),
	}
	notes := []string{
		"Billed holds all lines of a model, with adjustments and with charges that are orphan or unsettled: per book and currency it adds up to Billed on the Summary.",
		"Delivered, Excess and Undelivered hold settled charges only, so together they may be less than Billed.",
	}
	if len(b.wb.Models) == 0 {
		notes = nil
	}
	return writeTable(b, layout{name: "By model", freeze: 1, notes: notes}, columns, b.wb.Models,
		"No charges in this period.")
}

// modelAmount is an amount that is a sum: it is "at least" where its book says so.
func (b *builder) modelAmount(title string, get func(*modelRow) report.Money) column[modelRow] {
	c := amount(title, get)
	c.cell = func(r *modelRow) value { return money(b.moneyKind(r.Provider, r.Book, r.Currency), get(r)) }
	return c
}

// moneyKind marks the sums of a book and currency in which something is unknown. A provider
// without a line of its own goes by its book as a whole.
func (b *builder) moneyKind(provider, book, currency string) kind {
	whole := kindMoney
	for _, t := range b.audit.Totals {
		if t.Currency != currency || !t.AtLeast {
			continue
		}
		if t.ProviderBook == provider+"/"+book {
			return kindMoneyAtLeast
		}
		if t.ProviderBook == allProviders+book {
			whole = kindMoneyAtLeast
		}
	}
	for _, t := range b.audit.Totals {
		if t.Currency == currency && t.ProviderBook == provider+"/"+book {
			return kindMoney
		}
	}
	return whole
}
