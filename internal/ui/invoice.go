package ui

import (
	"cmp"
	"io"
	"strings"

	"retrytax/internal/report"
)

// invoiceLines is how many cells, models and lines are printed of each; the files have all.
const invoiceLines = 20

// WriteInvoice prints what came of an invoice: the sums, the lines that differ and what explains them, prices,
// currencies, and the vendor's totals against the log.
func WriteInvoice(w io.Writer, v *report.Invoice, written []string, o Options) error {
	p := &invoicePage{newPage(o), v}
	p.text("retrytax invoice · "+p.period(v.Period), "", bold)
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
		p.text(p.t("Wrote %s", Clean(strings.Join(written, ", "))), "  ", dim)
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
	differing, cells := p.v.Differing()
	switch {
	case p.v.Caveat(p.lang) != "":
		p.text(p.v.Caveat(p.lang), "", yellow)
	case p.v.Result == report.InvoiceNothing:
		p.text(p.t("The invoice was not held against charges: there are none in the period, or it names no amounts"), "", yellow)
	case p.v.Result == report.InvoiceEqual:
		p.text(p.t("The invoice equals the charges, to the last digit"), "", green)
	case p.v.Result == report.InvoiceRounded:
		p.text(p.t("The invoice agrees with the charges: nothing but the rounding of its own lines lies between them"), "", green)
	case p.v.Accepted:
		p.text(p.t("The invoice differs in %s of %s, all within the tolerance that was asked for", count(differing), p.tn(cells, "%s place", "%s places")), "", yellow)
	default:
		p.text(p.t("The invoice differs from the charges in %s of %s", count(differing), p.tn(cells, "%s place", "%s places")), "", red)
	}
	if hides := p.v.Hides(p.lang); hides != "" {
		p.text(hides, "", yellow)
	}
	p.stated()
}

// stated is the sum that was named, against the lines of the invoice.
func (p *invoicePage) stated() {
	switch s := p.v.Stated; {
	case p.v.SumUnheld():
		p.text(p.t("The sum that was named, %s, was held against nothing: no line of the invoice is in that currency", s.Currency+" "+Amount(s.Stated)), "", red)
	case s == nil || s.Lines == "":
	case isZero(s.Difference):
		p.text(p.t("Its lines add up to the sum that was named, %s", s.Currency+" "+Amount(s.Stated)), "", normal)
	case strings.HasPrefix(string(s.Difference), "-"):
		p.text(p.t("Its lines add up to %s, the sum that was named is %s: %s less", s.Currency+" "+Amount(s.Lines), Amount(s.Stated), Amount(s.Difference[1:])), "", red)
	default:
		p.text(p.t("Its lines add up to %s, the sum that was named is %s: %s more", s.Currency+" "+Amount(s.Lines), Amount(s.Stated), Amount(s.Difference)), "", red)
	}
}

func (p *invoicePage) totals() {
	if len(p.v.Totals) == 0 {
		return
	}
	p.blank()
	t := table{cols: []column{{title: p.t("provider"), min: 8}, {title: ""}, {title: p.t("invoice"), right: true}, {title: p.t("charges"), right: true}, {title: p.t("difference"), right: true}, {title: p.t("tolerance"), right: true}, {title: ""}}}
	for _, x := range p.v.Totals {
		within := p.t("within")
		if !x.Within {
			within = p.t("beyond")
		}
		name := orDash(x.Provider)
		if x.Provider == "all" {
			name = p.t("all")
		}
		t.add(name, x.Currency, Amount(x.Invoiced), Amount(x.Charged), Amount(x.Difference), Amount(x.Tolerance), within)
	}
	t.write(p.page)
	for _, x := range p.v.Totals {
		if x.Provider != "all" {
			continue
		}
		p.item(p.t("%s: %s against %s", x.Currency, p.tn(x.InvoiceLines, "%s line of the invoice", "%s lines of the invoice"), p.tn(x.Charges, "%s charge line", "%s charge lines")), "  ", dim)
		if !isZero(x.Beside) {
			p.item(p.t("%s of tax stands on the invoice alone; no charge tells its tax, so it is in no difference", x.Currency+" "+Amount(x.Beside)), "  ", normal)
		}
		if x.Unknown > 0 {
			p.item(p.tn(x.Unknown, "%s charge line names no amount: the charges are \"at least\"", "%s charge lines name no amount: the charges are \"at least\""), "  ", yellow)
		}
		if x.Listed > 0 {
			p.item(p.tn(x.Listed, "the amounts of %s charge line are a price list's, not the vendor's", "the amounts of %s charge lines are a price list's, not the vendor's"), "  ", yellow)
		}
	}
}

