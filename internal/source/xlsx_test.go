package source

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"
)

// book makes a workbook with excelize, which this package does not use: what one writes the
// other reads.
func book(t tb, fill func(f *excelize.File) error) []byte {
	t.Helper()
	f := excelize.NewFile()
	if err := fill(f); err != nil {
		t.Fatal(err)
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rowsOf fills the first sheet.
func rowsOf(rows ...[]any) func(f *excelize.File) error {
	return func(f *excelize.File) error {
		for i, r := range rows {
			if err := f.SetSheetRow("Sheet1", "A"+string(rune('1'+i)), &r); err != nil {
				return err
			}
		}
		return nil
	}
}

// xlsxDecode decodes the only table of a workbook.
func xlsxDecode(t *testing.T, content []byte) (decoded, Recognised) {
	t.Helper()
	_, ins, _ := expand(t, content, Expansion{})
	if len(ins) != 1 {
		t.Fatalf("found %d tables, expected 1", len(ins))
	}
	rec, err := Recognise(ins[0], "")
	if err != nil {
		t.Fatal(err)
	}
	return decodeAs(t, ins[0], rec, Options{}), rec
}

// A row of a sheet is a line of its number. Cells are what they show: ids with all digits,
// days and times, amounts of as many digits as a spreadsheet keeps.
func TestWorkbook(t *testing.T) {
	content := book(t, func(f *excelize.File) error {
		day, _ := f.NewStyle(&excelize.Style{NumFmt: 22})
		own := `yyyy"年"mm"月"dd"日" hh:mm:ss.000`
		chinese, _ := f.NewStyle(&excelize.Style{CustomNumFmt: &own})
		zeros := "00000000"
		padded, _ := f.NewStyle(&excelize.Style{CustomNumFmt: &zeros})
		money := `"$"#,##0.00;[Red]("$"#,##0.00)`
		dollars, _ := f.NewStyle(&excelize.Style{CustomNumFmt: &money})
		for _, c := range []struct {
			at    string
			v     any
			style int
		}{
			{"A1", "Bill of October", 0}, {"A2", "Customer", 0}, {"B2", "Acme, Inc.", 0},
			{"A4", "charge_id", 0}, {"B4", "request_id", 0}, {"C4", "charged_at", 0}, {"D4", "model\nname", 0}, {"E4", "amount", 0}, {"F4", "input_tokens", 0},
			{"A5", "00012345678901234567", 0}, {"B5", 12345678901, 0}, {"C5", 46298.5, day}, {"D5", "m, \"large\"\nnew", 0}, {"E5", 0.1 + 0.2, dollars}, {"F5", 100, 0},
			{"A6", 42, padded}, {"B6", "=1+1", 0}, {"C6", 46298.500035, chinese}, {"D6", "m", 0}, {"E6", -1.5, dollars}, {"F6", 2000, 0},
			{"A8", "c8", 0}, {"C8", "2026-10-03 12:00:00", 0}, {"E8", "$1,234.5", 0}, {"F8", "1,200", 0},
			{"A9", "c9", 0}, {"C9", "2026-10-03", 0}, {"E9", 1.0 / 3, 0}, {"G9", "a note", 0},
			{"A10", "c10", 0}, {"C10", "2026-10-03", 0}, {"E10", 1.0 / 3, 0},
		} {
			if err := f.SetCellValue("Sheet1", c.at, c.v); err != nil {
				return err
			}
			if err := f.SetCellStyle("Sheet1", c.at, c.at, c.style); err != nil {
				return err
			}
		}
		return nil
	})
	got, rec := xlsxDecode(t, content)
	want := "5: charge_id=00012345678901234567 request_id=12345678901 charged_at=2026-10-03 12:00:00 model=m, \"large\" new input_tokens=100 amount=0.3\n" +
		"6: charge_id=00000042 request_id==1+1 charged_at=2026-10-03 12:00:03.024 model=m input_tokens=2000 amount=-1.5\n" +
		"8: charge_id=c8 charged_at=2026-10-03 12:00:00 input_tokens=1200 amount=1234.5\n" +
		"10: charge_id=c10 charged_at=2026-10-03 amount=0.333333333333\n" +
		"9: reject found 7 fields, expected 6 [c9,,2026-10-03,,0.333333333333,,a note]\n"
	if got.String() != want {
		t.Error(cmp.Diff(want, got.String()))
	}
	notes := strings.Join(rec.Notes, "\n")
	if !strings.Contains(notes, "2 of 5 values of amount have more than 12 decimals") || !strings.Contains(notes, "2 lines above the header in line 4 left out") {
		t.Errorf("found notes %s", notes)
	}
}

func TestWorkbooksRefused(t *testing.T) {
	for _, c := range []struct {
		name, found string
		content     []byte
	}{
		{"an id that has lost digits", "an id that is stored as a number (12345678901234500000)", book(t, rowsOf([]any{"charge_id", "charged_at", "amount"}, []any{1.2345678901234567e19, "2026-10-03", 1}))},
		{"a formula without a value", "a formula whose value is not stored", book(t, func(f *excelize.File) error {
			if err := rowsOf([]any{"charge_id", "charged_at", "amount"}, []any{"c1", "2026-10-03"})(f); err != nil {
				return err
			}
			return f.SetCellFormula("Sheet1", "C2", "SUM(1,2)")
		})},
		{"nothing", "an empty file", book(t, rowsOf())},
		{"another table", "columns name, colour", book(t, rowsOf([]any{"name", "colour"}, []any{"a", "b"}))},
		{"our own", "retrytax's own report.xlsx", book(t, func(f *excelize.File) error {
			return f.SetAppProps(&excelize.AppProperties{Application: "retrytax"})
		})},
		{"no workbook", "cannot be read", zipOf(t, "[Content_Types].xml", "<Types/>", "xl/workbook.xml", "<workbook><sheets>", "xl/_rels/workbook.xml.rels", "<Relationships/>")},
		{"no sheets", "a workbook without sheets", zipOf(t, "[Content_Types].xml", "<Types/>", "xl/workbook.xml", "<workbook/>", "xl/_rels/workbook.xml.rels", "<Relationships/>")},
		{"a sheet that is not there", "without the part xl/worksheets/sheet9.xml", sheetBook(t, "xl/worksheets/sheet9.xml", "")},
		{"a cut sheet", "cannot be read", sheetBook(t, "", `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>charge_id`)},
		{"rows in disorder", "row 1 behind row 2", sheetBook(t, "", `<worksheet><sheetData><row r="2"/><row r="1"/></sheetData></worksheet>`)},
		{"a row too far", "row 1048577 behind row 0", sheetBook(t, "", `<worksheet><sheetData><row r="1048577"/></sheetData></worksheet>`)},
		{"a column too far", "column 18278", sheetBook(t, "", `<worksheet><sheetData><row r="1"><c r="ZZZ1"><v>1</v></c></row></sheetData></worksheet>`)},
		{"cells in disorder", `cell "A1" behind column 2`, sheetBook(t, "", `<worksheet><sheetData><row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row></sheetData></worksheet>`)},
		{"a text that is not there", `text number "7" of 0`, sheetBook(t, "", `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>7</v></c></row></sheetData></worksheet>`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Expand(BytesInput("x.xlsx", c.content), Expansion{})
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(e.Found, c.found) || e.Hint == "" || e.Kind == nil {
				t.Fatalf("found %v, expected %s with a hint", err, c.found)
			}
		})
	}
}

// sheetBook is a workbook of the least parts, with a sheet as given.
func sheetBook(t tb, target, sheet string) []byte {
	if target == "" {
		target = "xl/worksheets/sheet1.xml"
	}
	return zipOf(t, "[Content_Types].xml", "<Types/>", "xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Target="/`+target+`"/></Relationships>`, "xl/worksheets/sheet1.xml", sheet)
}

// Sheets that are no table are left out, and hidden ones; both are said.
func TestWorkbookOfSeveralSheets(t *testing.T) {
	content := book(t, func(f *excelize.File) error {
		for _, name := range []string{"说明", "明细 & more", "hidden", "too"} {
			if _, err := f.NewSheet(name); err != nil {
				return err
			}
			if name != "说明" {
				for i, r := range [][]any{{"charge_id", "charged_at", "amount"}, {name, "2026-10-03", 1}} {
					if err := f.SetSheetRow(name, "A"+string(rune('1'+i)), &r); err != nil {
						return err
					}
				}
			}
		}
		if err := f.SetCellValue("说明", "A1", "Read me first"); err != nil {
			return err
		}
		return f.SetSheetVisible("hidden", false)
	})
	names, _, notes := expand(t, content, Expansion{})
	if want := []string{"x.zip/明细 & more", "x.zip/too"}; !cmp.Equal(names, want) {
		t.Errorf("found %q, expected %q", names, want)
	}
	if got := strings.Join(notes, "\n"); !strings.Contains(got, "the sheet 说明 is not read") || !strings.Contains(got, "the hidden sheet hidden is not read") || len(notes) != 3 {
		t.Errorf("found notes\n%s", got)
	}
	if names, _, _ := expand(t, content, Expansion{Members: []string{"hidden"}}); !cmp.Equal(names, []string{"x.zip/hidden"}) {
		t.Errorf("found %q, expected the sheet that was named", names)
	}
	nested := zipOf(t, "a/bill.xlsx", string(content), "b.csv", bill)
	if names, _, _ := expand(t, nested, Expansion{}); !cmp.Equal(names, []string{"x.zip/a/bill.xlsx/明细 & more", "x.zip/a/bill.xlsx/too", "x.zip/b.csv"}) {
		t.Errorf("found %q", names)
	}
}

// Numbers that spreadsheets keep as days come back as the moment that was put in.
func TestWorkbookTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(1420070400000, 4102444800000).Draw(t, "ms")).UTC()
		content := book(t, func(f *excelize.File) error {
			code := "dd/mm/yyyy hh:mm:ss.000"
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &code})
			if err != nil {
				return err
			}
			if err := rowsOf([]any{"charge_id", "charged_at", "amount"}, []any{"c1", at, 1})(f); err != nil {
				return err
			}
			return f.SetCellStyle("Sheet1", "B2", "B2", style)
		})
		ins, _, err := Expand(BytesInput("x", content), Expansion{})
		if err != nil {
			t.Fatal(err)
		}
		defer ins[0].Close()
		r, err := ins[0].open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Split(string(text), ",")[3]
		if want := strings.TrimSuffix(at.Format("2006-01-02 15:04:05.000"), ".000"); got != want {
			t.Fatalf("found %s, expected %s", got, want)
		}
	})
}

