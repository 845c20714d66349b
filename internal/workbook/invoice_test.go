package workbook

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"retrytax/internal/report"
	"retrytax/internal/words"
)

// invoiced is a small invoice whose numbers can be added up in the head: USD differs in three places of six, EUR agrees.
func invoiced(t testing.TB) *report.InvoiceBook {
	zone := zurich(t)
	cells := []report.InvoiceCell{
		cellOf("USD", "acme", "2026-10-05", "m-large", "differs", "10.5", "10", "0.5"),
		cellOf("USD", "acme", "2026-10-06", "m-small", "charges_only", "0", "0.25", "-0.25"),
		cellOf("USD", "acme", "2026-10-06", hostile[0], "unknown", "0", "0", "0"),
		cellOf("USD", "acme", "2026-10-04", "m-large", "equal", "2", "2", "0"),
		cellOf("USD", "contoso", "2026-10-04", "m-large", "rounded", "1.35", "1.3468", "0.0032"),
		cellOf("USD", "acme", "", "", "beside", "1.9", "0", "1.9"),
		cellOf("EUR", "acme", "2026-10-04", "m-small", "equal", "12.345678901234", "12.345678901234", "0"),
	}
	cells[0].Rows, cells[0].OddRow, cells[0].Found, cells[0].Expected = "cent.csv:3, cent.csv:4", "cent.csv:4", "0.75", "0.25"
	cells[1].Charges, cells[1].InvoiceLines = 3, 0
	cells[5].Kind = "tax"
	v := &report.Invoice{Schema: report.InvoiceSchema, Result: report.InvoiceDiffers, Tolerance: "focus", Cells: cells[:3],
		Period: report.Period{From: time.Date(2026, 10, 1, 0, 0, 0, 0, zone), To: time.Date(2026, 11, 1, 0, 0, 0, 0, zone), Zone: "Europe/Zurich"},
		Inputs: []report.Input{{File: "cent.csv", SHA256: strings.Repeat("0a", 32), Role: "bills", Format: "retrytax-bills", Rows: 6, Loaded: 6}},
		Stated: &report.StatedTotal{Currency: "USD", Stated: "15.8", Lines: "15.75", Difference: "0.05"},
		Totals: []report.InvoiceTotal{
			{Provider: "all", Currency: "USD", Invoiced: "15.75", Charged: "13.5968", Difference: "0.2532", Beside: "1.9", Tolerance: "1", Within: true, InvoiceLines: 5, Charges: 8, Unknown: 1, Listed: 2, Cells: 5, Rounded: 1, Differing: 3},
			{Provider: "acme", Currency: "USD", Invoiced: "14.4", Charged: "12.25", Difference: "0.25", Beside: "1.9", Tolerance: "0.1", Cells: 4, Differing: 3},
			{Provider: "contoso", Currency: "USD", Invoiced: "1.35", Charged: "1.3468", Difference: "0.0032", Beside: "0", Tolerance: "1", Within: true, Cells: 1, Rounded: 1},
			{Provider: "all", Currency: "EUR", Invoiced: "12.345678901234", Charged: "12.345678901234", Difference: "0", Beside: "0", Tolerance: "1", Within: true, InvoiceLines: 1, Charges: 1, Cells: 1},
			{Provider: "acme", Currency: "EUR", Invoiced: "12.345678901234", Charged: "12.345678901234", Difference: "0", Beside: "0", Tolerance: "1", Within: true, InvoiceLines: 1, Charges: 1, Cells: 1},
		},
		Shifts:    []report.InvoiceShift{{Currency: "USD", Offset: "+08:00", Differing: 0, Before: 3}},
		Strangers: []report.InvoiceStranger{{Provider: hostile[1], Currency: "USD", Charges: 4, Amount: "7"}},
		Prices: &report.Rerated{Lists: []string{"prices.csv"}, Wrong: 2, Right: 5, Open: 1, Models: []report.RatedModel{
			{Provider: "acme", Model: "m-large", Currency: "USD", State: "right", Lines: 5, Amount: "8", Expected: "8", Difference: "0"},
			{Provider: "acme", Model: "m-large", Currency: "USD", State: "cached_twice", Lines: 2, Amount: "4", Expected: "3", Difference: "1", ImpliedInput: "2.5", ImpliedOutput: "20"},
			{Provider: "acme", Model: hostile[3], Currency: "USD", State: "unpriced_model", Lines: 1, Amount: "0.25"},
		}},
		Money: []report.CurrencyTotal{{Side: "invoice", Currency: "USD", Lines: 5, Amount: "15.75", Converted: "14"}, {Side: "charges", Currency: "USD", Lines: 9, Amount: "13.5968", Unknown: 1, Converted: "12", WithoutRate: 1, NotIn: "0.25", Days: "2026-10-06"}},
		Converted: &report.Conversion{Currency: "EUR", File: "rates.csv", SHA256: strings.Repeat("1b", 32), Rates: 2, Charges: "12", Invoice: "14",
			Rounding: "each line at the rate of its day in the report's zone, rounded to 12 decimals, half away from zero; sums are sums of lines"},
		Bill: &report.BillAgainstLog{Hidden: ptr(int64(3)), Basis: report.ByTokens, Started: report.Estimate{Value: ptr("0.8"), Low: ptr("0.7"), High: ptr("0.9")},
			Models: []report.BillModel{{Provider: "acme", Model: "m-large", Currency: "USD", Requests: ptr(int64(20)), Logged: 17, Answered: 15, Abandoned: 2, Amount: "12", AnsweredCost: "10", Gap: "2", AbandonedCost: "1.5", Unexplained: "0.5",
				Diagnosis: "formula", Text: "the amount counts cached tokens twice: as cached and within the whole input"}},
			Notes: []string{"the days are too few, or too unlike, for an interval"}},
		Rules:    []string{"a line of the invoice agrees if it equals its charges, rounded to as many decimals as the invoice writes"},
		Warnings: []report.Warning{{Code: "rejected_rows", Text: "lines of the log that could not be read and are in no count: 2"}},
	}
	at := time.Date(2026, 10, 5, 12, 0, 0, 0, zone)
	return &report.InvoiceBook{Invoice: v, Cells: report.RowsOf(cells), Rated: report.RowsOf([]report.RatedRow{
		{RatedLine: report.RatedLine{File: "charges.csv", Line: 7, Provider: "acme", Model: "m-large", ChargeID: "=c1", Currency: "USD", Amount: "2.5", Expected: "2", Difference: "0.5", State: "cached_twice"},
			At: &at, Input: ptr(int64(1000)), Cached: ptr(int64(500)), Output: ptr(int64(20))},
		{RatedLine: report.RatedLine{File: "charges.csv", Line: 8, Provider: "acme", Model: "m-large", ChargeID: "c2", Currency: "USD", Amount: "1.5", Expected: "1", Difference: "0.5", State: "other_day"}, At: &at, Output: ptr(int64(20))},
	}), Method: []report.MethodRow{{Section: "Versions", Name: "retrytax", Value: "v0.0.0-test"}}}
}

