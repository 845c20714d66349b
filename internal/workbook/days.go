package workbook

import (
	"slices"

	"retrytax/internal/report"
	"retrytax/internal/ui"
)

type dayRow = report.DayRow

// newDays is the sheet By day: the ledger of each day, and its excess by verdict, which the
// chart of the Summary stacks.
func (b *builder) newDays() (err error) {
	columns := []column[dayRow]{
		{title: "Day", suffix: " (" + b.zone.String() + ")", cell: func(r *dayRow) value { return day(r.Day) }, key: "day"},
		wordsOf("Book", func(r *dayRow) string { return r.Book }).as("book"),
		wordsOf("Currency", func(r *dayRow) string { return r.Currency }).as("currency"),
		count("Charges", func(r *dayRow) value { return whole(r.Charges) }).as("charges"),
	}
	columns = append(columns, partColumns(func(r *dayRow) *report.Parts { return &r.Parts }, func(r *dayRow) *float64 { return r.ExcessShare },
		func(r *dayRow) kind { return b.moneyKind("all", r.Book, r.Currency) })...)
	b.dayVerdicts = verdictsOf(b.wb.Days)
	for _, verdict := range b.dayVerdicts {
		c := amount(ui.Lookup(ui.Verdicts, verdict).Name, func(r *dayRow) report.Money {
			if m, ok := r.ByVerdict[verdict]; ok {
				return m
			}
			return "0"
		}).as("verdict " + verdict)
		c.widest = 13
		columns = append(columns, c)
	}
	b.days, err = newGrid(b, layout{name: b.t("By day"), freeze: 1, table: "ByDay", wide: 1}, columns, report.RowsOf(b.wb.Days), b.t("No charges in this period."))
	if err == nil {
		b.days.totals = b.ledgerTotals(chargesOf(b.wb.Days, func(r *dayRow) (string, string, int64) { return r.Book, r.Currency, r.Charges }))
		b.addVerdictTotals()
		b.days.layout.notes = b.notesOf(len(b.wb.Days), "Days are those of the report's zone. The last columns split the excess by verdict; delivered, excess, undelivered, orphan, unsettled and adjustments add up to billed.")
	}
	return err
}

// addVerdictTotals puts the sums of the verdicts under their columns.
func (b *builder) addVerdictTotals() {
	for i := range b.days.totals {
		t := &b.days.totals[i]
		for _, verdict := range b.dayVerdicts {
			sum := report.Money("0")
			for _, v := range b.audit.Verdicts {
				if v.Book == t.book && v.Currency == t.currency && v.Verdict == verdict && v.Excess != "" {
					sum = addMoney(sum, v.Excess)
				}
			}
			t.amounts["verdict "+verdict] = sum
		}
	}
}

// notesOf are notes under a table, if it has rows.
func (b *builder) notesOf(rows int, notes ...string) []string {
	if rows == 0 {
		return nil
	}
	out := make([]string, len(notes))
	for i, n := range notes {
		out[i] = b.t(n)
	}
	return out
}

// verdictsOf are the verdicts of which any day has an excess, in the order of the reports' words.
func verdictsOf(days []dayRow) []string {
	seen := map[string]bool{}
	for _, d := range days {
		for v := range d.ByVerdict {
			seen[v] = true
		}
	}
	var out []string
	for _, w := range ui.Verdicts {
		if seen[w.Code] {
			out = append(out, w.Code)
			delete(seen, w.Code)
		}
	}
	var rest []string
	for v := range seen {
		rest = append(rest, v)
	}
	slices.Sort(rest)
	return append(out, rest...)
}
