package workbook

import "retrytax/internal/report"

type modelRow = report.ModelRow

// newModels is the sheet By model: the ledger of each model, book and currency.
func (b *builder) newModels() (err error) {
	columns := []column[modelRow]{
		wordsOf("Model", func(r *modelRow) string {
			if r.Model == "" {
				return b.t("(the bill names none)")
			}
			return r.Model
		}).as("model"),
		wordsOf("Provider", func(r *modelRow) string { return r.Provider }),
		wordsOf("Book", func(r *modelRow) string { return r.Book }).as("book"),
		wordsOf("Currency", func(r *modelRow) string { return r.Currency }).as("currency"),
		count("Charges", func(r *modelRow) value { return whole(r.Charges) }).as("charges"),
	}
	columns = append(columns, partColumns(func(r *modelRow) *report.Parts { return &r.Parts }, func(r *modelRow) *float64 { return r.ExcessShare },
		func(r *modelRow) kind { return b.moneyKind(r.Provider, r.Book, r.Currency) })...)
	columns = append(columns,
		count("Input tokens", func(r *modelRow) value { return wholeOr(r.InputTokens, unknown) }),
		count("of these from cache", func(r *modelRow) value { return wholeOr(r.CachedTokens, unknown) }),
		count("Output tokens", func(r *modelRow) value { return wholeOr(r.OutputTokens, unknown) }))
	b.models, err = newGrid(b, layout{name: b.t("By model"), freeze: 1, table: "ByModel"}, columns, report.RowsOf(b.wb.Models), b.t("No charges in this period."))
	if err == nil {
		b.models.totals = b.ledgerTotals(chargesOf(b.wb.Models, func(r *modelRow) (string, string, int64) { return r.Book, r.Currency, r.Charges }))
		b.models.layout.notes = b.notesOf(len(b.wb.Models), "Models have the name under which the bill knows them. Books and currencies are never added up.")
	}
	return err
}

type keyRow = report.KeyRow

// newKeys is the sheet By key: the ledger of each API key, book and currency.
func (b *builder) newKeys() (err error) {
	columns := []column[keyRow]{
		ident("API key", func(r *keyRow) string {
			if r.APIKey == "" {
				return b.t("(the bill names none)")
			}
			return r.APIKey
		}),
		wordsOf("Provider", func(r *keyRow) string { return r.Provider }),
		wordsOf("Book", func(r *keyRow) string { return r.Book }).as("book"),
		wordsOf("Currency", func(r *keyRow) string { return r.Currency }).as("currency"),
		count("Charges", func(r *keyRow) value { return whole(r.Charges) }).as("charges"),
	}
	columns = append(columns, partColumns(func(r *keyRow) *report.Parts { return &r.Parts }, func(r *keyRow) *float64 { return r.ExcessShare },
		func(r *keyRow) kind { return b.moneyKind(r.Provider, r.Book, r.Currency) })...)
	b.keys, err = newGrid(b, layout{name: b.t("By key"), freeze: 1, table: "ByKey"}, columns, report.RowsOf(b.wb.Keys), b.t("No charges in this period."))
	if err == nil {
		b.keys.totals = b.ledgerTotals(chargesOf(b.wb.Keys, func(r *keyRow) (string, string, int64) { return r.Book, r.Currency, r.Charges }))
		b.keys.layout.notes = b.notesOf(len(b.wb.Keys), "Keys have the name that the bill shows.")
	}
	return err
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
