package workbook

import (
	"archive/zip"
	"bytes"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"retrytax/internal/report"
)

// columnOf finds a column by its header.
func columnOf(t *testing.T, f *excelize.File, sheet, header string) int {
	t.Helper()
	rows, err := f.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range rows[0] {
		if h == header {
			return i + 1
		}
	}
	t.Fatalf("%s has no column %q: %q", sheet, header, rows[0])
	return 0
}

func TestHostileStringsStayText(t *testing.T) {
	f := opened(t, written(t, october(t), nil))
	column := columnOf(t, f, "Evidence", "Request")
	for i, s := range hostile {
		cell := cellName(column, i+2)
		if kind, _ := f.GetCellType("Evidence", cell); kind != excelize.CellTypeInlineString {
			t.Errorf("%s: %q has cell type %v, want an inline string", cell, s, kind)
		}
		if formula, _ := f.GetCellFormula("Evidence", cell); formula != "" {
			t.Errorf("%s: %q became the formula %s", cell, s, formula)
		}
		if linked, _, _ := f.GetCellHyperLink("Evidence", cell); linked {
			t.Errorf("%s: %q became a link", cell, s)
		}
		if got, _ := f.GetCellValue("Evidence", cell); got != cleanText(s) {
			t.Errorf("%s = %q, want %q", cell, got, cleanText(s))
		}
		style, _ := f.GetCellStyle("Evidence", cell)
		xf := f.Styles.CellXfs.Xf[style]
		if quoted := xf.QuotePrefix != nil && *xf.QuotePrefix; quoted != looksLikeFormula(s) {
			t.Errorf("%s: %q has quote prefix %v", cell, s, quoted)
		}
	}
}

// unzipped are the members of the file, uncompressed.
func unzipped(t *testing.T, data []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = string(content)
	}
	return all
}

// ownFormula is what a formula of the reports may be made of: functions, cells, sheets' names, numbers, our own words.
var ownFormula = regexp.MustCompile(`^(IF|ROUND|SUM|SUMIFS|COUNT|ABS|FALSE|'[\p{L}\d -]+( \(\d\))?'!|"[\p{L}\d >–]*"|\$?[A-Z]{1,2}\$?\d+|[-+/*(),:<=0-9])*$`)

var formulaCell = regexp.MustCompile(`<f[ >]([^<]*)`)

// allFormulas are the formulas of a sheet's XML.
func allFormulas(content string) (out []string) {
	for _, f := range formulaCell.FindAllStringSubmatch(content, -1) {
		out = append(out, html.UnescapeString(f[1]))
	}
	return out
}

func TestOnlyOurOwnFormulas(t *testing.T) {
	found := 0
	for name, content := range unzipped(t, written(t, october(t), nil)) {
		if strings.Contains(content, "<hyperlink") {
			t.Errorf("%s has a link", name)
		}
		if !strings.HasPrefix(name, "xl/worksheets/") {
			continue
		}
		for _, text := range allFormulas(content) {
			found++
			if !ownFormula.MatchString(text) {
				t.Errorf("%s: %s is none of our formulas", name, text)
			}
		}
	}
	if found < 40 {
		t.Errorf("found %d formulas, expected those of three ledgers and of the totals", found)
	}
}

// TestHostileCodesGetIntoNoFormula: a currency that is no code is summed by nothing.
func TestHostileCodesGetIntoNoFormula(t *testing.T) {
	wb := october(t)
	const bad = `U",1)+cmd|' /C calc'!A0+SUM("`
	for i := range wb.Days {
		wb.Days[i].Currency = bad
	}
	for i := range wb.Audit.Totals {
		wb.Audit.Totals[i].Currency = bad
	}
	for name, content := range unzipped(t, written(t, wb, nil)) {
		for _, f := range regexp.MustCompile(`<f>[^<]*</f>`).FindAllString(content, -1) {
			if strings.Contains(f, "cmd") {
				t.Errorf("%s: %s", name, f)
			}
		}
	}
}

func TestIDsAreText(t *testing.T) {
	f := opened(t, written(t, october(t), nil))
	for header, want := range map[string]string{
		"Charge": "18446744073709551610", "Charge that was delivered": "007", "Idempotency key": "00001",
	} {
		cell := cellName(columnOf(t, f, "Evidence", header), 2)
		kind, _ := f.GetCellType("Evidence", cell)
		if got, _ := f.GetCellValue("Evidence", cell); got != want || kind != excelize.CellTypeInlineString {
			t.Errorf("%s = %q as %v, want the text %q", header, got, kind, want)
		}
	}
}

func TestCellsNeverPassExcelsLimit(t *testing.T) {
	wb := october(t)
	rows := octoberEvidence(zurich(t))
	rows[0].Reason = strings.Repeat("ä😀", 30000)
	wb.Evidence = report.RowsOf(rows)
	f := opened(t, written(t, wb, nil))
	got, _ := f.GetCellValue("Evidence", cellName(columnOf(t, f, "Evidence", "Why: the rule that holds"), 2))
	if n := utf16Len(got); n > maxCellUnits || !strings.HasSuffix(got, "[cut: 90000 characters in all]") {
		t.Errorf("%d units, ending in %q", n, got[len(got)-40:])
	}
}
