package workbook

import (
	"slices"

	"retrytax/internal/report"
)

type evidenceRow = report.EvidenceRow

// newEvidence is the sheet Evidence: all charges of the calls that were paid for more than once, a call
// under the other, each with what it takes to find it at the vendor's and in the logs. What and how much
// come first, then why, then where.
func (b *builder) newEvidence() (err error) {
	columns := slices.Concat(b.evidenceCharge(), b.evidenceReason(), b.evidenceAttempt(), evidenceOrigin())
	b.evidence, err = newGrid(b, layout{name: b.t("Evidence"), freeze: 2, wide: 3}, columns, b.wb.Evidence, b.t("No excess charges in this period."))
	if err == nil {
		b.evidence.begins = groups()
	}
	return err
}

// groups says of each row whether it begins another call than the one before.
func groups() func(*evidenceRow) bool {
	last := int64(-1)
	return func(r *evidenceRow) bool {
		place := int64(0)
		if r.Place != nil {
			place = *r.Place
		}
		begins := place != last
		last = place
		return begins
	}
}

func (b *builder) evidenceCharge() []column[evidenceRow] {
	zone := " (" + b.zone.String() + ")"
	return []column[evidenceRow]{
		count("Call no.", func(r *evidenceRow) value { return known(r.Place) }).as("place"),
		ident("Charge", func(r *evidenceRow) string { return r.ChargeID }),
		{title: "Charged at", suffix: zone, cell: func(r *evidenceRow) value { return moment(r.ChargedAt, b.zone) }},
		wordsOf("Provider", func(r *evidenceRow) string { return r.Provider }),
		wordsOf("Model", func(r *evidenceRow) string { return r.Model }),
		amount("Amount", func(r *evidenceRow) report.Money { return r.Amount }).as("amount"),
		amount("Excess", func(r *evidenceRow) report.Money { return r.Excess }).as("excess"),
		wordsOf("Currency", func(r *evidenceRow) string { return r.Currency }).as("currency"),
		wordsOf("Verdict", func(r *evidenceRow) string { return b.verdictName(r.Verdict) }),
		wordsOf("Recovery", func(r *evidenceRow) string { return b.recoveryName(r.Recovery) }),
		ident("Request", func(r *evidenceRow) string { return r.RequestID }),
		ident("Charge that was delivered", func(r *evidenceRow) string { return r.DeliveredChargeID }),
		count("Input tokens", func(r *evidenceRow) value { return known(r.InputTokens) }),
		count("of these from cache", func(r *evidenceRow) value { return known(r.CachedTokens) }),
		count("Output tokens", func(r *evidenceRow) value { return known(r.OutputTokens) }),
		wordsOf("Finish reason", func(r *evidenceRow) string { return r.FinishReason }),
	}
}

func (b *builder) evidenceReason() []column[evidenceRow] {
	why := wordsOf("Why: the rule that holds", func(r *evidenceRow) string { return b.reasonName(r.Reason) })
	why.widest = 70
	return []column[evidenceRow]{
		why,
		wordsOf("Matched by", func(r *evidenceRow) string { return b.matchName(r.Match) }),
		ident("Confidence", func(r *evidenceRow) string { return r.Confidence }),
		wordsOf("Other model or provider", func(r *evidenceRow) string { return b.yes(r.Rerouted) }),
	}
}

func (b *builder) evidenceAttempt() []column[evidenceRow] {
	zone := " (" + b.zone.String() + ")"
	return []column[evidenceRow]{
		count("Attempt", func(r *evidenceRow) value { return known(r.Attempt) }),
		{title: "Attempt began", suffix: zone, cell: func(r *evidenceRow) value { return momentOr(r.AttemptStarted, b.zone) }},
		{title: "Attempt ended", suffix: zone, cell: func(r *evidenceRow) value { return momentOr(r.AttemptEnded, b.zone) }},
		wordsOf("Outcome", func(r *evidenceRow) string { return r.AttemptOutcome }),
		wordsOf("Stage reached", func(r *evidenceRow) string { return r.Stage }),
		ident("Vendor's receipt", func(r *evidenceRow) string { return r.VendorRequestID }),
		ident("Idempotency key", func(r *evidenceRow) string { return r.IdempotencyKey }),
	}
}

func evidenceOrigin() []column[evidenceRow] {
	return []column[evidenceRow]{
		wordsOf("Book", func(r *evidenceRow) string { return r.Book }).as("book"),
		ident("Line item", func(r *evidenceRow) string { return r.LineItem }),
		wordsOf("File of the charge", func(r *evidenceRow) string { return r.SourceFile }),
		count("Line", func(r *evidenceRow) value { return whole(r.SourceLine) }),
	}
}

func (b *builder) yes(is bool) string {
	if is {
		return b.t("yes")
	}
	return ""
}
