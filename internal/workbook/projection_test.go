package workbook

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"retrytax/internal/cost"
	longtests "retrytax/internal/parts"
	"retrytax/internal/report"
)

func dec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

// projected are models of every kind: the first article's, two layers with repeats, measured ones.
func projected(t testing.TB) map[string]*report.Projection {
	t.Helper()
	out := map[string]*report.Projection{}
	for name, p := range map[string]cost.Params{
		"article": {Requests: dec("10000"), Timeout: []decimal.Decimal{dec("0.05"), dec("0")}, Started: dec("0.8"), UnitCost: dec("1"), Partial: dec("1"),
			Kept: dec("1"), Layers: []cost.Layer{{Name: "app", Retries: 1}}},
		"layers": {Requests: dec("12345"), Timeout: []decimal.Decimal{dec("0.07"), dec("0.4"), dec("0.55")}, Started: dec("0.85"), UnitCost: dec("0.0123"),
			TimedOutCost: decimal.NewNullDecimal(dec("0.0345")), Partial: dec("0.7"), Hidden: dec("0.021"), Kept: dec("0.93"),
			Layers: []cost.Layer{{Name: "sdk", Retries: 2}, {Name: "app", Retries: 2}}},
		"no retries": {Requests: dec("10"), Timeout: []decimal.Decimal{dec("1")}, Started: dec("1"), UnitCost: dec("0"), Partial: dec("0"), Kept: dec("1"),
			Layers: []cost.Layer{{Name: "app", Retries: 0}}},
	} {
		r, err := report.Project(p, "USD", 30, report.Remedies(p, map[string]decimal.Decimal{"idempotency-coverage": dec("0.6"), "runs-on": dec("0.9"), "status-share": dec("0.7")}, nil))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = r
	}
	return out
}

func projectionFile(t testing.TB, r *report.Projection) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteProjection(context.Background(), &b, r, Options{Version: "v0.0.0-test", Created: created}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestFormulasGiveWhatTheToolComputed computes every formula anew and compares it with its cached value.
func TestFormulasGiveWhatTheToolComputed(t *testing.T) {
	for name, r := range projected(t) {
		f := opened(t, projectionFile(t, r))
		formulas := 0
		for _, sheet := range []string{costSheet, whatIfSheet} {
			rows, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
			if err != nil {
				t.Fatal(err)
			}
			for y, row := range rows {
				for x, cached := range row {
					cell := cellName(x+1, y+1)
					formula, _ := f.GetCellFormula(sheet, cell)
					if formula == "" {
						continue
					}
					formulas++
					got, err := f.CalcCellValue(sheet, cell, excelize.Options{RawCellValue: true})
					if err != nil {
						t.Errorf("%s: %s!%s: =%s: %v", name, sheet, cell, formula, err)
						continue
					}
					if !sameNumber(cached, got, 1e-9) {
						t.Errorf("%s: %s!%s: =%s gives %s, the tool computed %s", name, sheet, cell, formula, got, cached)
					}
				}
			}
		}
		if formulas < 100 {
			t.Errorf("%s: found %d formulas, expected the whole model", name, formulas)
		}
	}
}

func sameNumber(a, b string, tolerance float64) bool {
	x, err1 := number(a)
	y, err2 := number(b)
	if err1 != nil || err2 != nil {
		return a == b
	}
	return math.Abs(x-y) <= tolerance*math.Max(1, math.Abs(x))
}

// number reads a number or a percentage, as LibreOffice writes a share.
func number(s string) (float64, error) {
	text, share := strings.CutSuffix(s, "%")
	x, err := strconv.ParseFloat(text, 64)
	if share {
		x /= 100
	}
	return x, err
}

// TestWhatIfSaysWhatTheReportSays: the sheet's columns are the remedies of the report.
func TestWhatIfSaysWhatTheReportSays(t *testing.T) {
	for name, r := range projected(t) {
		f := opened(t, projectionFile(t, r))
		rows, err := f.GetRows(whatIfSheet, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, row := range rows {
			if len(row) == 0 || row[0] != "Saves a month" {
				continue
			}
			for i, e := range append(append([]report.RemedyEffect{}, r.Remedies...), r.Together) {
				found++
				if !sameNumber(row[i+2], string(e.SavesPerMonth), 1e-9) {
					t.Errorf("%s: %s saves %s on the sheet, %s in the report", name, e.Remedy, row[i+2], e.SavesPerMonth)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s: found no row of savings", name)
		}
	}
}

// TestChangedCellIsFollowed: finance changes the timeout rate, and the sheet says what the tool would say.
func TestChangedCellIsFollowed(t *testing.T) {
	r := projected(t)["article"]
	f := opened(t, projectionFile(t, r))
	rows, err := f.GetRows(costSheet)
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string]string{}
	for y, row := range rows {
		if len(row) > 0 {
			cells[row[0]] = cellName(2, y+1)
		}
	}
	if err := f.SetCellValue(costSheet, cells["p1: attempt 1 times out"], 0.1); err != nil {
		t.Fatal(err)
	}
	if got, err := f.CalcCellValue(costSheet, cells["Retry extra"], excelize.Options{RawCellValue: true}); err != nil || got != "800" {
		t.Errorf("at 10 %%: found %s, expected 800 a day (%v)", got, err)
	}
}

func TestProjectionIsTheSameBytes(t *testing.T) {
	r := projected(t)["layers"]
	if first := projectionFile(t, r); !bytes.Equal(first, projectionFile(t, r)) {
		t.Error("two runs gave other bytes")
	}
}

// TestRecalculatedElsewhere has LibreOffice recalculate the workbook: every number stays the same to the cent.
func TestRecalculatedElsewhere(t *testing.T) {
	longtests.Later(t)
	soffice, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("needs soffice (LibreOffice), which is not installed")
	}
	if testing.Short() {
		t.Skip("starts soffice, which takes seconds; not in -short")
	}
	dir := t.TempDir()
	for name, r := range projected(t) {
		data := projectionFile(t, r)
		file := filepath.Join(dir, strings.ReplaceAll(name, " ", "_")+".xlsx")
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
		defer cancel()
		convert := exec.CommandContext(ctx, soffice, "--headless", "-env:UserInstallation=file://"+t.TempDir(),
			"--convert-to", `csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1`, "--outdir", dir, file)
		if out, err := convert.CombinedOutput(); err != nil {
			t.Fatalf("soffice: %v\n%s", err, out)
		}
		f := opened(t, data)
		for _, sheet := range []string{costSheet, whatIfSheet} {
			again, err := os.Open(strings.TrimSuffix(file, ".xlsx") + "-" + sheet + ".csv")
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			reader := csv.NewReader(again)
			reader.FieldsPerRecord = -1
			table, err := reader.ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			rows, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
			if err != nil {
				t.Fatal(err)
			}
			for y, row := range rows {
				for x, cached := range row {
					if _, err := strconv.ParseFloat(cached, 64); err == nil && (y >= len(table) || x >= len(table[y]) || !sameNumber(cached, table[y][x], 0.005)) {
						t.Errorf("%s: %s!%s: LibreOffice has another number than %s", name, sheet, cellName(x+1, y+1), cached)
					}
				}
			}
		}
	}
}
