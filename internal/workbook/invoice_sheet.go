package workbook

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
)

// invoiceSheet is the sheet Invoice while it is written; its amounts are sums over the sheet Invoice lines.
type invoiceSheet struct {
	*summary
	v     *report.Invoice
	lines ref
}

// differencesShown is how many places that differ are named on the sheet Invoice; the sheet Invoice lines has all.
const differencesShown = 20

// head says what was compared, and what came of it.
func (s *invoiceSheet) head() {
	s.put(26, textOf(kindTitle, s.t(invoiceTitle)))
	s.gap()
	s.wide(kindLead, invoiceVerdict(s.b.opts.Lang, s.v), colLabel, 1.15)
	if said := s.stated(); said != "" {
		s.wide(kindLead, said, colLabel, 1.15)
	}
	s.gap()
	s.fact(s.t("Period"), s.b.periodText())
	s.fact(s.t("Time zone"), s.b.zone.String())
	var totals []report.Total
	for _, t := range s.v.Totals {
		totals = append(totals, report.Total{Currency: t.Currency})
	}
	s.fact(s.t("Currency"), s.b.currencies(totals))
	s.fact(s.t("Tolerance"), s.toleranceText())
}

// stated is the sum that was named, against the lines of the invoice; "" where none was, or where it is the invoice.
func (s *invoiceSheet) stated() string {
	x := s.v.Stated
	switch {
	case s.v.SumUnheld():
		return s.t("The sum that was named, %s, was held against nothing: no line of the invoice is in that currency.", readable(s.t, x.Stated, placesOf(x.Stated))+" "+x.Currency)
	case x == nil || x.Lines == "":
		return ""
	case isZero(x.Difference):
		return s.t("Its lines add up to the sum that was named, %s.", readable(s.t, x.Stated, placesOf(x.Stated))+" "+x.Currency)
	}
	places := placesOf(x.Stated, x.Lines, x.Difference)
	lines, stated := readable(s.t, x.Lines, places)+" "+x.Currency, readable(s.t, x.Stated, places)
	if less, ok := strings.CutPrefix(string(x.Difference), "-"); ok {
		return s.t("Its lines add up to %s, the sum that was named is %s: %s less.", lines, stated, readable(s.t, report.Money(less), places))
	}
	return s.t("Its lines add up to %s, the sum that was named is %s: %s more.", lines, stated, readable(s.t, x.Difference, places))
}

func (s *invoiceSheet) toleranceText() string {
	text := s.t("An amount of %s for the sum of a currency", s.v.Tolerance)
	if s.v.Tolerance == "focus" {
		text = s.t("FOCUS's for the sum of a currency: max(100 × 0.01, √N × 0.005) with N charge lines")
	}
	if s.v.Asked {
		return text + s.t("; differences are accepted if the sum and each line by itself lie within it.")
	}
	return text + s.t("; a line that differs is a difference all the same.")
}

// block is one currency: by provider, model and day, and the places that differ.
func (s *invoiceSheet) block(b *invoiceBlock) {
	var all *report.InvoiceTotal
	for i, t := range s.v.Totals {
		if t.Provider == "all" && t.Currency == b.currency {
			all = &s.v.Totals[i]
		}
	}
	if all == nil {
		return
	}
	places := placesOf(b.amounts...)
	s.section(s.t("%s: the invoice and the charges", b.currency))
	s.sums(b, "Provider", "provider", b.providers, places, all)
	s.wide(kindNote, s.blockNote(all, places), colLabel, 1)
	s.differences(b.currency, all, places)
	if len(b.models) > 1 || b.models[0].name != "" {
		s.section(s.t("%s by model", b.currency))
		s.sums(b, "Model", "model", b.models, places, nil)
	}
	if len(b.byDate) > 1 || b.byDate[0].name != "" {
		s.section(s.t("%s by day", b.currency))
		s.sums(b, "Day", "day", b.byDate, places, nil)
	}
}

// blockNote says what the sums rest on, and what they leave out.
func (s *invoiceSheet) blockNote(t *report.InvoiceTotal, places int) string {
	notes := []string{s.t("Lines of the invoice: %s; charge lines: %s.", groupDigits(t.InvoiceLines), groupDigits(t.Charges))}
	if !isZero(t.Beside) {
		notes = append(notes, s.t("%s of tax stands on the invoice alone; no charge tells its tax, so it is in no difference.", readable(s.t, t.Beside, places)+" "+t.Currency))
	}
	if t.Unknown > 0 {
		notes = append(notes, s.t("Charge lines that name no amount: %s; what was charged is at least what is shown.", groupDigits(t.Unknown)))
	}
	if t.Listed > 0 {
		notes = append(notes, s.t("Charge lines whose amount is a price list's, not the vendor's: %s.", groupDigits(t.Listed)))
	}
	return strings.Join(notes, s.b.opts.Lang.Gap())
}

