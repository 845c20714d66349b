package workbook

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	longtests "retrytax/internal/parts"
	"retrytax/internal/report"
	"retrytax/internal/words"
)

// TestSumsOfTheSheetsAreThoseOfTheAudit adds up the columns of the sheets and compares them, rounded to
// six decimals, with what audit.json says.
func TestSumsOfTheSheetsAreThoseOfTheAudit(t *testing.T) {
	wb := october(t)
	f := opened(t, written(t, wb, nil))
	for _, total := range wb.Audit.Totals {
		if !strings.HasPrefix(total.ProviderBook, allProviders) {
			continue
		}
		want := map[string]report.Money{}
		for i, m := range partsOf(total) {
			want[ledgerTerms[i].name] = m
		}
		for _, sheet := range []string{"By day", "By model", "By key"} {
			for name, m := range want {
				sameSum(t, f, sheet, name, book(total), total.Currency, m)
			}
		}
		sameSum(t, f, "Evidence", "Excess", book(total), total.Currency, total.Excess)
		sameSum(t, f, "Duplicated requests", "Excess", book(total), total.Currency, total.Excess)
	}
}

// sameSum adds up the rows of a table that are of a book and a currency.
func sameSum(t *testing.T, f *excelize.File, sheet, column, book, currency string, want report.Money) {
	t.Helper()
	rows, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	at, atBook, atCurrency := columnOf(t, f, sheet, column)-1, columnOf(t, f, sheet, "Book")-1, columnOf(t, f, sheet, "Currency")-1
	sum := decimal.Zero
	for _, row := range rows[1:] {
		if len(row) <= max(at, atBook, atCurrency) || row[atBook] != book || row[atCurrency] != currency {
			continue
		}
		d, err := decimal.NewFromString(row[at])
		if err != nil {
			continue // unknown
		}
		sum = sum.Add(d)
	}
	if w := decimal.RequireFromString(string(want)); !sum.Round(6).Equal(w.Round(6)) {
		t.Errorf("%s, %s of %s %s: %s, the audit has %s", sheet, column, book, currency, sum, w)
	}
}

// TestFormulasOfTheReport computes every formula of the sheets anew and compares it with the value that stands in the file.
func TestFormulasOfTheReport(t *testing.T) {
	f := opened(t, written(t, october(t), nil))
	n := recomputed(t, f)
	if n < 60 {
		t.Errorf("found %d formulas, expected the ledgers, the totals and the checks", n)
	}
}

// recalculating has LibreOffice compute every formula of a file that it opens.
const recalculating = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>`

// TestLibreOfficeChangesNoNumber has LibreOffice open the workbook, compute it anew and write it again:
// every cell must have the value that it had.
func TestLibreOfficeChangesNoNumber(t *testing.T) {
	data := written(t, october(t), nil)
	if n := unchanged(t, opened(t, data), recalculatedByLibreOffice(t, data)); n < 150 {
		t.Errorf("compared %d numbers, expected those of all sheets", n)
	}
}

// TestLibreOfficeChangesNoNumberOfAnInvoice does the same with the invoice's workbook, in both languages, and with amounts whose
// differences have twelve decimals, or all the digits that a cell holds.
func TestLibreOfficeChangesNoNumberOfAnInvoice(t *testing.T) {
	longtests.Later(t)
	fine := invoiced(t)
	fine.Cells = report.RowsOf([]report.InvoiceCell{
		cellOf("USD", "acme", "2026-10-05", "m-large", "differs", "0.25", "0.370370367036", "-0.120370367036"),
		cellOf("USD", "acme", "2026-10-06", "m-large", "rounded", "0.12", "0.123456789012", "-0.003456789012"),
		cellOf("USD", "acme", "2026-10-07", "m-small", "differs", "2469135.83", "2469135.78", "0.05"),
		cellOf("EUR", "acme", "2026-10-04", "m-small", "rounded", "123456789.12", "123456789.123457", "-0.003457"),
	})
	fine.Invoice.Totals[1].Within = true
	for name, data := range map[string][]byte{
		"English":       invoiceFile(t, invoiced(t), words.English, 0),
		"Chinese":       invoiceFile(t, invoiced(t), words.Chinese, 0),
		"many decimals": invoiceFile(t, fine, words.English, 0),
	} {
		t.Run(name, func(t *testing.T) {
			if n := unchanged(t, opened(t, data), recalculatedByLibreOffice(t, data)); n < 100 {
				t.Errorf("compared %d numbers, expected those of all sheets", n)
			}
		})
	}
}

// recalculatedByLibreOffice is a workbook after LibreOffice has computed every formula of it and written it again.
func recalculatedByLibreOffice(t *testing.T, data []byte) *excelize.File {
	t.Helper()
	soffice, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("needs soffice (LibreOffice), which is not installed")
	}
	if testing.Short() {
		t.Skip("starts soffice, which takes seconds; not in -short")
	}
	profile, dir := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(profile, "user"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(profile, "user", "registrymodifications.xcu"), []byte(recalculating), 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "book.xlsx")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	out := filepath.Join(dir, "out")
	convert := exec.CommandContext(ctx, soffice, "--headless", "-env:UserInstallation=file://"+profile, "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", out, file)
	if said, err := convert.CombinedOutput(); err != nil {
		t.Fatalf("soffice: %v\n%s", err, said)
	}
	again, err := os.ReadFile(filepath.Join(out, "book.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	return opened(t, again)
}

// unchanged compares every cell of a workbook with what became of it, and counts the numbers. Only of the cost model, which the tool
// computes in another order than the sheets do, the tenth digit may differ.
func unchanged(t *testing.T, was, is *excelize.File) (numbers int) {
	t.Helper()
	for _, sheet := range was.GetSheetList() {
		tolerance := 1e-14
		if sheet == costSheet || sheet == whatIfSheet {
			tolerance = 1e-9
		}
		before, err := was.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		after, err := is.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatalf("LibreOffice lost the sheet %s: %v", sheet, err)
		}
		for y, row := range before {
			for x, want := range row {
				got := ""
				if y < len(after) && x < len(after[y]) {
					got = after[y][x]
				}
				if _, err := strconv.ParseFloat(want, 64); err == nil {
					numbers++
				}
				if !sameNumber(want, got, tolerance) && strings.ReplaceAll(want, "\r", "\n") != got {
					t.Errorf("%s!%s was %q, LibreOffice says %q", sheet, cellName(x+1, y+1), want, got)
				}
			}
		}
	}
	return numbers
}
