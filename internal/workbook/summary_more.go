package workbook

import (
	"fmt"

	"retrytax/internal/report"
)

// claims writes what the vendors should give back, by vendor and by how far each claim has come.
func (s *summary) claims() {
	totals := s.b.wb.Claims()
	if len(totals) == 0 && len(s.b.wb.Handled) == 0 {
		return
	}
	s.section(s.t("To claim from vendors"))
	if len(totals) > 0 {
		s.header(s.t("Vendor"), ">"+s.t("Findings"), ">"+s.t("Claim"), ">"+s.t("Recovered"), s.t("Currency"), s.t("State"), s.t("What it means"))
	}
	var amounts []report.Money
	for _, t := range totals {
		amounts = append(amounts, t.Claim, t.Recovered)
	}
	for _, t := range totals {
		s.put(0, text(t.Vendor), whole(t.Findings), money(kindMoney, t.Claim).at(placesOf(amounts...)), money(kindMoney, t.Recovered).at(placesOf(amounts...)),
			text(t.Currency), text(s.t(string(t.State))), textOf(kindNote, s.t(stateMeanings[t.State])))
	}
	if n := len(s.b.wb.Handled); n > 0 {
		s.wide(kindNote, s.t("The file of states has %d more findings, of other periods.", n), colLabel, 1)
	}
}

var stateMeanings = map[report.State]string{
	report.StateOpen:      "Nobody has asked the vendor yet: the sheet Dispute.",
	report.StateFiled:     "The vendor was asked, and has not answered.",
	report.StateRecovered: "The vendor gave it back.",
	report.StateWaived:    "Nobody will ask for it.",
}

// before sets this period beside the one before.
func (s *summary) before() {
	if s.b.wb.Before == nil {
		return
	}
	period := s.b.textOfPeriod(s.b.wb.Before.Period)
	s.section(s.t("Compared with the period before, %s", period))
	for _, t := range s.b.wholeBooks() {
		for _, old := range s.b.wb.Before.Totals {
			if old.ProviderBook == t.ProviderBook && old.Currency == t.Currency {
				s.compare(old, t)
			}
		}
	}
}

func (s *summary) compare(old, now report.Total) {
	s.header(s.t("%s, %s", s.t(bookWords(book(now))), now.Currency), ">"+s.t("Change"), ">"+s.t("This period"), ">"+s.t("Before"))
	places := placesOf(append(partsOf(now), partsOf(old)...)...)
	for i, name := range []string{"Billed", "Delivered", "Excess", "Undelivered"} {
		a, b := partsOf(now)[i], partsOf(old)[i]
		change := muted("–")
		if f, ok := shareOf(a, b); ok {
			change = quotient(kindShare, f-1, fmt.Sprintf("C%d/D%d-1", s.row+1, s.row+1))
		}
		s.put(0, text(s.t(name)), change, money(sumKind(now.AtLeast), a).at(places), money(sumKind(old.AtLeast), b).at(places))
	}
	s.put(0, text(s.t("Excess, share of billed")), blank, s.share(now.Excess, now.Billed), s.share(old.Excess, old.Billed))
	if now.CostPerDelivered != "" || old.CostPerDelivered != "" {
		s.put(0, text(s.t("Cost per delivered call")), blank, money(kindMoney, now.CostPerDelivered), money(kindMoney, old.CostPerDelivered))
	}
}

// limits says in plain words what keeps the numbers from being the whole truth.
func (s *summary) limits() {
	s.section(s.t("What limits these numbers"))
	limits := s.b.wb.Limits(s.b.opts.Lang, func(m report.Money, currency string) string { return readable(s.t, m, placesOf(m)) + " " + currency }, s.b.leadName, groupDigits)
	for _, l := range limits {
		s.explained(textOf(kindLabel, l.Topic), []value{textOf(kindWrap, l.Text)}, colCount)
	}
	if len(limits) == 0 {
		s.put(0, text(s.t("Nothing: every line was read, settled and explained.")))
	}
}
