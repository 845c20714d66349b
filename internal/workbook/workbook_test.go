package workbook

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"retrytax/internal/report"
	"retrytax/internal/words"
)

var update = flag.Bool("update", false, "write the golden files anew")

func opened(t testing.TB, data []byte) *excelize.File {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// asText is a file as lines "sheet!cell value": formulas as they stand, numbers as shown, and behind them
// the number format and what else of the style tells the reader something.
func asText(t testing.TB, f *excelize.File) string {
	t.Helper()
	var out strings.Builder
	for _, name := range f.GetSheetList() {
		rows, err := f.GetRows(name)
		if err != nil {
			t.Fatal(err)
		}
		for r, row := range rows {
			for c, shown := range row {
				cell := cellName(c+1, r+1)
				if formula, _ := f.GetCellFormula(name, cell); formula != "" {
					shown = "{=" + formula + "} " + shown
				}
				if shown != "" {
					fmt.Fprintf(&out, "%s!%s %s%s\n", name, cell, strconv.QuoteToGraphic(shown), styleText(f, name, cell))
				}
			}
		}
	}
	return out.String()
}

// styleText is what matters of a cell's style: its number format, bold, the quote prefix, a line above.
func styleText(f *excelize.File, sheet, cell string) string {
	id, err := f.GetCellStyle(sheet, cell)
	if err != nil {
		return " style?"
	}
	style, err := f.GetStyle(id)
	if err != nil {
		return " style?"
	}
	text := ""
	if style.CustomNumFmt != nil && *style.CustomNumFmt != formatText {
		text += " [" + *style.CustomNumFmt + "]"
	}
	if style.Font != nil && style.Font.Bold {
		text += " bold"
	}
	if q := f.Styles.CellXfs.Xf[id].QuotePrefix; q != nil && *q {
		text += " quoted"
	}
	for _, b := range style.Border {
		if b.Type == "top" {
			text += " line"
		}
	}
	return text
}

func TestWorkbookAsText(t *testing.T) {
	for _, lang := range []words.Lang{words.English, words.Chinese} {
		t.Run(string(lang), func(t *testing.T) {
			compareText(t, "october_"+string(lang)+".txt", asText(t, opened(t, written(t, october(t), func(o *Options) { o.Lang = lang }))))
		})
	}
}

func compareText(t *testing.T, name, got string) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the workbook changed (-want +got); -update rewrites the golden file:\n%s", diff)
	}
}

func TestSameInputSameBytes(t *testing.T) {
	first := written(t, october(t), nil)
	for i := range 30 {
		if !bytes.Equal(first, written(t, october(t), nil)) {
			t.Fatalf("run %d gave other bytes", i)
		}
	}
}

func TestSheetGoesOnWhenFull(t *testing.T) {
	f := opened(t, written(t, october(t), func(o *Options) { o.MaxRows = 5 })) // a header and four rows
	header, _ := f.GetRows("Evidence")
	seen := 0
	for _, name := range []string{"Evidence", "Evidence (2)", "Evidence (3)"} {
		rows, err := f.GetRows(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) > 5 {
			t.Errorf("%s has %d rows, want at most 5", name, len(rows))
		}
		if diff := cmp.Diff(header[0], rows[0]); diff != "" {
			t.Errorf("%s has another header: %s", name, diff)
		}
		seen += len(rows) - 1
	}
	if seen != len(hostile) {
		t.Errorf("%d rows over all parts, want %d", seen, len(hostile))
	}
	if i, _ := f.GetSheetIndex("Dispute"); f.GetSheetName(i-1) != "Evidence (3)" {
		t.Errorf("the parts do not stand together: %v", f.GetSheetList())
	}
}

func TestPropertiesCarryTheInjectedTime(t *testing.T) {
	props, err := opened(t, written(t, october(t), nil)).GetDocProps()
	if err != nil {
		t.Fatal(err)
	}
	if props.Created != "2026-11-02T06:00:00Z" || props.Modified != props.Created {
		t.Errorf("created %s, modified %s", props.Created, props.Modified)
	}
}

func TestArchiveIsSortedAndDated(t *testing.T) {
	data := written(t, october(t), nil)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	for _, part := range z.File {
		if part.Name <= last {
			t.Errorf("%s stands behind %s", part.Name, last)
		}
		last = part.Name
		if y := part.Modified.Year(); y != 1980 {
			t.Errorf("%s is dated %d", part.Name, y)
		}
	}
	if z.File[0].Name != contentTypesPart {
		t.Errorf("the archive begins with %s", z.File[0].Name)
	}
}

func TestEmptyReportStillOpens(t *testing.T) {
	wb := &report.Workbook{Audit: &report.Audit{}}
	f := opened(t, written(t, wb, nil))
	if got, _ := f.GetCellValue("Evidence", "A2"); got != "No excess charges in this period." {
		t.Errorf("Evidence!A2 = %q", got)
	}
}

func TestNothingIsWrittenOnError(t *testing.T) {
	bad := october(t)
	rows := octoberEvidence(zurich(t))
	rows[4].Excess = "1e9"
	bad.Evidence = report.RowsOf(rows)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, run := range map[string]func(io.Writer) error{
		"bad amount": func(w io.Writer) error { return Write(context.Background(), w, bad, Options{}) },
		"no report":  func(w io.Writer) error { return Write(context.Background(), w, nil, Options{}) },
		"unknown zone": func(w io.Writer) error {
			return Write(context.Background(), w, &report.Workbook{Audit: &report.Audit{Period: report.Period{Zone: "Mars/Olympus"}}}, Options{})
		},
		"cancelled": func(w io.Writer) error { return Write(cancelled, w, october(t), Options{}) },
	} {
		var out bytes.Buffer
		if err := run(&out); err == nil || out.Len() > 0 {
			t.Errorf("%s: error %v, %d bytes written", name, err, out.Len())
		}
	}
	if err := Write(cancelled, io.Discard, october(t), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