func TestNumberFormats(t *testing.T) {
	for _, c := range []struct {
		code string
		want cellFormat
	}{
		{"General", cellFormat{}}, {"0.00", cellFormat{}}, {"#,##0.00", cellFormat{}}, {`"day "0`, cellFormat{}}, {"0.00E+00", cellFormat{}}, {`[Red]0.00`, cellFormat{}},
		{"[$-804]0.00", cellFormat{}}, {`\d0`, cellFormat{}}, {"@", cellFormat{}}, {"0%", cellFormat{}}, {"", cellFormat{}},
		{"yyyy-mm-dd", cellFormat{date: true}}, {"d-mmm", cellFormat{date: true}}, {"mmm yy", cellFormat{date: true}}, {"yyyy/m/d h:mm", cellFormat{date: true, clock: true}},
		{"h:mm AM/PM", cellFormat{clock: true}}, {"[h]:mm:ss", cellFormat{clock: true}}, {"mm:ss.0", cellFormat{clock: true}}, {`[$-411]ge.m.d;@`, cellFormat{date: true}},
		{"000000", cellFormat{digits: 6}}, {"0", cellFormat{}},
	} {
		if got := formatOf(c.code); got != c.want {
			t.Errorf("%q: found %+v, expected %+v", c.code, got, c.want)
		}
	}
}

