package workbook

import "retrytax/internal/report"

type duplicatedRow = report.DuplicatedRow

// newDuplicated is the sheet Duplicated requests: the calls that were paid for more than once, one
// row per call, book and currency, the dearest first. Its numbers are those of the sheet Evidence.
func (b *builder) newDuplicated() (err error) {
	zone := " (" + b.zone.String() + ")"
	sum := func(title string, get func(*duplicatedRow) (report.Money, bool)) column[duplicatedRow] {
		c := amount(title, func(r *duplicatedRow) report.Money { m, _ := get(r); return m })
		c.cell = func(r *duplicatedRow) value { m, atLeast := get(r); return money(sumKind(atLeast), m) }
		return c
	}
	columns := []column[duplicatedRow]{
		count("No.", func(r *duplicatedRow) value { return whole(r.Place) }),
		ident("Request", func(r *duplicatedRow) string { return r.RequestID }),
		count("Call of this request", func(r *duplicatedRow) value { return whole(r.Call) }),
		wordsOf("Provider", func(r *duplicatedRow) string { return r.Provider }),
		wordsOf("Model", func(r *duplicatedRow) string { return r.Model }),
		sum("Paid", func(r *duplicatedRow) (report.Money, bool) { return r.Paid, r.DueAtLeast || r.ExcessAtLeast }).as("paid"),
		sum("Due", func(r *duplicatedRow) (report.Money, bool) { return r.Due, r.DueAtLeast }).as("due"),
		sum("Excess", func(r *duplicatedRow) (report.Money, bool) { return r.Excess, r.ExcessAtLeast }).as("excess"),
		wordsOf("Currency", func(r *duplicatedRow) string { return r.Currency }).as("currency"),
		count("Charges", func(r *duplicatedRow) value { return whole(r.Charges) }).as("charges"),
		count("Attempts", func(r *duplicatedRow) value { return whole(r.Attempts) }),
		wordsOf("Layers in the log", func(r *duplicatedRow) string { return r.Layers }),
		wordsOf("Causes", func(r *duplicatedRow) string { return b.causes(r.Verdicts) }),
		{title: "First attempt", suffix: zone, cell: func(r *duplicatedRow) value { return moment(r.FirstAt, b.zone) }},
		{title: "Last attempt", suffix: zone, cell: func(r *duplicatedRow) value { return moment(r.LastAt, b.zone) }},
		wordsOf("Book", func(r *duplicatedRow) string { return r.Book }).as("book"),
	}
	b.duplicated, err = newGrid(b, layout{name: b.t("Duplicated requests"), freeze: 2}, columns, report.RowsOf(b.wb.Duplicated),
		b.t("No request was paid for more than once in this period."))
	return err
}
