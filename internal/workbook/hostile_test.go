package workbook

import (
	"archive/zip"
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
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

// parts are the members of the file, uncompressed.
func parts(t *testing.T, data []byte) map[string]string {
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

func TestOnlyChecksAreFormulas(t *testing.T) {
	formula := regexp.MustCompile(`<f[ >]([^<]*)`)
	check := regexp.MustCompile(`^IF\(COUNT\(.*"adds up","DOES NOT ADD UP"\)\)$`)
	for name, content := range parts(t, written(t, october(t), nil)) {
		if strings.Contains(content, "<hyperlink") {
			t.Errorf("%s has a link", name)
		}
		if !strings.HasPrefix(name, "xl/worksheets/") {
			continue
		}
		found := formula.FindAllStringSubmatch(content, -1)
		if name != summaryPart && len(found) > 0 {
			t.Errorf("%s has formulas: %q", name, found)
		}
		if name == summaryPart && len(found) != 6 { // three ledgers, three tables of verdicts
			t.Errorf("%s has %d formulas, want 6", name, len(found))
		}
		for _, f := range found {
			if name == summaryPart && !check.MatchString(strings.ReplaceAll(f[1], "&#34;", `"`)) {
				t.Errorf("%s: %s is not a check", name, f[1])
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
	wb.Evidence[0].Reason = strings.Repeat("ä😀", 30000)
	f := opened(t, written(t, wb, nil))
	got, _ := f.GetCellValue("Evidence", cellName(columnOf(t, f, "Evidence", "Why: the rule that holds"), 2))
	if n := utf16Len(got); n > maxCellUnits || !strings.HasSuffix(got, "[cut: 90000 characters in all]") {
		t.Errorf("%d units, ending in %q", n, got[len(got)-40:])
	}
}