// plainName is a text of the data by which SUMIFS finds rows that are equal to it, and no others: no sign in it means
// anything there. Sums of other names are values.
var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.:/-]{0,99}$`)

// sums is a table of both sides, and their difference; of whole is the tolerance of the sum.
func (s *invoiceSheet) sums(b *invoiceBlock, title, key string, list []*invoiceSum, places int, of *report.InvoiceTotal) {
	titles := []string{s.t(title), ">" + s.t("Differ"), ">" + s.t("Invoiced"), ">" + s.t("Charged"), ">" + s.t("Difference")}
	if of != nil {
		titles = append(titles, ">"+s.t("Tolerance"), s.t("Result"))
	}
	s.header(titles...)
	first := s.row + 1
	if of == nil || len(list) > 1 || list[0].name != "" {
		for _, x := range list {
			s.sumRow(b, key, x, places, of)
		}
	}
	s.totalRow(b, first, places, of)
}

// sumRow is one provider, model or day.
func (s *invoiceSheet) sumRow(b *invoiceBlock, key string, x *invoiceSum, places int, of *report.InvoiceTotal) {
	name, criterion := text(x.name), fmt.Sprintf("$A%d", s.row+1)
	live := plainCode.MatchString(b.currency) && !x.twin && plainName.MatchString(x.name) && !strings.EqualFold(x.name, "true") && !strings.EqualFold(x.name, "false")
	switch {
	case x.name == "":
		name, live = text(s.t("(not told)")), false
	case key == "day":
		name = day(x.name)
		name.kind, live = kindDayLeft, plainCode.MatchString(b.currency)
	}
	cell := func(sum string, d decimal.Decimal) value {
		v := money(sumKind(x.unknown && sum == "charged"), moneyText(d)).at(places)
		if formula, ok := s.lines.sumWhere(sum, "currency", quoted(b.currency), key, criterion); ok && live && v.numeric {
			v.formula = formula
		}
		return v
	}
	cells := []value{name, whole(x.differing), cell("invoiced", x.invoiced), cell("charged", x.charged), cell("difference", x.difference())}
	if of != nil {
		for _, t := range s.v.Totals {
			if t.Provider == x.name && t.Currency == b.currency {
				cells = append(cells, s.within(t, places)...)
			}
		}
	}
	s.put(0, cells...)
}

// within is the tolerance of a sum, and a formula that says whether the difference beside it lies within.
func (s *invoiceSheet) within(t report.InvoiceTotal, places int) []value {
	in, out := s.t("within the tolerance"), s.t("beyond the tolerance")
	said := in
	if !t.Within {
		said = out
	}
	return []value{money(kindMoney, t.Tolerance).at(places), {kind: kindText, text: said, formula: fmt.Sprintf(`IF(ABS(E%d)<=F%d,"%s","%s")`, s.row+1, s.row+1, in, out)}}
}

// totalRow is the sum over the sheet Invoice lines; below it stands that the rows above add up to it.
func (s *invoiceSheet) totalRow(b *invoiceBlock, first, places int, of *report.InvoiceTotal) {
	last := s.row
	cell := func(sum string, d decimal.Decimal) value {
		v := money(kindTotal, moneyText(d)).at(places)
		if v.kind = kindTotal; b.all.unknown && sum == "charged" {
			v.kind = kindTotalAtLeast
		}
		if formula, ok := s.lines.sumWhere(sum, "currency", quoted(b.currency)); ok && plainCode.MatchString(b.currency) {
			v.formula = formula
		}
		return v
	}
	n := whole(b.all.differing)
	n.kind = kindTotalWhole
	cells := []value{textOf(kindTotalText, s.t("Total, %s", b.currency)), n, cell("invoiced", b.all.invoiced), cell("charged", b.all.charged), cell("difference", b.all.difference())}
	if of != nil {
		cells = append(cells, s.within(*of, places)...)
	}
	s.put(0, cells...)
	if last < first {
		return
	}
	row, digits := s.row, checkPlaces(b.amounts)
	s.zero(s.t("The total less the rows above"), fmt.Sprintf("ROUND(E%d-SUM(E%d:E%d),%d)", row, first, last, digits), "FALSE", addsUp)
}

// differences names the places that differ, the largest first.
func (s *invoiceSheet) differences(currency string, all *report.InvoiceTotal, places int) {
	if all.Differing == 0 {
		return
	}
	s.section(s.t("%s: what differs", currency))
	s.header(s.t("Where"), ">"+s.t("Lines"), ">"+s.t("Invoiced"), ">"+s.t("Charged"), ">"+s.t("Difference"), s.t("Result"), s.t("What explains it, and in which lines"))
	n := int64(0)
	for i := range s.v.Cells {
		c := &s.v.Cells[i]
		if c.Currency != currency {
			continue
		}
		if n++; n > differencesShown {
			continue
		}
		why := strings.TrimSuffix(strings.TrimPrefix(strings.Join([]string{c.Rows, c.Said(s.b.opts.Lang)}, ": "), ": "), ": ")
		difference := money(kindStrong, c.Difference).at(places)
		if difference.numeric {
			difference = difference.less(orZero(c.Invoiced), orZero(c.Charged))
			difference.formula = fmt.Sprintf("ROUND(C%d-D%d,%d)", s.row+1, s.row+1, differencePlaces(c.Invoiced, c.Charged))
		}
		where := s.where(c)
		s.put(max(s.heightFor(why, colMeaning, 1), s.labelHeight(where)), textOf(kindWrap, where), whole(c.InvoiceLines), money(kindMoney, orZero(c.Invoiced)).at(places), money(kindMoney, orZero(c.Charged)).at(places),
			difference, text(s.t(invoiceWords(c.State))), textOf(kindNote, why))
	}
	if n > differencesShown {
		s.wide(kindNote, s.t("%s more stand on the sheet Invoice lines.", groupDigits(n-differencesShown)), colLabel, 1)
	}
}

// labelHeight is the height of a row whose first cell holds the text.
func (s *invoiceSheet) labelHeight(text string) float64 {
	return float64(linesFor(text, s.layout.widths[0]*1.1))*lineHeight + 3
}

// where is a place in words: "2026-10-05, acme, m-large, app, input".
func (s *invoiceSheet) where(c *report.InvoiceCell) string {
	var parts []string
	for _, p := range []string{c.Day, c.Provider, c.Model, c.APIKey, c.TokenType} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if c.Kind != "usage" {
		parts = append(parts, s.b.opts.Lang.Of(c.Kind))
	}
	return cmp.Or(strings.Join(parts, ", "), s.t("all usage"))
}
