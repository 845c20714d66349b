package ui

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"retrytax/internal/report"
)

// invoiceLines is how many cells, models and lines are printed of each; the files have all.
const invoiceLines = 20

// WriteInvoice prints what came of an invoice: the sums, the lines that differ and what explains them, prices,
// currencies, and the vendor's totals against the log.
func WriteInvoice(w io.Writer, v *report.Invoice, written []string, o Options) error {
	p := &invoicePage{newPage(o), v}
	p.text("retrytax invoice · "+periodText(v.Period), "", bold)
	p.verdict()
	p.totals()
	p.cells()
	p.besides()
	p.prices()
	p.money()
	p.bill()
	p.notes()
	if len(written) > 0 {
		p.blank()
		p.text("Wrote "+Clean(strings.Join(written, ", ")), "  ", dim)
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

type invoicePage struct {
	*page
	v *report.Invoice
}

// verdict is the one sentence that counts.
func (p *invoicePage) verdict() {
	p.blank()
	differing, cells, hiding := int64(0), int64(0), int64(0)
	for _, t := range p.v.Totals {
		if t.Provider == "all" {
			differing, cells, hiding = differing+t.Differing, cells+t.Cells, hiding+t.Hiding
		}
	}
	switch {
	case p.v.Result == report.InvoiceUnread:
		p.text("The invoice is not shown to agree: "+counted(p.v.Unread, "line of it", "lines of it")+" could not be read; those that could agree with the charges", "", red)
	case p.v.Result == report.InvoiceDiffers && differing == 0:
		p.text("The lines of the invoice agree with the charges, but not with the sum that was named", "", red)
	case (p.v.Result == report.InvoiceEqual || p.v.Result == report.InvoiceRounded) && p.v.Undated > 0:
		p.text("The invoice agrees with the charges if its lines are of this period, which "+counted(p.v.Undated, "line does", "lines do")+" not tell", "", yellow)
	case p.v.Result == report.InvoiceRounded && hiding > 0:
		p.text("The invoice agrees with the charges as far as the rounding of its own lines lets see", "", yellow)
	case p.v.Result == report.InvoiceNothing && p.v.Prices != nil && !slices.ContainsFunc(p.v.Money, func(m report.CurrencyTotal) bool { return m.Side == "invoice" }):
		p.text("No invoice was named: the charges were held against the price list alone", "", normal)
	case p.v.Result == report.InvoiceNothing:
		p.text("The invoice was not held against charges: there are none in the period, or it names no amounts", "", yellow)
	case p.v.Result == report.InvoiceEqual:
		p.text("The invoice equals the charges, to the last digit", "", green)
	case p.v.Result == report.InvoiceRounded:
		p.text("The invoice agrees with the charges: nothing but the rounding of its own lines lies between them", "", green)
	case p.v.Accepted:
		p.text(fmt.Sprintf("The invoice differs in %s of %s, all within the tolerance that was asked for", count(differing), counted(cells, "place", "places")), "", yellow)
	default:
		p.text(fmt.Sprintf("The invoice differs from the charges in %s of %s", count(differing), counted(cells, "place", "places")), "", red)
	}
	if hiding > 0 && (p.v.Result == report.InvoiceRounded || p.v.Result == report.InvoiceUnread) {
		p.text(fmt.Sprintf("In %s of %s several rounded lines are added up: one of them could be off by one in its last decimal, and nothing here would tell", count(hiding), counted(cells, "place", "places")), "", yellow)
	}
	if s := p.v.Stated; s != nil && s.Lines != "" {
		if isZero(s.Difference) {
			p.text("Its lines add up to the sum that was named, "+s.Currency+" "+Amount(s.Stated), "", normal)
		} else {
			p.text(fmt.Sprintf("Its lines add up to %s %s, the sum that was named is %s: %s more", s.Currency, Amount(s.Lines), Amount(s.Stated), Amount(s.Difference)), "", red)
		}
	}
}

func (p *invoicePage) totals() {
	if len(p.v.Totals) == 0 {
		return
	}
	p.blank()
	t := table{cols: []column{{title: "provider", min: 8}, {title: ""}, {title: "invoice", right: true}, {title: "charges", right: true}, {title: "difference", right: true}, {title: "tolerance", right: true}, {title: ""}}}
	for _, x := range p.v.Totals {
		within := "within"
		if !x.Within {
			within = "beyond"
		}
		t.add(orDash(x.Provider), x.Currency, Amount(x.Invoiced), Amount(x.Charged), Amount(x.Difference), Amount(x.Tolerance), within)
	}
	t.write(p.page)
	for _, x := range p.v.Totals {
		if x.Provider != "all" {
			continue
		}
		p.item(fmt.Sprintf("%s: %s against %s", x.Currency, counted(x.InvoiceLines, "line of the invoice", "lines of the invoice"), counted(x.Charges, "charge line", "charge lines")), "  ", dim)
		if !isZero(x.Beside) {
			p.item(x.Currency+" "+Amount(x.Beside)+" of tax stands on the invoice alone; no charge tells its tax, so it is in no difference", "  ", normal)
		}
		if x.Unknown > 0 {
			p.item(counted(x.Unknown, "charge line names", "charge lines name")+" no amount: the charges are \"at least\"", "  ", yellow)
		}
		if x.Listed > 0 {
			p.item("the amounts of "+counted(x.Listed, "charge line are", "charge lines are")+" a price list's, not the vendor's", "  ", yellow)
		}
	}
}

// cells are the places that differ.
func (p *invoicePage) cells() {
	if len(p.v.Cells) == 0 {
		return
	}
	p.heading("What differs")
	t := table{cols: []column{{title: "day"}, {title: "what", min: 16}, {title: ""}, {title: "invoice", right: true}, {title: "charges", right: true}, {title: "difference", right: true}}}
	for _, c := range p.v.Cells[:min(len(p.v.Cells), invoiceLines)] {
		var what []string
		for _, s := range []string{c.Provider, c.Model, c.APIKey, c.TokenType} {
			if s != "" {
				what = append(what, short(s))
			}
		}
		if c.Kind != "usage" {
			what = append(what, c.Kind)
		}
		t.add(cmp.Or(c.Day, "-"), cmp.Or(strings.Join(what, ", "), "all usage"), c.Currency, onSide(c.Invoiced, c.InvoiceLines), onSide(c.Charged, c.Charges), Amount(c.Difference))
	}
	t.write(p.page)
	for _, c := range p.v.Cells[:min(len(p.v.Cells), invoiceLines)] {
		text := strings.TrimPrefix(strings.Join([]string{Clean(c.Rows), Clean(c.Text)}, ": "), ": ")
		p.item(strings.TrimSpace(cmp.Or(c.Day, "-")+" "+short(c.Model))+", "+strings.TrimSuffix(text, ": "), "  ", normal)
	}
	if more := len(p.v.Cells) - invoiceLines; more > 0 {
		p.item("and "+counted(int64(more), "more place", "more places"), "  ", dim)
	}
}

// onSide is an amount, or a dash where that side has no line.
func onSide(m report.Money, lines int64) string {
	if lines == 0 {
		return "-"
	}
	return Amount(m)
}

// besides are what explains differences as a whole, and what was not compared.
func (p *invoicePage) besides() {
	for _, s := range p.v.Shifts {
		p.item(fmt.Sprintf("By days of a zone %s from UTC the %s lines differ in %s places instead of %s: the vendor's days and month are of that zone; --zone asks in it", s.Offset, s.Currency, count(s.Differing), count(s.Before)), "  ", yellow)
	}
	for _, s := range p.v.Strangers {
		p.item(fmt.Sprintf("%s of %s, %s %s, %s on another invoice: this one does not name that provider and currency", counted(s.Charges, "charge line", "charge lines"), orDash(s.Provider), s.Currency, Amount(s.Amount), map[bool]string{true: "is", false: "are"}[s.Charges == 1]), "  ", dim)
	}
}

func (p *invoicePage) prices() {
	r := p.v.Prices
	if r == nil || len(r.Models) == 0 {
		return
	}
	p.heading("The charges by the price list")
	p.text(fmt.Sprintf("%s as the list says, %s not, %s without a price", counted(r.Right, "line is", "lines are"), count(r.Wrong), count(r.Open)), "  ", normal)
	t := table{cols: []column{{title: "provider", min: 6}, {title: "model", min: 10}, {title: "lines", right: true}, {title: ""}, {title: "billed", right: true}, {title: "expected", right: true}, {title: "difference", right: true}}}
	shown := 0
	for _, m := range r.Models {
		if m.State == "right" || shown == invoiceLines {
			continue
		}
		shown++
		t.add(orDash(m.Provider), short(m.Model), count(m.Lines), m.Currency, Amount(m.Amount), Amount(m.Expected), Amount(m.Difference))
	}
	if shown == 0 {
		return
	}
	t.write(p.page)
	for _, m := range r.Models {
		if m.State != "right" && shown > 0 {
			shown--
			p.item(short(m.Model)+", "+counted(m.Lines, "line", "lines")+": "+m.Text, "  ", normal)
		}
	}
	for _, l := range r.Lines[:min(len(r.Lines), 5)] {
		p.item(fmt.Sprintf("%s:%d: %s %s, expected %s", Clean(l.File), l.Line, l.Currency, Amount(l.Amount), Amount(l.Expected)), "  ", dim)
	}
}

// money is the totals by currency.
func (p *invoicePage) money() {
	if len(p.v.Money) == 0 {
		return
	}
	p.heading("By currency")
	t := table{cols: []column{{title: ""}, {title: ""}, {title: "lines", right: true}, {title: "amount", right: true}, {title: "", right: true}}}
	c := p.v.Converted
	if c != nil {
		t.cols[4].title = "in " + c.Currency
	}
	for _, m := range p.v.Money {
		in := ""
		if c != nil {
			in = Amount(m.Converted)
			if m.WithoutRate > 0 {
				in = "at least " + in
			}
		}
		t.add(m.Side, m.Currency, count(m.Lines), Amount(m.Amount), in)
	}
	if c != nil {
		for _, s := range []struct {
			side string
			sum  report.Money
		}{{"invoice", c.Invoice}, {"charges", c.Charges}, {"excess", c.Excess}} {
			if s.sum != "" {
				t.add(s.side, "all", "", "", Amount(s.sum))
			}
		}
	}
	t.write(p.page)
	if c == nil {
		return
	}
	p.item(fmt.Sprintf("by %s of %s (sha256 %.12s…): %s", counted(int64(c.Rates), "rate", "rates"), Clean(c.File), c.SHA256, c.Rounding), "  ", dim)
	for _, m := range p.v.Money {
		if m.WithoutRate > 0 {
			p.item(fmt.Sprintf("%s: %s of %s %s without a rate (%s): in no sum in %s", m.Side, counted(m.WithoutRate, "line", "lines"), m.Currency, Amount(m.NotIn), Clean(Cut(m.Days, 120)), c.Currency), "  ", yellow)
		}
	}
}

func (p *invoicePage) notes() {
	p.blank()
	for _, r := range p.v.Rules {
		p.item(r, "  ", dim)
	}
	for _, w := range p.v.Warnings {
		p.marked(cell{"  ! ", yellow}, Clean(w.Text), "    ", normal)
	}
}
