package workbook

import (
	"cmp"
	"fmt"

	"retrytax/internal/report"
)

// prices is what the price list says of the charges, by model.
func (s *invoiceSheet) prices() {
	p := s.v.Prices
	if p == nil || len(p.Models) == 0 {
		return
	}
	s.section(s.t("The charges by the price list"))
	s.wide(kindNote, s.t("Charge lines as the list says: %s; not as it says (the sheet Re-rated lines): %s; without a price in it: %s.", groupDigits(p.Right), groupDigits(p.Wrong), groupDigits(p.Open)), colLabel, 1)
	s.header(s.t("Model"), ">"+s.t("Lines"), ">"+s.t("Billed"), ">"+s.t("By the price list"), ">"+s.t("Difference"), s.t("Currency"), s.t("What the list says"))
	var amounts []report.Money
	for _, m := range p.Models {
		amounts = append(amounts, m.Amount, m.Expected, m.Difference)
	}
	places := placesOf(amounts...)
	for i := range p.Models {
		m := &p.Models[i]
		difference := money(kindMoney, m.Difference).at(places)
		if difference.numeric && m.Expected != "" && m.Amount != "" {
			difference = difference.less(m.Amount, m.Expected)
			difference.formula = fmt.Sprintf("ROUND(C%d-D%d,%d)", s.row+1, s.row+1, differencePlaces(m.Amount, m.Expected))
		}
		if m.State != "right" {
			difference.kind = kindStrong
			if !difference.numeric {
				difference.kind = kindMuted
			}
		}
		said := m.Said(s.b.opts.Lang)
		s.put(s.heightFor(said, colMeaning, 1), text(m.Model), whole(m.Lines), money(kindMoney, m.Amount).at(places), money(kindMoney, m.Expected).at(places), difference, text(m.Currency), textOf(kindNote, said))
	}
}

// currencies is the money of each side, never added up but at the rates that the user gave.
func (s *invoiceSheet) currencies() {
	if len(s.v.Money) == 0 {
		return
	}
	c := s.v.Converted
	s.section(s.t("By currency"))
	titles := []string{s.t("Side"), ">" + s.t("Lines"), ">" + s.t("Amount"), s.t("Currency")}
	var amounts []report.Money
	for _, m := range s.v.Money {
		amounts = append(amounts, m.Amount)
		if c != nil {
			amounts = append(amounts, m.Converted)
		}
	}
	if c != nil {
		titles = append(titles, ">"+s.t("In %s", c.Currency))
	}
	s.header(titles...)
	places := placesOf(amounts...)
	for _, m := range s.v.Money {
		cells := []value{text(s.t(sideWords(m.Side))), whole(m.Lines), money(sumKind(m.Unknown > 0), m.Amount).at(places), text(m.Currency)}
		if c != nil {
			cells = append(cells, money(sumKind(m.WithoutRate > 0 || m.Unknown > 0), m.Converted).at(places))
		}
		s.put(0, cells...)
	}
	if c == nil {
		return
	}
	for _, m := range s.v.Money {
		if m.WithoutRate > 0 {
			s.wide(kindNote, s.t("%s: lines without a rate: %s, %s (%s); they are in no sum in %s.", s.t(sideWords(m.Side)), groupDigits(m.WithoutRate),
				readable(s.t, m.NotIn, placesOf(m.NotIn))+" "+m.Currency, m.Days, c.Currency), colLabel, 1)
		}
	}
	s.wide(kindNote, s.t("Rates: %d, of %s, SHA-256 %s.", c.Rates, c.File, c.SHA256), colLabel, 1)
}

func sideWords(side string) string {
	switch side {
	case "invoice":
		return "Invoiced"
	case "charges":
		return "Charged"
	case "excess":
		return "Excess"
	}
	return side
}