// excelize and this package read the same texts and numbers.
func TestWorkbookLikeExcelize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringOf(rapid.RuneFrom([]rune("ab, \"'<&>é模_x0041_\t"))), 1, 6).Draw(t, "texts")
		content := book(t, func(f *excelize.File) error {
			head, row := []any{}, []any{}
			for i, v := range texts {
				head, row = append(head, "h"+string(rune('a'+i))), append(row, v)
			}
			return rowsOf(head, row)(f)
		})
		f, err := excelize.OpenReader(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := f.GetRows("Sheet1")
		if err != nil {
			t.Fatal(err)
		}
		a, err := openArchive(BytesInput("x", content))
		if err != nil {
			t.Fatal(err)
		}
		w, err := a.openWorkbook()
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		s := newSheetWriter(&out, "x", nil)
		s.packed = int64(len(content))
		if err := w.read(a.part(w.sheets[0].Target), "x", s); err != nil {
			t.Fatal(err)
		}
		var want []string
		for i := range texts {
			v := ""
			if len(rows) > 1 && i < len(rows[1]) {
				v = rows[1][i]
			}
			want = append(want, csvField(v))
		}
		lines := strings.Split(out.String(), "\n")
		if strings.Join(texts, "") == "" {
			return
		}
		if lines[1] != strings.Join(want, ",") {
			t.Fatalf("found %q, excelize has %q", lines[1], strings.Join(want, ","))
		}
	})
}
