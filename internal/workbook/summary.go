package workbook

import (
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
var summaryWidths = []float64{34, 13, 18, 18, 14, 19, 62, 20, 20, 20}

// summary is the first sheet while it is written. Its methods do nothing after an error, so
// that the sheet reads from top to bottom; the error comes out at the end.
type summary struct {
	*sheet
	err error
	t   func(english string, args ...any) string
}

// writeSummary writes the sheet that most readers see only.
func (b *builder) writeSummary() error {
	sh, err := b.newSheet(layout{name: b.t("Summary"), widths: summaryWidths})
	if err != nil {
		return err
	}
	s := &summary{sheet: sh, t: b.t}
	s.head()
	s.books()
	s.ties()
	s.claims()
	s.before()
	s.limits()
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
	s.put(26, textOf(kindTitle, s.t(title)))
	s.gap()
	for _, t := range s.b.wholeBooks() {
		s.wide(kindLead, s.headline(t), colLabel, 1.15)
	}
	s.gap()
	s.fact(s.t("Period"), s.b.periodText())
	s.fact(s.t("Time zone"), s.b.zone.String())
	s.fact(s.t("Currency"), s.currencies())
	s.fact(s.t("Checks of the numbers"), s.checksText())
	s.fact(s.t("Warnings"), s.warningsText())
}

// books writes the charts of the main book and currency, and then the ledger and the verdicts
// of each, one after the other.
func (s *summary) books() {
	blocks := s.b.verdictBlocks()
	main, room := s.b.mainBlock(blocks), 0
	if main >= 0 {
		room = s.leaveRoom()
		s.charts(blocks[main], room)
	}
	for i, block := range blocks {
		if block.total != nil {
			s.section(s.t("Ledger: %s, %s", s.t(bookWords(block.book)), block.currency))
			block.excessRow = s.ledger(*block.total, true)
		}
		if len(block.rows) == 0 {
			continue
		}
		if i == 0 && main >= 0 {
			s.breakPage() // the charts and the first ledger fill the first one
		}
		s.section(s.t("Verdicts: %s, %s", s.t(bookWords(block.book)), block.currency))
		s.verdictTable(block)
	}
}

// headline is the result of one book and currency in words. Its amounts have equally many
// decimals.
func (s *summary) headline(t report.Total) string {
	places := placesOf(t.Billed, t.Excess)
	sum := func(m report.Money) string {
		if t.AtLeast && m != "" {
			return s.t("at least %s", readable(s.t, m, places)+" "+t.Currency)
		}
		if m == "" {
			return s.t(unknown)
		}
		return readable(s.t, m, places) + " " + t.Currency
	}
	switch {
	case s.b.audit.NoAmounts(t):
		return s.t("No amount of %s is known: what should not have been paid cannot be told in money.", s.t(bookWords(book(t))))
	case t.GuessedAtNothing():
		return s.t("What was paid twice of %s estimated is not measurable: a gateway prices failed calls at 0.", sum(t.Billed))
	}
	share := report.ShareInBrackets(t.Excess, t.Billed)
	open, isOpen := "", false
	if isZero(t.Excess) {
		open, isOpen = s.openText(t, sum)
	}
	if book(t) != "bill" {
		return s.t("By %s, which is not a bill: %s in all, of which %s is excess%s.", s.t(bookWords(book(t))), sum(t.Billed), sum(t.Excess)+share, open)
	}
	text := s.t("Of %s billed, %s should not have been paid.", sum(t.Billed), sum(t.Excess)+share)
	switch {
	case isOpen:
		text = s.t("Of %s billed, nothing was found that should not have been paid%s.", sum(t.Billed), open)
	case isZero(t.Excess):
		text = s.t("Of %s billed, nothing was found that should not have been paid%s.", sum(t.Billed), "")
	}
	if !isZero(t.Undelivered) {
		text += s.t(" A further %s was paid for calls that never got an answer.", sum(t.Undelivered))
	}
	return text
}

// openText is the part of the headline that says how much of a book was not judged, where that
// is much.
func (s *summary) openText(t report.Total, sum func(report.Money) string) (string, bool) {
	rest, why, much := t.NotJudged()
	if !much {
		return "", false
	}
	return s.t("; but %s is %s", sum(rest)+report.ShareInBrackets(rest, t.Billed), s.t(why)), true
}

func (s *summary) currencies() string { return s.b.currencies(s.b.audit.Totals) }

func (b *builder) currencies(totals []report.Total) string {
	var seen []string
	for _, t := range totals {
		if !slices.Contains(seen, t.Currency) {
			seen = append(seen, t.Currency)
		}
	}
	switch len(seen) {
	case 0:
		return b.t("none")
	case 1:
		if seen[0] == "XXX" {
			return b.t("XXX (not stated)")
		}
		return seen[0]
	}
	return b.t("%s (never added up)", strings.Join(seen, ", "))
}

func (s *summary) checksText() string {
	checks, failed := s.b.audit.Checks, 0
	for _, c := range checks {
		if !c.OK {
			failed++
		}
	}
	switch {
	case len(checks) == 0:
		return s.t("none were run")
	case failed > 0:
		return s.t("%d of %d FAILED, listed on the sheet Method", failed, len(checks))
	}
	return s.t("all %d passed", len(checks))
}

func (s *summary) warningsText() string {
	if len(s.b.audit.Warnings) == 0 {
		return s.t("none")
	}
	return s.t("%d, listed below", len(s.b.audit.Warnings))
}
