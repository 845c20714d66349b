package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zip"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// zipFiles packs files into an archive, each under its own name.
func zipFiles(ts *testscript.TestScript, args []string) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range args[1:] {
		f, err := w.Create(filepath.Base(name))
		ts.Check(err)
		_, err = f.Write([]byte(ts.ReadFile(name)))
		ts.Check(err)
	}
	ts.Check(w.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o666))
}

// writeXLSX writes a workbook: a sheet of the texts of a CSV, below the lines of a title. Numbers
// of up to 15 digits are numbers there.
func writeXLSX(ts *testscript.TestScript, args []string) {
	f := excelize.NewFile()
	ts.Check(f.SetSheetName("Sheet1", args[1]))
	var rows [][]string
	for _, title := range args[3:] {
		for line := range strings.Lines(ts.ReadFile(title)) {
			rows = append(rows, []string{strings.TrimSpace(line)})
		}
		rows = append(rows, nil)
	}
	r := csv.NewReader(strings.NewReader(ts.ReadFile(args[2])))
	r.LazyQuotes = true
	table, err := r.ReadAll()
	ts.Check(err)
	for i, row := range append(rows, table...) {
		for j, v := range row {
			at, err := excelize.CoordinatesToCellName(j+1, i+1)
			ts.Check(err)
			if n, err := strconv.ParseFloat(v, 64); err == nil && len(v) <= 15 {
				ts.Check(f.SetCellValue(args[1], at, n))
			} else {
				ts.Check(f.SetCellStr(args[1], at, v))
			}
		}
	}
	ts.Check(f.SaveAs(ts.MkAbs(args[0])))
}

// readSheet writes the cells of a sheet as text, which are shown as a reader sees them.
func readSheet(ts *testscript.TestScript, args []string) {
	f, err := excelize.OpenFile(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	var b strings.Builder
	if i, err := f.GetSheetIndex(args[1]); err == nil && i >= 0 {
		rows, err := f.GetRows(args[1])
		ts.Check(err)
		for _, r := range rows {
			b.WriteString(strings.Join(r, " | ") + "\n")
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(b.String()), 0o666))
}

// encodeFile writes a file in another encoding.
func encodeFile(ts *testscript.TestScript, args []string) {
	e := map[string]encoding.Encoding{"GBK": simplifiedchinese.GBK, "UTF-16": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)}[args[0]]
	text, err := e.NewEncoder().String(ts.ReadFile(args[2]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}
