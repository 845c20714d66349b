package workbook

import (
	"fmt"
	"slices"

	"retrytax/internal/report"
)

// verdictBlock is the verdicts of one book and currency, by money.
type verdictBlock struct {
	book, currency string
	rows           []report.Verdict
	total          *report.Total // of all providers; nil if the report has none
	excessRow      int           // where the ledger has its excess
}

// verdictBlocks groups the verdicts in the order of the ledgers and sorts each group: the
// largest excess first, then the largest amount.
func (b *builder) verdictBlocks() []verdictBlock {
	var blocks []verdictBlock
	find := func(book, currency string) *verdictBlock {
		for i := range blocks {
			if blocks[i].book == book && blocks[i].currency == currency {
				return &blocks[i]
			}
		}
		blocks = append(blocks, verdictBlock{book: book, currency: currency})
		return &blocks[len(blocks)-1]
	}
	for _, t := range b.wholeBooks() {
		find(book(t), t.Currency).total = &t
	}
	for _, v := range b.audit.Verdicts {
		block := find(v.Book, v.Currency)
		block.rows = append(block.rows, v)
	}
	for i := range blocks {
		slices.SortStableFunc(blocks[i].rows, func(x, y report.Verdict) int {
			if c := compareMoney(y.Excess, x.Excess); c != 0 {
				return c
			}
			return compareMoney(y.Amount, x.Amount)
		})
	}
	return blocks
}

// compareMoney orders amounts; unknown ones are the smallest.
func compareMoney(x, y report.Money) int {
	a, err1 := parseMoney(x)
	b, err2 := parseMoney(y)
	switch {
	case err1 != nil && err2 != nil:
		return 0
	case err1 != nil:
		return -1
	case err2 != nil:
		return 1
	}
	return a.Cmp(b)
}

func (s *summary) verdictTable(block verdictBlock) {
	titles := []string{s.t("Verdict"), ">" + s.t("Charges"), ">" + s.t("Amount, %s", block.currency), ">" + s.t("Excess, %s", block.currency),
		">" + s.t("Excess, share of billed"), s.t("Recovery"), s.t("What it means")}
	for _, v := range block.rows {
		if len(exactCells(v.Amount, v.Excess)) > 0 {
			titles = append(titles, ">"+s.t("Amount, exact"), ">"+s.t("Excess, exact"))
			break
		}
	}
	s.header(titles...)
	first, places := s.row+1, block.places()
	atLeast, billed := block.total != nil && block.total.AtLeast, report.Money("")
	if block.total != nil {
		billed = block.total.Billed
	}
	for _, v := range block.rows {
		k := sumKind(atLeast && v.Verdict != "adjustment")
		excess := sumKind(atLeast && !isZero(v.Excess)) // most verdicts have none, whatever is unknown
		cells := []value{text(s.b.verdictName(v.Verdict)), whole(v.Charges), money(k, v.Amount).at(places), money(excess, v.Excess).at(places),
			s.share(v.Excess, billed), text(s.b.recoveryName(v.Recovery)), textOf(kindNote, s.t(meaningOf(verdictTerms, v.Verdict)))}
		if len(titles) > len(cells) {
			cells = append(cells, exact(v.Amount), exact(v.Excess))
		}
		s.put(s.heightFor(cells[colMeaning-1].text, colMeaning, 1), cells...)
	}
	s.verdictCheck(block, first)
}

// places is how many decimals the table's amounts are shown with.
func (block verdictBlock) places() int {
	var amounts []report.Money
	for _, v := range block.rows {
		amounts = append(amounts, v.Amount, v.Excess)
	}
	return placesOf(amounts...)
}

// verdictCheck ties the excess of the verdicts to the ledger's.
func (s *summary) verdictCheck(block verdictBlock, first int) {
	if block.total == nil {
		return
	}
	ledger := block.excessRow
	var parts []report.Money
	for _, v := range block.rows {
		parts = append(parts, v.Excess)
	}
	last := first + len(parts) - 1
	difference := fmt.Sprintf("ROUND(C%d-SUM(D%d:D%d),%d)", ledger, first, last, checkPlaces(append(parts, block.total.Excess)))
	s.zero(s.t("The ledger's excess less these"), difference, fmt.Sprintf("COUNT(D%d:D%d,C%d)<%d", first, last, ledger, len(parts)+1),
		sumVerdict(block.total.Excess, parts))
}
