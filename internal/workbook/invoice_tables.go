package workbook

import (
	"fmt"

	"retrytax/internal/report"
	"retrytax/internal/words"
)

type invoiceRow = report.InvoiceCell

// newInvoiceLines is the sheet Invoice lines: every place of the comparison, what differs first.
func (b *builder) newInvoiceLines(x *report.InvoiceBook, blocks []*invoiceBlock) (*grid[invoiceRow], error) {
	why := wordsOf("What explains it", func(r *invoiceRow) string { return r.Said(b.opts.Lang) })
	why.widest = 60
	difference := amount("Difference", func(r *invoiceRow) report.Money {
		if r.State == "beside" {
			return "0"
		}
		return r.Difference
	}).as("difference")
	beside := func(r *invoiceRow) report.Money {
		if r.State == "beside" {
			return r.Invoiced
		}
		return "0"
	}
	difference.cell = func(r *invoiceRow) value {
		return money(kindMoney, difference.amount(r)).less(orZero(r.Invoiced), orZero(r.Charged), orZero(beside(r)))
	}
	difference.live = func(r *invoiceRow, row int, at map[string]string) string {
		return fmt.Sprintf("ROUND(%s%d-%s%d-%s%d,%d)", at["invoiced"], row, at["charged"], row, at["beside"], row, differencePlaces(r.Invoiced, r.Charged))
	}
	columns := []column[invoiceRow]{
		wordsOf("Result", func(r *invoiceRow) string { return b.t(invoiceWords(r.State)) }),
		{title: "Day", suffix: " (" + b.zone.String() + ")", key: "day", cell: func(r *invoiceRow) value { return day(r.Day) }},
		wordsOf("Provider", func(r *invoiceRow) string { return r.Provider }).as("provider"),
		wordsOf("Model", func(r *invoiceRow) string { return r.Model }).as("model"),
		ident("API key", func(r *invoiceRow) string { return r.APIKey }),
		wordsOf("Kind of tokens", func(r *invoiceRow) string { return r.TokenType }),
		wordsOf("Kind", func(r *invoiceRow) string { return b.opts.Lang.Of(r.Kind) }),
		amount("Invoiced", func(r *invoiceRow) report.Money { return orZero(r.Invoiced) }).as("invoiced"),
		amount("Charged", func(r *invoiceRow) report.Money { return orZero(r.Charged) }).as("charged"),
		amount("Tax on the invoice alone", beside).as("beside"),
		difference,
		wordsOf("Currency", func(r *invoiceRow) string { return r.Currency }).as("currency"),
		why,
		wordsOf("Lines of the invoice", func(r *invoiceRow) string { return r.Rows }),
		wordsOf("Line that differs", func(r *invoiceRow) string { return r.OddRow }),
		optional("It says", func(r *invoiceRow) report.Money { return r.Found }),
		optional("Expected", func(r *invoiceRow) report.Money { return r.Expected }),
		amount("Rounding can make", func(r *invoiceRow) report.Money { return orZero(r.Rounding) }),
		count("Number of invoice lines", func(r *invoiceRow) value { return whole(r.InvoiceLines) }).as("lines"),
		count("Number of charges", func(r *invoiceRow) value { return whole(r.Charges) }).as("charges"),
	}
	g, err := newGrid(b, layout{name: b.t("Invoice lines"), freeze: 2, table: "InvoiceLines", wide: 2}, columns, x.Cells,
		b.t("The invoice was not held against charges: there are none in the period, or it names no amounts."))
	if err != nil {
		return nil, err
	}
	for _, block := range blocks {
		all := &block.all
		g.totals = append(g.totals, total{label: b.t("Total, %s", block.currency), book: "invoice", currency: block.currency,
			amounts: map[string]report.Money{"invoiced": moneyText(all.invoiced), "charged": moneyText(all.charged), "beside": moneyText(all.beside), "difference": moneyText(all.difference())},
			counts:  map[string]int64{"lines": all.lines, "charges": all.charges}})
	}
	g.layout.notes = b.notesOf(g.ref.rows, "What differs stands first, the largest difference on top. A place is a day, model, key and kind of token, as far as both sides tell them.")
	return g, nil
}

// optional is an amount that most rows do not have; then the cell is empty.
func optional[R any](title string, get func(*R) report.Money) column[R] {
	c := amount(title, get)
	some := c.cell
	c.cell = func(r *R) value {
		if get(r) == "" {
			return blank
		}
		return some(r)
	}
	return c
}

type ratedRow = report.RatedRow

