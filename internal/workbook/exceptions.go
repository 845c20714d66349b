package workbook

import "retrytax/internal/report"

type exceptionRow = report.ExceptionRow

// newExceptions is the sheet Exceptions: what was kept out of the headline, and why.
func (b *builder) newExceptions() (err error) {
	reason := wordsOf("Reason", func(r *exceptionRow) string { return b.exceptionReason(r) })
	reason.widest = 60
	columns := []column[exceptionRow]{
		wordsOf("What", func(r *exceptionRow) string { return b.t(exceptionWords(r.Kind)) }),
		reason,
		{title: "Time", suffix: " (" + b.zone.String() + ")", cell: func(r *exceptionRow) value { return momentOr(r.At, b.zone) }},
		wordsOf("Provider", func(r *exceptionRow) string { return r.Provider }),
		wordsOf("Book", func(r *exceptionRow) string { return r.Book }),
		ident("Charge", func(r *exceptionRow) string { return r.ChargeID }),
		ident("Request", func(r *exceptionRow) string { return r.RequestID }),
		wordsOf("Model", func(r *exceptionRow) string { return r.Model }),
		amount("Amount", func(r *exceptionRow) report.Money { return r.Amount }),
		wordsOf("Currency", func(r *exceptionRow) string { return r.Currency }),
		wordsOf("File", func(r *exceptionRow) string { return r.SourceFile }),
		count("Line", func(r *exceptionRow) value { return known(r.SourceLine) }),
	}
	for i := range columns {
		if columns[i].title == "Amount" {
			cell := columns[i].cell
			columns[i].cell = func(r *exceptionRow) value {
				if r.Amount == "" && (r.Kind == "reject" || r.Kind == "unbilled") {
					return blank // these have no amount; it is not one that is unknown
				}
				return cell(r)
			}
		}
	}
	b.exceptions, err = newGrid(b, layout{name: b.t("Exceptions"), freeze: 1}, columns, b.wb.Exceptions, b.t("Nothing was kept out of the headline."))
	return err
}
