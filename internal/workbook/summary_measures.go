package workbook

import (
	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// counts writes how many calls there were, and what happened to them.
func (s *summary) counts() {
	r := s.b.audit.Requests
	s.section(s.t("Calls"))
	s.header(s.t("Calls"), ">"+s.t("Number"), s.t("What it means"))
	for _, c := range []struct {
		name    string
		n       int64
		meaning string
	}{
		{"In the logs", r.Total, "One call is all attempts of one request id for one prompt."},
		{"Succeeded", r.Succeeded, "An answer was delivered."},
		{"Failed", r.Failed, "No attempt delivered an answer."},
		{"State unknown", r.Unknown, "The log ends before the call does."},
		{"Paid more than once", r.Duplicated, "Settled calls with a charge that counts as excess: the sheet Duplicated requests."},
		{"Delivered, without a charge", s.b.audit.Unbilled.Calls, "The bill covers their time and does not have them: the sheet Exceptions."},
		{"Repeated log lines", s.b.audit.Copies.Attempts, "Attempt lines that the log holds twice; counted once."},
	} {
		s.explained(text(s.t(c.name)), []value{whole(c.n), textOf(kindNote, s.t(c.meaning))}, colAmount)
	}
}

// rates writes the measured rates. One that the input cannot tell is not measurable.
func (s *summary) rates() {
	r := s.b.audit.Rates
	s.section(s.t("Rates"))
	s.header(s.t("Rate"), ">"+s.t("Measured"), s.t("What it means"))
	for _, row := range []struct {
		name    string
		kind    kind
		rate    *float64
		meaning string
	}{
		{"Timeout rate", kindShare, r.TimeoutRate, "Attempts that timed out, of all attempts."},
		{"Started fraction", kindShare, r.StartedFraction, "Timed-out attempts that were billed all the same, of those that a bill would show."},
		{"Partial fraction", kindShare, r.PartialFraction, "Charges of timed-out attempts that were billed in part, of all of these."},
		{"Executions per call", kindRatio, r.ExecutionsPerCall, "How often the vendor ran one call, hidden retries included."},
		{"Amplification", kindRatio, r.Amplification, "Executions by the vendor per attempt of the application: above 1, a layer below retries as well."},
		{"Executions per delivered call", kindRatio, r.ExecutionsPerDelivered, "How often the vendor ran for one answer that arrived."},
	} {
		s.explained(text(s.t(row.name)), []value{fraction(row.kind, row.rate), textOf(kindNote, s.t(row.meaning))}, colAmount)
	}
}

// bounds writes the excess as what is proven, expected and possible, per currency.
func (s *summary) bounds() {
	if len(s.b.audit.Bounds) == 0 {
		return
	}
	s.section(s.t("How sure the excess is"))
	titles := []string{s.t("Currency"), "", ">" + s.t("Proven"), ">" + s.t("Expected"), ">" + s.t("Possible")}
	var amounts []report.Money
	for _, r := range s.b.audit.Bounds {
		amounts = append(amounts, r.Lower, r.Expected, r.Upper)
	}
	for _, r := range s.b.audit.Bounds {
		if len(exactCells(r.Lower, r.Expected, r.Upper)) > 0 {
			titles = append(titles, "", "", ">"+s.t("Proven")+s.t(", exact"), ">"+s.t("Expected")+s.t(", exact"), ">"+s.t("Possible")+s.t(", exact"))
			break
		}
	}
	s.header(titles...)
	places := placesOf(amounts...)
	for _, r := range s.b.audit.Bounds {
		s.put(0, text(r.Currency), blank, money(kindMoney, r.Lower).at(places), money(kindStrong, r.Expected).at(places), money(kindMoney, r.Upper).at(places),
			blank, blank, exact(r.Lower), exact(r.Expected), exact(r.Upper))
	}
}

// leads writes the likely findings that no number above contains.
func (s *summary) leads() {
	if len(s.b.audit.Leads) == 0 {
		return
	}
	s.section(s.t("Leads: likely, not certain, in no number above"))
	exactTitle := false
	var amounts []report.Money
	for _, r := range s.b.audit.Leads {
		amounts = append(amounts, r.Amount)
		exactTitle = exactTitle || needsExact(r.Amount)
	}
	titles := []string{s.t("Kind"), ">" + s.t("Calls"), ">" + s.t("Amount"), s.t("Currency")}
	if exactTitle {
		titles = append(titles, "", s.t("Amount, exact"))
	}
	s.header(titles...)
	for _, r := range s.b.audit.Leads {
		s.put(0, text(s.b.leadName(r.Kind)), whole(r.Calls), money(kindMoney, r.Amount).at(placesOf(amounts...)), text(r.Currency), blank, exact(r.Amount))
	}
}

// leadName is a kind of lead in plain words.
func (b *builder) leadName(code string) string { return b.name(ui.Leads, code) }

// warnings writes what the reader of the numbers must know, each with its code.
func (s *summary) warnings() {
	s.section(s.t("Warnings"))
	if len(s.b.audit.Warnings) == 0 {
		s.put(0, text(s.t("None.")))
		return
	}
	s.header(s.t("Warning"), s.t("Text"))
	for _, w := range s.b.audit.Warnings {
		s.warning(w)
	}
}

func (s *summary) warning(w report.Warning) {
	s.explained(textOf(kindLabel, s.b.name(ui.Warnings, w.Code)), []value{textOf(kindWrap, s.b.opts.Lang.Of(w.Text))}, colCount)
}