// cells are the places that differ.
func (p *invoicePage) cells() {
	if len(p.v.Cells) == 0 {
		return
	}
	p.heading(p.t("What differs"))
	t := table{cols: []column{{title: p.t("day")}, {title: p.t("what"), min: 16}, {title: ""}, {title: p.t("invoice"), right: true}, {title: p.t("charges"), right: true}, {title: p.t("difference"), right: true}}}
	for _, c := range p.v.Cells[:min(len(p.v.Cells), invoiceLines)] {
		var what []string
		for _, s := range []string{c.Provider, c.Model, c.APIKey, c.TokenType} {
			if s != "" {
				what = append(what, short(s))
			}
		}
		if c.Kind != "usage" {
			what = append(what, p.lang.Of(c.Kind))
		}
		t.add(cmp.Or(c.Day, "-"), cmp.Or(strings.Join(what, ", "), p.t("all usage")), c.Currency, p.onSide(c.Invoiced, c.InvoiceLines), p.onSide(c.Charged, c.Charges), Amount(c.Difference))
	}
	t.write(p.page)
	for _, c := range p.v.Cells[:min(len(p.v.Cells), invoiceLines)] {
		text := strings.TrimPrefix(strings.Join([]string{Clean(c.Rows), Clean(c.Said(p.lang))}, ": "), ": ")
		p.item(strings.TrimSpace(cmp.Or(c.Day, "-")+" "+short(c.Model))+", "+strings.TrimSuffix(text, ": "), "  ", normal)
	}
	if more := len(p.v.Cells) - invoiceLines; more > 0 {
		p.item(p.tn(int64(more), "and %s more place", "and %s more places"), "  ", dim)
	}
}

// onSide is an amount, or a dash where that side has no line.
func (p *invoicePage) onSide(m report.Money, lines int64) string {
	if lines == 0 {
		return "-"
	}
	return p.unknownOr(m)
}

// besides are what explains differences as a whole, and what was not compared.
func (p *invoicePage) besides() {
	for _, s := range p.v.Shifts {
		p.item(p.t("By days of a zone %s from UTC the %s lines differ in %s places instead of %s: the vendor's days and month are of that zone; --zone asks in it", s.Offset, s.Currency, count(s.Differing), count(s.Before)), "  ", yellow)
	}
	for _, s := range p.v.Strangers {
		p.item(p.tn(s.Charges, "%s charge line of %s, %s, is on another invoice: this one does not name that provider and currency", "%s charge lines of %s, %s, are on another invoice: this one does not name that provider and currency", orDash(s.Provider), s.Currency+" "+Amount(s.Amount)), "  ", dim)
	}
}

