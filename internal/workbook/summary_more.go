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
			f--
			change = fraction(kindShare, &f)
		}
		if change.numeric {
			change.formula = fmt.Sprintf("C%d/D%d-1", s.row+1, s.row+1)
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
	n := 0
	say := func(topic, text string) {
		n++
		s.explained(textOf(kindLabel, s.t(topic)), []value{textOf(kindWrap, text)}, colCount)
	}
	a := s.b.audit
	for _, t := range s.b.wholeBooks() {
		part := func(m report.Money) string {
			text := readable(m, placesOf(m)) + " " + t.Currency
			if f, ok := shareOf(m, t.Billed); ok {
				text += fmt.Sprintf(" (%.2f %%)", f*100)
			}
			return text
		}
		if !isZero(t.Unsettled) && t.Unsettled != "" {
			say("Not settled", s.t("%s of %s lies too near the edge of the data: later lines of log or bill can change its verdict. It is in no finding.", part(t.Unsettled), s.t(bookWords(book(t)))))
		}
		if !isZero(t.Orphan) && t.Orphan != "" {
			say("Not explained by the log", s.t("%s of %s has no attempt in the log that surely explains it. It is not called excess.", part(t.Orphan), s.t(bookWords(book(t)))))
		}
		if t.AtLeast {
			say("At least", s.t("Amounts of %s in %s are unknown, or lines could not be read: its sums are at least what is shown.", s.t(bookWords(book(t))), t.Currency))
		}
	}
	var charges, explained int64
	for _, c := range a.Coverage {
		charges, explained = charges+c.Charges, explained+c.Explained
	}
	if charges > 0 {
		say("Coverage", s.t("%s of %s usage charges are explained by a line of the log: %s %%. A service that does not log finds nothing, which is not the same as clean.",
			groupDigits(explained), groupDigits(charges), fmt.Sprintf("%.2f", float64(explained)*100/float64(charges))))
	}
	for _, l := range a.Leads {
		say("Leads", s.t("%d × %s, %s: likely, not certain, and in no sum above.", l.Calls, s.b.leadName(l.Kind), readable(l.Amount, placesOf(l.Amount))+" "+l.Currency))
	}
	var rejected, rows int64
	for _, in := range a.Inputs {
		rejected, rows = rejected+in.Rejected, rows+in.Rows
	}
	if rejected > 0 {
		say("Lines not read", s.t("%s of %s lines could not be read: the sheet Exceptions and rejects.csv.", groupDigits(rejected), groupDigits(rows)))
	}
	for _, w := range a.Warnings {
		if w.Code == "id_reuse" {
			say("Reused ids", s.b.opts.Lang.Of(w.Text))
		}
	}
	if n == 0 {
		s.put(0, text(s.t("Nothing: every line was read, settled and explained.")))
	}
}