// bill is the vendor's totals against the log.
func (s *invoiceSheet) bill() {
	b := s.v.Bill
	if b == nil {
		return
	}
	s.section(s.t("The vendor's totals against the log"))
	s.header(s.t("Model"), ">"+s.t("Requests billed"), ">"+s.t("Billed"), ">"+s.t("What the answers cost"), ">"+s.t("Gap"), ">"+s.t("Abandoned requests cost at most"), s.t("What is known of it"))
	var amounts []report.Money
	for _, m := range b.Models {
		amounts = append(amounts, m.Amount, m.AnsweredCost, m.Gap, m.AbandonedCost)
	}
	places := placesOf(amounts...)
	for i := range b.Models {
		m := &b.Models[i]
		gap := money(kindStrong, m.Gap).at(places)
		if gap.numeric {
			gap = gap.less(m.Amount, m.AnsweredCost)
			gap.formula = fmt.Sprintf("ROUND(C%d-D%d,%d)", s.row+1, s.row+1, differencePlaces(m.Amount, m.AnsweredCost))
		}
		said := s.t("Logged: %s; answered: %s; abandoned: %s.", groupDigits(m.Logged), groupDigits(m.Answered), groupDigits(m.Abandoned))
		if m.Text != "" {
			said += s.b.opts.Lang.Gap() + s.b.opts.Lang.Of(m.Text)
		}
		if m.Unexplained != "" && !isZero(m.Unexplained) {
			said += s.b.opts.Lang.Gap() + s.t("%s of the gap is explained by nothing in the log.", readable(s.t, m.Unexplained, places)+" "+m.Currency)
		}
		name := cmp.Or(m.Name(), s.t("(not told)"))
		if m.Currency != "" {
			name += ", " + m.Currency
		}
		s.put(s.heightFor(said, colMeaning, 1), text(name), wholeOr(m.Requests, unknown), money(kindMoney, m.Amount).at(places), money(kindMoney, m.AnsweredCost).at(places), gap,
			money(kindMoney, m.AbandonedCost).at(places), textOf(kindNote, said))
	}
	if b.Hidden != nil {
		s.fact(s.t("Hidden retries"), s.t("Requests that the vendor counted and no line of the log shows: %s.", groupDigits(*b.Hidden)))
	}
	if b.Started.Value != nil {
		s.fact(s.t("Started fraction"), s.started(b))
	}
	for _, n := range b.Notes {
		s.wide(kindNote, s.b.opts.Lang.Of(n), colLabel, 1)
	}
}

// started is the share of abandoned requests that the vendor billed, with its interval.
func (s *invoiceSheet) started(b *report.BillAgainstLog) string {
	percent := func(v *string) string { return percentText(*v) + " %" }
	text := percent(b.Started.Value)
	if b.Started.Low != nil && b.Started.High != nil {
		text += " (" + percent(b.Started.Low) + " … " + percent(b.Started.High) + ")"
	}
	return text + s.t(", by %s", s.t(b.Basis))
}

// notes is what explains differences as a whole, what was not compared, and what qualifies the numbers.
func (s *invoiceSheet) notes() {
	s.section(s.t("What limits these numbers"))
	n := s.row
	for _, x := range s.v.Shifts {
		s.wide(kindWrap, s.t("By days of a zone %s from UTC the %s lines differ in %s places instead of %s: the vendor's days and month are of that zone; --zone asks in it.", x.Offset, x.Currency, groupDigits(x.Differing), groupDigits(x.Before)), colLabel, 1)
	}
	for _, x := range s.v.Strangers {
		s.wide(kindWrap, s.t("Charge lines of %s, which this invoice does not name in that currency, so that they are on another one: %s, %s.", x.Provider, groupDigits(x.Charges), readable(s.t, x.Amount, placesOf(x.Amount))+" "+x.Currency), colLabel, 1)
	}
	for _, w := range s.v.Warnings {
		s.wide(kindWrap, s.b.opts.Lang.Of(w.Text), colLabel, 1)
	}
	if s.row == n {
		s.put(0, text(s.t("None.")))
	}
}