func (p *invoicePage) prices() {
	r := p.v.Prices
	if r == nil || len(r.Models) == 0 {
		return
	}
	p.heading(p.t("The charges by the price list"))
	p.text(p.tn(r.Right, "%s line is as the list says, %s not, %s without a price", "%s lines are as the list says, %s not, %s without a price", count(r.Wrong), count(r.Open)), "  ", normal)
	t := table{cols: []column{{title: p.t("provider"), min: 6}, {title: p.t("model"), min: 10}, {title: p.t("lines"), right: true}, {title: ""}, {title: p.t("billed"), right: true}, {title: p.t("expected"), right: true}, {title: p.t("difference"), right: true}}}
	shown := 0
	for _, m := range r.Models {
		if m.State == "right" || shown == invoiceLines {
			continue
		}
		shown++
		t.add(orDash(m.Provider), short(m.Model), count(m.Lines), m.Currency, p.unknownOr(m.Amount), p.unknownOr(m.Expected), p.unknownOr(m.Difference))
	}
	if shown == 0 {
		return
	}
	t.write(p.page)
	for i := range r.Models {
		m := &r.Models[i]
		if m.State != "right" && shown > 0 {
			shown--
			p.item(short(m.Model)+", "+p.tn(m.Lines, "%s line", "%s lines")+": "+Clean(m.Said(p.lang)), "  ", normal)
		}
	}
	shownOf := map[string]int{} // of each currency: amounts of two are not compared
	for _, l := range r.Lines {
		if shownOf[l.Currency]++; shownOf[l.Currency] > 5 {
			continue
		}
		p.item(p.t("%s:%d: %s, expected %s", Clean(l.File), l.Line, l.Currency+" "+Amount(l.Amount), p.unknownOr(l.Expected)), "  ", dim)
	}
}

// money is the totals by currency.
func (p *invoicePage) money() {
	if len(p.v.Money) == 0 {
		return
	}
	p.heading(p.t("By currency"))
	t := table{cols: []column{{title: ""}, {title: ""}, {title: p.t("lines"), right: true}, {title: p.t("amount"), right: true}, {title: "", right: true}}}
	c := p.v.Converted
	if c != nil {
		t.cols[4].title = p.t("in %s", c.Currency)
	}
	for _, m := range p.v.Money {
		in := ""
		if c != nil {
			in = p.atLeast(m.Converted, m.WithoutRate+m.Unknown)
		}
		t.add(p.t(m.Side), m.Currency, count(m.Lines), p.atLeast(m.Amount, m.Unknown), in)
	}
	if c != nil {
		p.allMoney(&t, c)
	}
	t.write(p.page)
	if c == nil {
		return
	}
	p.item(p.tn(int64(c.Rates), "by %s rate of %s (sha256 %.12s…): %s", "by %s rates of %s (sha256 %.12s…): %s", Clean(c.File), c.SHA256, p.lang.Of(c.Rounding)), "  ", dim)
	for _, m := range p.v.Money {
		if m.WithoutRate > 0 {
			p.item(p.t("%s: %s of %s without a rate (%s): in no sum in %s", p.t(m.Side), p.tn(m.WithoutRate, "%s line", "%s lines"), m.Currency+" "+Amount(m.NotIn), Clean(Cut(m.Days, 120)), c.Currency), "  ", yellow)
		}
	}
}

// allMoney is the sum of each side in the report's currency.
func (p *invoicePage) allMoney(t *table, c *report.Conversion) {
	for _, s := range []struct {
		side string
		sum  report.Money
	}{{"invoice", c.Invoice}, {"charges", c.Charges}, {"excess", c.Excess}} {
		lines, missing := int64(0), int64(0)
		for _, m := range p.v.Money {
			if m.Side == s.side {
				lines, missing = lines+m.Lines, missing+m.WithoutRate+m.Unknown
			}
		}
		if lines > 0 {
			t.add(p.t(s.side), p.t("all"), "", "", p.atLeast(s.sum, missing))
		}
	}
}

// atLeast is a sum that so many lines are missing in.
func (p *invoicePage) atLeast(sum report.Money, missing int64) string {
	if sum == "" || missing == 0 {
		return p.unknownOr(sum)
	}
	return p.t("at least %s", Amount(sum))
}

func (p *invoicePage) notes() {
	p.blank()
	for _, r := range p.v.Rules {
		p.item(p.lang.Of(r), "  ", dim)
	}
	for _, w := range p.v.Warnings {
		p.marked(cell{"  ! ", yellow}, Clean(p.lang.Of(w.Text)), "    ", normal)
	}
}
