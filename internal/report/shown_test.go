package report

import "testing"

// TestMainIsOfACurrencyWithExcess: page and workbook draw the paid book's currency that has an excess and most charges.
func TestMainIsOfACurrencyWithExcess(t *testing.T) {
	type block struct {
		book, currency string
		charges        int64
		excess         Money
	}
	for _, c := range []struct {
		blocks         []block
		book, currency string
	}{
		{[]block{{"bill", "EUR", 900, "0"}, {"bill", "USD", 3, "1"}, {"bill", "CNY", 7, "0.1"}}, "bill", "CNY"},
		{[]block{{"bill", "EUR", 7, "1"}, {"bill", "USD", 7, "2"}}, "bill", "EUR"},
		{[]block{{"estimate", "USD", 900, "5"}, {"bill", "USD", 3, "1"}}, "bill", "USD"},
		{[]block{{"bill", "USD", 3, "0"}, {"estimate", "USD", 9, "5"}}, "estimate", "USD"},
		{[]block{{"bill", "USD", 3, "0"}}, "", ""},
	} {
		wb := &Workbook{Audit: &Audit{}}
		for _, b := range c.blocks {
			wb.Audit.Totals = append(wb.Audit.Totals, Total{ProviderBook: "all/" + b.book, Currency: b.currency})
			wb.Audit.Verdicts = append(wb.Audit.Verdicts, Verdict{Book: b.book, Currency: b.currency, Charges: b.charges, Excess: b.excess})
		}
		if book, currency, ok := wb.Main(); book != c.book || currency != c.currency || ok != (c.book != "") {
			t.Errorf("%+v: found %s %s, expected %s %s", c.blocks, book, currency, c.book, c.currency)
		}
	}
}
