package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// view is what the template shows: texts and amounts as they are read, geometry as numbers.
type view struct {
	Lang, Title, Period, Zone, Created, Version string
	Style                                       template.CSS
	Script                                      template.JS
	Headlines                                   []string
	ChecksOK                                    bool
	Checks                                      string
	Tiles                                       []tile
	Books                                       []bookView
	Days                                        *barChart
	Models                                      []bar
	ModelsOf                                    string
	Claims                                      []claim
	Limits                                      []pair
	Rates                                       []pair
	Warnings                                    []pair
	Calls                                       []callView
	Rows                                        []rowView
	More                                        int64 // rows that the table leaves out
	Terms                                       []pair
	Inputs                                      []report.Input
}

type (
	tile  struct{ Name, Value, Unit, Note, Class string }
	pair  struct{ Name, Text string }
	claim struct{ Vendor, State, Findings, Claim, Recovered string }

	// bookView is the ledger and the verdicts of one book and currency.
	bookView struct {
		Name, Currency string
		Parts          []part
		Billed         string
		AtLeast        bool
		Verdicts       []bar
		Beside         []pair
	}
	part struct {
		Name, Note, Amount, Share, Class string
		Width                            string // of the bill, in per cent; "" where it has none
	}
	// bar is a row with a bar; Width is in per cent of the longest.
	bar struct{ Name, Note, Amount, Charges, Share, Class, Width string }

	rowView struct {
		Place, Request, Provider, Model, Paid, Due, Excess, Currency, Causes, First string
		SortExcess, SortPaid, SortDue                                               string
		Charges                                                                     int64
	}
)

// rowsShown is how many calls the table holds; a page with more takes a browser's breath away.
const rowsShown = 3000

// maker fills a view.
type maker struct {
	wb *report.Workbook
	a  *report.Audit
	o  Options
}

func newView(wb *report.Workbook, o Options) *view {
	m := &maker{wb, wb.Audit, o}
	v := &view{Lang: o.Lang.Tag(), Title: m.t(report.Title), Period: m.period(), Zone: o.Zone.String(), Version: o.Version,
		Created: o.Created.In(o.Zone).Format("2006-01-02 15:04"), Style: template.CSS(styleText), Script: template.JS(scriptText)}
	m.head(v)
	for _, t := range m.wb.Books() {
		v.Headlines = append(v.Headlines, m.headline(t))
		v.Books = append(v.Books, m.book(t))
	}
	m.charts(v)
	m.lists(v)
	m.calls(v)
	return v
}

func (m *maker) t(english string, args ...any) string { return m.o.Lang.T(english, args...) }

func (m *maker) period() string {
	from, to := m.a.Period.From.In(m.o.Zone), m.a.Period.To.In(m.o.Zone)
	if from.IsZero() || to.IsZero() {
		return m.t("period unknown")
	}
	if midnight(from) && midnight(to) && to.After(from) {
		first, last := from.Format(time.DateOnly), to.AddDate(0, 0, -1).Format(time.DateOnly)
		if first == last {
			return first
		}
		return m.t("%s to %s", first, last)
	}
	const second = "2006-01-02 15:04:05"
	return m.t("%s to %s", from.Format(second), to.Format(second))
}

func midnight(t time.Time) bool {
	return t.Equal(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location()))
}

func rank(late bool) int {
	if late {
		return 1
	}
	return 0
}

func (m *maker) bookName(code string) string { return ui.Clean(m.t(report.BookWords(code))) }

// money is an amount with its currency.
func (m *maker) money(amount report.Money, currency string) string {
	if amount == "" {
		return m.t("unknown")
	}
	return ui.Amount(amount) + " " + ui.Clean(currency)
}

// percent is a part of a whole with two decimals, or "".
func percent(part, whole report.Money) string { return report.ShareText(part, whole) }

func value(m report.Money) (decimal.Decimal, bool) {
	d, err := decimal.NewFromString(string(m))
	return d, err == nil && m != ""
}

// width is a part of a whole in per cent for a bar: 0 to 100, with two decimals.
func width(part, whole decimal.Decimal) string {
	if !whole.IsPositive() || !part.IsPositive() {
		return "0"
	}
	return decimal.Min(part.Mul(decimal.New(100, 0)).DivRound(whole, 2), decimal.New(100, 0)).String()
}

// headline is the result of one book and currency in a sentence; the Summary of the workbook has the same.
func (m *maker) headline(t report.Total) string {
	sum := func(amount report.Money) string {
		if t.AtLeast && amount != "" {
			return m.t("at least %s", m.money(amount, t.Currency))
		}
		return m.money(amount, t.Currency)
	}
	share := report.ShareInBrackets(t.Excess, t.Billed)
	excess, known := value(t.Excess)
	open := ""
	if rest, why, much := t.NotJudged(); much && known && excess.IsZero() {
		open = m.t("; but %s is %s", sum(rest)+report.ShareInBrackets(rest, t.Billed), m.t(why))
	}
	switch {
	case m.a.NoAmounts(t):
		return m.t("No amount of %s is known: what should not have been paid cannot be told in money.", m.bookName(t.Book()))
	case t.GuessedAtNothing():
		return m.t("What was paid twice of %s estimated is not measurable: a gateway prices failed calls at 0.", sum(t.Billed))
	}
	if t.Book() != "bill" {
		return m.t("By %s, which is not a bill: %s in all, of which %s is excess%s.", m.bookName(t.Book()), sum(t.Billed), sum(t.Excess)+share, open)
	}
	text := m.t("Of %s billed, %s should not have been paid.", sum(t.Billed), sum(t.Excess)+share)
	if known && excess.IsZero() {
		text = m.t("Of %s billed, nothing was found that should not have been paid%s.", sum(t.Billed), open)
	}
	if u, ok := value(t.Undelivered); ok && !u.IsZero() {
		text += m.t(" A further %s was paid for calls that never got an answer.", sum(t.Undelivered))
	}
	return text
}

