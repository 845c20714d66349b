package workbook

import (
	"fmt"
	"slices"
	"strings"

	"retrytax/internal/report"
)

// summaryPart is where the first sheet of a new file lies in the archive.
const summaryPart = "xl/worksheets/sheet1.xml"

// Columns of the Summary, and their widths in characters.
const (
	colLabel = iota + 1
	colCount
	colAmount
	colSecond
	colShare
	colWho
	colMeaning // the last one of the sheet's body
)

// The last ones, beyond what a text may run over, are for exact twins of amounts.
var summaryWidths = []float64{32, 13, 18, 18, 14, 19, 62, 20, 20, 20}

// summary is the first sheet while it is written. Its methods do nothing after an error, so
// that the sheet reads from top to bottom; the error comes out at the end.
type summary struct {
	*sheet
	err error
}

// writeSummary writes the sheet that most readers see only.
func (b *builder) writeSummary() error {
	sh, err := b.newSheet(layout{name: "Summary", widths: summaryWidths})
	if err != nil {
		return err
	}
	s := &summary{sheet: sh}
	s.head()
	s.books()
	s.counts()
	s.rates()
	s.bounds()
	s.leads()
	s.warnings()
	s.providers()
	if s.err != nil {
		return s.err
	}
	return s.close()
}

// head says what the report is about, and its result in a sentence per book and currency.
func (s *summary) head() {
	s.put(26, textOf(kindTitle, title))
	s.gap()
	for _, t := range s.b.audit.Totals {
		if strings.HasPrefix(t.ProviderBook, allProviders) {
			s.wide(kindLead, headline(t), colLabel, 1.15)
		}
	}
	s.gap()
	s.fact("Period", s.b.periodText())
	s.fact("Time zone", s.b.zone.String())
	s.fact("Currency", currencies(s.b.audit.Totals))
	s.fact("Checks of the numbers", checksText(s.b.audit.Checks))
	s.fact("Warnings", warningsText(s.b.audit.Warnings))
}

// books writes the chart of the main book and currency, and then the ledger and the verdicts
// of each, one after the other.
func (s *summary) books() {
	blocks := s.b.verdictBlocks()
	main, room := mainBlock(blocks), 0
	if main >= 0 {
		room = s.leaveRoom(blocks[main])
	}
	for i, block := range blocks {
		if block.total != nil {
			s.section("Ledger: " + bookWords(block.book) + ", " + block.currency)
			block.excessRow = s.ledger(*block.total)
		}
		if len(block.rows) == 0 {
			continue
		}
		s.section("Verdicts: " + bookWords(block.book) + ", " + block.currency)
		first := s.row + 2
		s.verdictTable(block)
		if i == main {
			s.chart(block, first, room)
		}
	}
}

// headline is the result of one book and currency in words. Its amounts have equally many
// decimals.
func headline(t report.Total) string {
	places := placesOf(t.Billed, t.Excess)
	sum := func(m report.Money) string {
		if t.AtLeast && m != "" {
			return "at least " + readable(m, places) + " " + t.Currency
		}
		return readable(m, places) + " " + t.Currency
	}
	share := ""
	if f, ok := shareOf(t.Excess, t.Billed); ok {
		share = fmt.Sprintf(" (%.2f %%)", f*100)
	}
	open, isOpen := "", false
	if isZero(t.Excess) {
		open, isOpen = openText(t, sum)
	}
	if book(t) != "bill" {
		return fmt.Sprintf("By %s, which is not a bill: %s in all, of which %s%s is excess%s.",
			bookWords(book(t)), sum(t.Billed), sum(t.Excess), share, open)
	}
	text := fmt.Sprintf("Of %s billed, %s%s should not have been paid.", sum(t.Billed), sum(t.Excess), share)
	switch {
	case isOpen:
		text = fmt.Sprintf("Of %s billed, nothing was found that should not have been paid%s.", sum(t.Billed), open)
	case isZero(t.Excess):
		text = fmt.Sprintf("Of %s billed, nothing was found that should not have been paid.", sum(t.Billed))
	}
	if !isZero(t.Undelivered) {
		text += fmt.Sprintf(" A further %s was paid for calls that never got an answer.", sum(t.Undelivered))
	}
	return text
}

// openText is the part of the headline that says how much of a book was not judged, where that
// is much.
func openText(t report.Total, sum func(report.Money) string) (string, bool) {
	rest, why, much := t.NotJudged()
	if !much {
		return "", false
	}
	share := ""
	if f, ok := shareOf(rest, t.Billed); ok {
		share = fmt.Sprintf(" (%.2f %%)", f*100)
	}
	return "; but " + sum(rest) + share + " is " + why, true
}

func currencies(totals []report.Total) string {
	var seen []string
	for _, t := range totals {
		if !slices.Contains(seen, t.Currency) {
			seen = append(seen, t.Currency)
		}
	}
	switch len(seen) {
	case 0:
		return "none"
	case 1:
		return strings.ReplaceAll(seen[0], "XXX", "XXX (not stated)")
	}
	return strings.Join(seen, ", ") + " (never added up)"
}

func checksText(checks []report.Check) string {
	failed := 0
	for _, c := range checks {
		if !c.OK {
			failed++
		}
	}
	switch {
	case len(checks) == 0:
		return "none were run"
	case failed > 0:
		return fmt.Sprintf("%d of %d FAILED, listed on the sheet Method", failed, len(checks))
	}
	return fmt.Sprintf("all %d passed", len(checks))
}

func warningsText(warnings []report.Warning) string {
	if len(warnings) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d, listed below", len(warnings))
}
