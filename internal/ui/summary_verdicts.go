package ui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
)

// verdicts is what the settled charges of one book and currency turned out to be, by
// money: what bought no answer first, largest first, then the rest. The bar is drawn to the scale of
// the largest amount that bought no answer.
func (s *summary) verdicts(t report.Total) {
	_, book := splitBook(t.ProviderBook)
	var rows []report.Verdict
	var amounts, excesses []decimal.Decimal
	longest := decimal.Zero
	for _, v := range s.a.Verdicts {
		if v.Book != book || v.Currency != t.Currency {
			continue
		}
		rows = append(rows, v)
		paid, _ := value(v.Amount)
		excess, _ := value(v.Excess)
		amounts, excesses = append(amounts, paid), append(excesses, excess)
		longest = decimal.Max(longest, lost(v))
	}
	if len(rows) == 0 {
		return
	}
	slices.SortStableFunc(rows, byMoney)
	s.blank()
	tab := table{cols: []column{{title: "what settled charges were", min: 24}, {title: "charges", right: true},
		{title: "amount, " + currencyName(t.Currency), right: true}, {title: "excess", right: true},
		{title: "remedy", drop: true}, {drop: true}}}
	for _, v := range rows {
		tab.add(Lookup(Verdicts, v.Verdict).Name, count(v.Charges), fixed(v.Amount, places(maxPlaces, amounts...)),
			fixed(v.Excess, places(maxPlaces, excesses...)), recovery(v), "")
	}
	room := min(s.width-len(tableIndent)-total(tab.fit(s.width-len(tableIndent)))-len(tableGap), 24)
	for i, v := range rows {
		if room >= 4 {
			tab.rows[i][5] = cell{bar(lost(v), longest, room), yellow}
		}
		if v.Verdict != "delivered" && !isZero(v.Excess) {
			tab.rows[i][3].style = red
		}
	}
	tab.write(s.page)
}

// recovery is empty where there is nothing to get back.
func recovery(v report.Verdict) string {
	if v.Recovery == "none" || v.Recovery == "" {
		return ""
	}
	return Lookup(Recoveries, v.Recovery).Name
}

// lost is what a verdict's charges bought no answer with: the excess, and what undelivered
// calls cost.
func lost(v report.Verdict) decimal.Decimal {
	m := v.Excess
	if v.Verdict == "undelivered" {
		m = v.Amount
	}
	d, _ := value(m)
	return d
}

func byMoney(a, b report.Verdict) int {
	x, _ := value(a.Amount)
	y, _ := value(b.Amount)
	return cmp.Or(lost(b).Cmp(lost(a)), y.Cmp(x), strings.Compare(a.Verdict+a.Recovery, b.Verdict+b.Recovery))
}
