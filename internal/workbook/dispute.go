package workbook

import (
	"fmt"

	"github.com/xuri/excelize/v2"

	"retrytax/internal/report"
)

type disputeRow = report.DisputeRow

// newDisputes is the sheet Dispute: only what the vendor should give back, with what it needs to find
// it in its own books.
func (b *builder) newDisputes() (err error) {
	zone := " (" + b.zone.String() + ")"
	columns := []column[disputeRow]{
		ident("Finding", func(r *disputeRow) string { return r.Finding }),
		wordsOf("Vendor", func(r *disputeRow) string { return r.Vendor }).as("vendor"),
		ident("Charge", func(r *disputeRow) string { return r.ChargeID }),
		{title: "Charged at", suffix: zone, cell: func(r *disputeRow) value { return moment(r.ChargedAt, b.zone) }},
		wordsOf("Model", func(r *disputeRow) string { return r.Model }),
		amount("Billed", func(r *disputeRow) report.Money { return r.Amount }),
		amount("Refunded", func(r *disputeRow) report.Money { return r.Refunded }).as("refunded"),
		amount("Claim", func(r *disputeRow) report.Money { return r.Claim }).as("claim"),
		wordsOf("Currency", func(r *disputeRow) string { return r.Currency }).as("currency"),
		wordsOf("Why it is not due", func(r *disputeRow) string { return b.t(report.DisputeReason(r)) }),
		wordsOf("State", func(r *disputeRow) string { return string(r.State) }).as("state"),
		{title: "Recovered", number: true, key: "recovered", amount: func(r *disputeRow) report.Money { return r.Recovered }, cell: func(r *disputeRow) value {
			if r.Recovered == "" {
				return blank
			}
			return money(kindMoney, r.Recovered)
		}},
		wordsOf("Note", func(r *disputeRow) string { return r.Note }),
		ident("Charge that was delivered", func(r *disputeRow) string { return r.DeliveredChargeID }),
		ident("Request", func(r *disputeRow) string { return r.RequestID }),
		ident("Vendor's receipt", func(r *disputeRow) string { return r.VendorRequestID }),
		ident("Idempotency key", func(r *disputeRow) string { return r.IdempotencyKey }),
		count("Input tokens", func(r *disputeRow) value { return known(r.InputTokens) }),
		count("Output tokens", func(r *disputeRow) value { return known(r.OutputTokens) }),
		ident("API key", func(r *disputeRow) string { return r.APIKey }),
		ident("Line item", func(r *disputeRow) string { return r.LineItem }),
		wordsOf("File of the charge", func(r *disputeRow) string { return r.SourceFile }),
		count("Line", func(r *disputeRow) value { return whole(r.SourceLine) }),
	}
	columns[9].widest = 90
	b.disputes, err = newGrid(b, layout{name: b.t("Dispute"), freeze: 1, wide: 2}, columns, report.RowsOf(b.wb.Disputes),
		b.t("Nothing that a vendor should give back was found in this period."))
	if err == nil {
		b.disputes.finish = func(s *sheet) error { return s.offerStates(b.disputes.ref) }
	}
	return err
}

// offerStates lets the reader choose a state from a list.
func (s *sheet) offerStates(r ref) error {
	letters, ok := r.letters["state"]
	if !ok || r.rows == 0 {
		return nil
	}
	v := excelize.NewDataValidation(true)
	v.SetSqref(fmt.Sprintf("%s2:%s%d", letters, letters, s.row))
	names := make([]string, len(report.States))
	for i, state := range report.States {
		names[i] = string(state)
	}
	if err := v.SetDropList(names); err != nil {
		return err
	}
	return s.b.file.AddDataValidation(s.name, v)
}