// newRatedLines is the sheet Re-rated lines: every charge line whose amount is not what the price list makes of its tokens.
func (b *builder) newRatedLines(x *report.InvoiceBook) (*grid[ratedRow], error) {
	zone := " (" + b.zone.String() + ")"
	what := wordsOf("What is wrong", func(r *ratedRow) string { return report.RatedState(b.opts.Lang, r.State) })
	what.widest = 60
	difference := amount("Difference", func(r *ratedRow) report.Money { return r.Difference }).as("difference")
	difference.cell = func(r *ratedRow) value { return money(kindMoney, r.Difference).less(r.Amount, r.Expected) }
	difference.live = func(r *ratedRow, row int, at map[string]string) string {
		return fmt.Sprintf("ROUND(%s%d-%s%d,%d)", at["amount"], row, at["expected"], row, differencePlaces(r.Amount, r.Expected))
	}
	columns := []column[ratedRow]{
		ident("Charge", func(r *ratedRow) string { return r.ChargeID }),
		{title: "Charged at", suffix: zone, cell: func(r *ratedRow) value { return momentOr(r.At, b.zone) }},
		wordsOf("Provider", func(r *ratedRow) string { return r.Provider }),
		wordsOf("Model", func(r *ratedRow) string { return r.Model }),
		amount("Billed", func(r *ratedRow) report.Money { return r.Amount }).as("amount"),
		amount("By the price list", func(r *ratedRow) report.Money { return r.Expected }).as("expected"),
		difference,
		wordsOf("Currency", func(r *ratedRow) string { return r.Currency }).as("currency"),
		what,
		count("Input tokens", func(r *ratedRow) value { return wholeOr(r.Input, unknown) }),
		count("of these from cache", func(r *ratedRow) value { return known(r.Cached) }),
		count("Output tokens", func(r *ratedRow) value { return wholeOr(r.Output, unknown) }),
		count("of these for reasoning", func(r *ratedRow) value { return known(r.Reasoned) }),
		count("Input tokens in the log", func(r *ratedRow) value { return known(r.LoggedInput) }),
		count("Output tokens in the log", func(r *ratedRow) value { return known(r.LoggedOutput) }),
		wordsOf("File of the charge", func(r *ratedRow) string { return r.File }),
		count("Line", func(r *ratedRow) value { return whole(r.Line) }),
	}
	g, err := newGrid(b, layout{name: b.t("Re-rated lines"), freeze: 1, table: "RatedLines", wide: 2}, columns, x.Rated, b.t("Every charge line that has a price costs what the list says."))
	if err != nil {
		return nil, err
	}
	g.totals, err = b.ratedTotals(x.Rated)
	return g, err
}

// ratedTotals are the sums of the lines that are wrong, by currency; a sum of which a part is unknown has no total.
func (b *builder) ratedTotals(rows report.Rows[ratedRow]) (out []total, err error) {
	at := map[string]int{}
	err = rows.Each(func(r *ratedRow) error {
		i, ok := at[r.Currency]
		if !ok {
			i = len(out)
			at[r.Currency] = i
			out = append(out, total{label: b.t("Total, %s", r.Currency), book: "invoice", currency: r.Currency,
				amounts: map[string]report.Money{"amount": "0", "expected": "0", "difference": "0"}})
		}
		for key, m := range map[string]report.Money{"amount": r.Amount, "expected": r.Expected, "difference": r.Difference} {
			out[i].amounts[key] = addMoney(out[i].amounts[key], m)
		}
		return nil
	})
	return out, err
}

// invoiceVerdict is the one sentence that counts.
func invoiceVerdict(l words.Lang, v *report.Invoice) string {
	differing, places := v.Differing()
	switch {
	case v.Caveat(l) != "":
		stop := "."
		if l == words.Chinese {
			stop = "。"
		}
		said := v.Caveat(l) + stop
		if hides := v.Hides(l); hides != "" {
			said += l.Gap() + hides + stop
		}
		return said
	case v.Result == report.InvoiceNothing:
		return l.T("The invoice was not held against charges: there are none in the period, or it names no amounts.")
	case v.Result == report.InvoiceEqual:
		return l.T("The invoice equals the charges, to the last digit.")
	case v.Result == report.InvoiceRounded:
		return l.T("The invoice agrees with the charges: nothing but the rounding of its own lines lies between them.")
	case v.Accepted:
		return l.T("The invoice differs in %s of %s places, all within the tolerance that was asked for.", groupDigits(differing), groupDigits(places))
	}
	return l.T("The invoice differs from the charges in %s of %s places.", groupDigits(differing), groupDigits(places))
}