// head says whether the numbers hold, and the largest of them as tiles.
func (m *maker) head(v *view) {
	failed := 0
	for _, c := range m.a.Checks {
		failed += rank(!c.OK)
	}
	v.ChecksOK = failed == 0 && len(m.a.Checks) > 0
	switch {
	case len(m.a.Checks) == 0:
		v.Checks = m.t("none were run")
	case failed > 0:
		v.Checks = m.t("%d of %d FAILED", failed, len(m.a.Checks))
	default:
		v.Checks = m.t("all %d passed", len(m.a.Checks))
	}
	books := m.wb.Books()
	if len(books) == 0 {
		return
	}
	t := books[0]
	if book, currency, ok := m.wb.Main(); ok { // as the charts
		t = books[slices.IndexFunc(books, func(x report.Total) bool { return x.Book() == book && x.Currency == currency })]
	}
	add := func(name string, amount report.Money, note, class string) {
		v.Tiles = append(v.Tiles, tile{m.t(name), m.sum(amount, t.AtLeast), ui.Clean(t.Currency), note, class})
	}
	add("Billed", t.Billed, m.bookName(t.Book()), "")
	add("Retry tax", t.Excess, percent(t.Excess, t.Billed), "bad")
	add("Undelivered", t.Undelivered, percent(t.Undelivered, t.Billed), "")
	claims := decimal.Zero
	for _, c := range m.wb.Claims() {
		if d, ok := value(c.Claim); ok && c.State == report.StateOpen && c.Currency == t.Currency {
			claims = claims.Add(d)
		}
	}
	add("To claim from vendors", report.Money(claims.String()), percent(report.Money(claims.String()), t.Billed), "")
	add("Cost per delivered call", t.CostPerDelivered, "", "")
}

// name is a code in plain words; one that is not known stays as it is.
func (m *maker) name(list []ui.Word, code string) string {
	for _, w := range list {
		if w.Code == code {
			return m.t(w.Name)
		}
	}
	return ui.Clean(code)
}

// class is the colour of a verdict.
func class(verdict string) string {
	for i, w := range ui.Verdicts {
		if w.Code == verdict {
			return fmt.Sprintf("c%d", i)
		}
	}
	return "c11"
}

// book is the ledger and the verdicts of one book.
func (m *maker) book(t report.Total) bookView {
	b := bookView{Name: m.bookName(t.Book()), Currency: ui.Clean(t.Currency), Billed: m.sum(t.Billed, t.AtLeast), AtLeast: t.AtLeast}
	whole, _ := value(t.Billed)
	for i, p := range []struct {
		class  string
		amount report.Money
	}{{"delivered", t.Delivered}, {"excess", t.Excess}, {"undelivered", t.Undelivered}, {"orphan", t.Orphan}, {"unsettled", t.Unsettled}, {"", t.Adjustments}} {
		term := report.LedgerTerms[i+1] // the first is the whole
		d, _ := value(p.amount)
		w := width(d, whole)
		if p.class == "" {
			w = ""
		}
		b.Parts = append(b.Parts, part{m.t(term.Name), m.t(term.Meaning), m.sum(p.amount, t.AtLeast && p.class != ""), percent(p.amount, t.Billed), p.class, w})
	}
	longest := decimal.Zero
	var rows []report.Verdict
	for _, x := range m.a.Verdicts {
		if x.Book == t.Book() && x.Currency == t.Currency {
			rows = append(rows, x)
			d, _ := value(x.Excess)
			longest = decimal.Max(longest, d)
		}
	}
	slices.SortStableFunc(rows, func(x, y report.Verdict) int {
		a, _ := value(x.Excess)
		b, _ := value(y.Excess)
		c, _ := value(x.Amount)
		d, _ := value(y.Amount)
		return cmp.Or(b.Cmp(a), d.Cmp(c))
	})
	for _, x := range rows {
		d, _ := value(x.Excess)
		recovery := ""
		if x.Recovery != "none" {
			recovery = ui.Clean(m.t(report.RecoveryWords(x.Recovery)))
		}
		b.Verdicts = append(b.Verdicts, bar{Name: m.name(ui.Verdicts, x.Verdict), Note: recovery, Amount: m.sum(x.Excess, t.AtLeast && d.IsPositive()), Charges: ui.Count(x.Charges),
			Share: percent(x.Excess, t.Billed), Class: class(x.Verdict), Width: width(d, longest)})
	}
	beside := func(name string, amount report.Money) pair {
		if t.AtLeast && amount != "" {
			return pair{m.t(name), "≥ " + m.money(amount, t.Currency)}
		}
		return pair{m.t(name), m.money(amount, t.Currency)}
	}
	b.Beside = []pair{beside("Excess after refunds", t.ExcessNet), beside("Cost per delivered call", t.CostPerDelivered)}
	for _, x := range m.a.Bounds {
		if x.Currency == t.Currency && t.Book() == m.wb.Paid() {
			b.Beside = append(b.Beside, pair{m.t("How sure the excess is"), m.t("proven %s, expected %s, possible %s", m.amountOr(x.Lower), m.amountOr(x.Expected), m.money(x.Upper, x.Currency))})
		}
	}
	return b
}

// sum is an amount that may be the least that it can be, which the note under the ledger explains.
func (m *maker) sum(amount report.Money, atLeast bool) string {
	if amount != "" && atLeast {
		return "≥ " + ui.Amount(amount)
	}
	return m.amountOr(amount)
}

func (m *maker) amountOr(amount report.Money) string {
	if amount == "" {
		return m.t("unknown")
	}
	return ui.Amount(amount)
}
