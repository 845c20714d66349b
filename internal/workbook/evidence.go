package workbook

import (
	"slices"

	"retrytax/internal/report"
)

type evidenceRow = report.EvidenceRow

// writeEvidence writes the sheet Evidence: the charges that should not have been paid, each
// with what it takes to find it at the vendor's and in the logs. What and how much come
// first, then why, then where.
func (b *builder) writeEvidence() error {
	columns := slices.Concat(b.evidenceCharge(), evidenceReason(), b.evidenceAttempt(), evidenceOrigin())
	return writeTable(b, layout{name: "Evidence", freeze: 1, wide: 3}, columns, b.wb.Evidence,
		"No excess charges in this period.")
}

func (b *builder) evidenceCharge() []column[evidenceRow] {
	zone := " (" + b.zone.String() + ")"
	return []column[evidenceRow]{
		ident("Charge", func(r *evidenceRow) string { return r.ChargeID }),
		{title: "Charged at" + zone, cell: func(r *evidenceRow) value { return moment(r.ChargedAt, b.zone) }},
		words("Provider", func(r *evidenceRow) string { return r.Provider }),
		words("Model", func(r *evidenceRow) string { return r.Model }),
		amount("Amount", func(r *evidenceRow) report.Money { return r.Amount }),
		amount("Excess", func(r *evidenceRow) report.Money { return r.Excess }),
		words("Currency", func(r *evidenceRow) string { return r.Currency }),
		words("Verdict", func(r *evidenceRow) string { return r.Verdict }),
		words("Recovery", func(r *evidenceRow) string { return recoveryWords(r.Recovery) }),
		ident("Request", func(r *evidenceRow) string { return r.RequestID }),
		ident("Charge that was delivered", func(r *evidenceRow) string { return r.DeliveredChargeID }),
		count("Input tokens", func(r *evidenceRow) value { return wholeOr(r.InputTokens, "") }),
		count("of these from cache", func(r *evidenceRow) value { return wholeOr(r.CachedTokens, "") }),
		count("Output tokens", func(r *evidenceRow) value { return wholeOr(r.OutputTokens, "") }),
		words("Finish reason", func(r *evidenceRow) string { return r.FinishReason }),
	}
}

func evidenceReason() []column[evidenceRow] {
	why := words("Why: the rule that holds", func(r *evidenceRow) string { return r.Reason })
	why.widest = 70
	return []column[evidenceRow]{
		why,
		words("Matched by", func(r *evidenceRow) string { return r.Match }),
		ident("Confidence", func(r *evidenceRow) string { return r.Confidence }),
		words("Other model or provider", func(r *evidenceRow) string { return yes(r.Rerouted) }),
	}
}

func (b *builder) evidenceAttempt() []column[evidenceRow] {
	zone := " (" + b.zone.String() + ")"
	return []column[evidenceRow]{
		count("Attempt", func(r *evidenceRow) value { return wholeOr(r.Attempt, "") }),
		{title: "Attempt began" + zone, cell: func(r *evidenceRow) value { return momentOr(r.AttemptStarted, b.zone) }},
		{title: "Attempt ended" + zone, cell: func(r *evidenceRow) value { return momentOr(r.AttemptEnded, b.zone) }},
		words("Outcome", func(r *evidenceRow) string { return r.AttemptOutcome }),
		words("Stage reached", func(r *evidenceRow) string { return r.Stage }),
		ident("Vendor's receipt", func(r *evidenceRow) string { return r.VendorRequestID }),
		ident("Idempotency key", func(r *evidenceRow) string { return r.IdempotencyKey }),
	}
}

func evidenceOrigin() []column[evidenceRow] {
	return []column[evidenceRow]{
		words("Book", func(r *evidenceRow) string { return r.Book }),
		ident("Line item", func(r *evidenceRow) string { return r.LineItem }),
		words("File of the charge", func(r *evidenceRow) string { return r.SourceFile }),
		count("Line", func(r *evidenceRow) value { return whole(r.SourceLine) }),
	}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
