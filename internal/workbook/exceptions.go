package workbook

import "retrytax/internal/report"

type exceptionRow = report.ExceptionRow

// writeExceptions writes the sheet Exceptions: what was kept out of the headline, and why.
func (b *builder) writeExceptions() error {
	reason := words("Reason", func(r *exceptionRow) string { return r.Reason })
	reason.widest = 60
	columns := []column[exceptionRow]{
		words("What", func(r *exceptionRow) string { return exceptionWords(r.Kind) }),
		reason,
		{title: "Time (" + b.zone.String() + ")", cell: func(r *exceptionRow) value { return momentOr(r.At, b.zone) }},
		words("Provider", func(r *exceptionRow) string { return r.Provider }),
		words("Book", func(r *exceptionRow) string { return r.Book }),
		ident("Charge", func(r *exceptionRow) string { return r.ChargeID }),
		ident("Request", func(r *exceptionRow) string { return r.RequestID }),
		words("Model", func(r *exceptionRow) string { return r.Model }),
		amount("Amount", func(r *exceptionRow) report.Money { return r.Amount }),
		words("Currency", func(r *exceptionRow) string { return r.Currency }),
		words("File", func(r *exceptionRow) string { return r.SourceFile }),
		count("Line", func(r *exceptionRow) value { return wholeOr(r.SourceLine, "") }),
	}
	return writeTable(b, layout{name: "Exceptions", freeze: 1}, columns, b.wb.Exceptions,
		"Nothing was kept out of the headline.")
}
