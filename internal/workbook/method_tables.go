package workbook

import (
	"strings"

	"retrytax/internal/report"
)

// calibration writes what was measured about the stamps of each provider.
func (m *method) calibration() {
	if len(m.b.audit.Calibration) == 0 {
		return
	}
	m.section("Calibration of the bill's time stamps")
	m.header("Provider", "Stamp stands at", "", ">Offset, ms", ">Resolution, ms", ">Pairs measured")
	for _, c := range m.b.audit.Calibration {
		stamp := m.t("the start of the execution")
		if c.Stamp == "end" {
			stamp = m.t("the end of the execution")
		}
		m.put(0, text(c.Provider), text(stamp), blank,
			whole(c.OffsetMS), whole(c.ResolutionMS), whole(c.Pairs))
	}
}

// tiers writes how charges found their attempts, one row per way of matching, book and
// currency.
func (m *method) tiers() {
	tiers := m.b.audit.Tiers
	if len(tiers) == 0 {
		return
	}
	m.section("How charges were matched to attempts")
	var amounts []report.Money
	for _, t := range tiers {
		amounts = append(amounts, t.Amount, t.Excess)
	}
	titles := []string{"Matched by", ">Amount", ">Excess", ">Charges", "Currency", "Book"}
	if len(exactCells(amounts...)) > 0 {
		titles = append(titles, "", ">Amount, exact", ">Excess, exact")
	}
	m.header(titles...)
	places := placesOf(amounts...)
	for _, t := range tiers {
		sum := m.b.moneyKind(strings.TrimSuffix(allProviders, "/"), t.Book, t.Currency)
		excess := sum
		if isZero(t.Excess) {
			excess = kindMoney
		}
		m.put(0, text(m.b.matchName(t.Match)), money(sum, t.Amount).at(places), money(excess, t.Excess).at(places), whole(t.Charges),
			text(t.Currency), text(t.Book), blank, exact(t.Amount), exact(t.Excess))
	}
}

// coverage writes which share of the charges some log line explains.
func (m *method) coverage() {
	if len(m.b.audit.Coverage) == 0 {
		return
	}
	m.section("Coverage of the bill by the logs")
	m.header("Provider", "API key", "Day", ">Charges", ">Explained", ">Share")
	for _, c := range m.b.audit.Coverage {
		share := muted("–")
		if c.Charges > 0 {
			f := float64(c.Explained) / float64(c.Charges)
			share = fraction(kindShare, &f)
		}
		date := day(c.Day)
		if date.kind == kindDay {
			date.kind = kindDayLeft
		}
		m.put(0, text(c.Provider), id(c.APIKey), date, whole(c.Charges), whole(c.Explained), share)
	}
}

// checks writes the queries that must return no rows.
func (m *method) checks() {
	if len(m.b.audit.Checks) == 0 {
		return
	}
	m.section("Checks")
	m.header("Check", "Result", "", ">Rows found")
	for _, c := range m.b.audit.Checks {
		result := text(m.t("passed"))
		if !c.OK {
			result = textOf(kindLabel, m.t("FAILED"))
		}
		m.put(0, text(m.b.opts.Lang.Of(strings.ReplaceAll(c.Name, "_", " "))), result, blank, whole(c.Rows))
	}
}

// glossary explains the words of all sheets.
func (m *method) glossary() {
	for _, part := range []struct {
		name  string
		terms []term
	}{
		{"Glossary: verdicts", verdictTerms}, {"Glossary: parts of the ledger", ledgerTerms}, {"Glossary: other words", otherTerms},
	} {
		m.section(part.name)
		for _, t := range part.terms {
			m.put(0, textOf(kindLabel, m.t(t.name)), text(m.t(t.meaning)))
		}
	}
}
