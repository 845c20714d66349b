package workbook

import "retrytax/internal/report"

type duplicatedRow = report.DuplicatedRow

// writeDuplicated writes the sheet Duplicated requests: the calls that were paid for more
// than once, one row per call and currency.
func (b *builder) writeDuplicated() error {
	zone := " (" + b.zone.String() + ")"
	columns := []column[duplicatedRow]{
		ident("Request", func(r *duplicatedRow) string { return r.RequestID }),
		count("Call of this request", func(r *duplicatedRow) value { return whole(r.Call) }),
		words("Provider", func(r *duplicatedRow) string { return r.Provider }),
		words("Book", func(r *duplicatedRow) string { return r.Book }),
		words("Model", func(r *duplicatedRow) string { return r.Model }),
		{title: "First attempt" + zone, cell: func(r *duplicatedRow) value { return moment(r.FirstAt, b.zone) }},
		{title: "Last attempt" + zone, cell: func(r *duplicatedRow) value { return moment(r.LastAt, b.zone) }},
		count("Attempts", func(r *duplicatedRow) value { return whole(r.Attempts) }),
		count("Charges", func(r *duplicatedRow) value { return whole(r.Charges) }),
		words("Verdicts", func(r *duplicatedRow) string { return r.Verdicts }),
		words("Currency", func(r *duplicatedRow) string { return r.Currency }),
		amount("Paid", func(r *duplicatedRow) report.Money { return r.Paid }),
		amount("Due", func(r *duplicatedRow) report.Money { return r.Due }),
		amount("Excess", func(r *duplicatedRow) report.Money { return r.Excess }),
	}
	return writeTable(b, layout{name: "Duplicated requests", freeze: 1}, columns, b.wb.Duplicated,
		"No request was paid for more than once in this period.")
}