func cellOf(currency, provider, day, model, state string, invoiced, charged, difference report.Money) report.InvoiceCell {
	return report.InvoiceCell{Currency: currency, Kind: "usage", Provider: provider, Day: day, Model: model, State: state, Invoiced: invoiced, InvoiceLines: 1, Charged: charged, Charges: 1,
		Difference: difference, Rounding: "0.005", Rows: "cent.csv:9"}
}

func invoiceFile(t testing.TB, x *report.InvoiceBook, lang words.Lang, maxRows int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteInvoice(context.Background(), &b, x, Options{Version: "v0.0.0-test", Created: created, Lang: lang, MaxRows: maxRows}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestInvoiceAsText(t *testing.T) {
	for _, lang := range []words.Lang{words.English, words.Chinese} {
		data := invoiceFile(t, invoiced(t), lang, 0)
		compareText(t, "invoice_"+string(lang)+".txt", asText(t, opened(t, data)))
		if !bytes.Equal(data, invoiceFile(t, invoiced(t), lang, 0)) {
			t.Error("two runs gave other bytes")
		}
	}
}

// TestInvoiceFormulas computes each formula anew: differences, sums over the sheet Invoice lines, what lies within the tolerance.
func TestInvoiceFormulas(t *testing.T) {
	f := opened(t, invoiceFile(t, invoiced(t), words.English, 0))
	if n := recomputed(t, f); n < 60 {
		t.Errorf("found %d formulas, expected those of sums, differences and totals", n)
	}
	// Whoever corrects a line sees what follows.
	if err := f.SetCellValue("Invoice lines", cellName(columnOf(t, f, "Invoice lines", "Invoiced"), 2), 10); err != nil {
		t.Fatal(err)
	}
	rows, _ := f.GetRows("Invoice")
	for y, row := range rows {
		if len(row) > 6 && row[0] == "Total, USD" {
			if got, err := f.CalcCellValue("Invoice", cellName(3, y+1), excelize.Options{RawCellValue: true}); err != nil || got != "15.25" {
				t.Errorf("the invoice less 0.50 is %s (%v), expected 15.25", got, err)
			}
		}
	}
}

// recomputed computes every formula of a file anew and compares it with the value that stands in it.
func recomputed(t *testing.T, f *excelize.File) (n int) {
	t.Helper()
	for _, sheet := range f.GetSheetList() {
		rows, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		for y, row := range rows {
			for x, stands := range row {
				cell := cellName(x+1, y+1)
				formula, _ := f.GetCellFormula(sheet, cell)
				if formula == "" {
					continue
				}
				n++
				got, err := f.CalcCellValue(sheet, cell, excelize.Options{RawCellValue: true})
				if err != nil || !sameNumber(stands, got, 1e-9) {
					t.Errorf("%s!%s: =%s gives %s (%v), the file says %s", sheet, cell, formula, got, err, stands)
				}
			}
		}
	}
	return n
}

// TestInvoiceSumsAreThoseOfTheAudit: the totals of the sheet are the report's.
func TestInvoiceSumsAreThoseOfTheAudit(t *testing.T) {
	x := invoiced(t)
	blocks, err := sumInvoice(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, total := range x.Invoice.Totals {
		i := slices.IndexFunc(blocks, func(b *invoiceBlock) bool { return b.currency == total.Currency })
		sum := &blocks[i].all
		if total.Provider != "all" {
			sum = blocks[i].providers[slices.IndexFunc(blocks[i].providers, func(s *invoiceSum) bool { return s.name == total.Provider })]
		}
		for name, d := range map[report.Money]decimal.Decimal{total.Invoiced: sum.invoiced, total.Charged: sum.charged, total.Difference: sum.difference(), total.Beside: sum.beside} {
			if !decimal.RequireFromString(string(name)).Equal(d) {
				t.Errorf("%s %s: the sheet sums %s, the report says %s", total.Provider, total.Currency, d, name)
			}
		}
	}
}

// TestInvoiceLinesGoOn: what does not fit on a sheet stands on the next, and the sums count it.
func TestInvoiceLinesGoOn(t *testing.T) {
	f := opened(t, invoiceFile(t, invoiced(t), words.English, 4))
	if i, _ := f.GetSheetIndex("Invoice lines (3)"); i < 0 {
		t.Fatalf("found %q", f.GetSheetList())
	}
	recomputed(t, f)
}

// TestHostileInvoice: texts of the data become no formula, neither as a cell nor within one.
func TestHostileInvoice(t *testing.T) {
	x := invoiced(t)
	const bad = `U",1)+cmd|' /C calc'!A0+SUM("`
	for _, currency := range []string{"USD", bad} {
		x.Invoice.Totals = []report.InvoiceTotal{{Provider: "all", Currency: currency, Tolerance: "1"}}
		cells := []report.InvoiceCell{}
		for _, h := range append(slices.Clone(hostile), bad, "*", "?", ">0", "<>", "a*", "~a", "A1", "true", "1e3") {
			c := cellOf(currency, h, "2026-10-05", h, "differs", "2", "1", "1")
			c.APIKey, c.Rows, c.OddRow = h, h, h
			cells = append(cells, c)
		}
		x.Cells, x.Invoice.Cells = report.RowsOf(cells), cells
		data := invoiceFile(t, x, words.English, 0)
		for name, content := range unzipped(t, data) {
			for _, f := range allFormulas(content) {
				if !ownFormula.MatchString(f) {
					t.Errorf("%s: %s is none of our formulas", name, f)
				}
			}
		}
		recomputed(t, opened(t, data))
	}
}

func TestNoInvoiceIsNoSheet(t *testing.T) {
	if i, _ := opened(t, written(t, october(t), nil)).GetSheetIndex("Invoice"); i >= 0 {
		t.Error("found a sheet Invoice, expected none without an invoice")
	}
	wb := october(t)
	wb.Invoice = invoiced(t)
	f := opened(t, written(t, wb, nil))
	names := f.GetSheetList()
	if i := slices.Index(names, "Invoice"); i < 0 || names[len(names)-1] != "Method" || i < slices.Index(names, "Exceptions") {
		t.Errorf("found %q, expected Invoice between Exceptions and Method", names)
	}
	var b bytes.Buffer
	if err := WriteInvoice(context.Background(), &b, nil, Options{}); err == nil || b.Len() > 0 {
		t.Errorf("no invoice: %v, %d bytes", err, b.Len())
	}
}
