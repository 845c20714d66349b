package pipeline

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/shopspring/decimal"

	"retrytax/internal/report"
)

// TestVerdictsInEveryFormat: the Arrow file has the rows of the table, its money to the last digit, and the same bytes
// each time; FOCUS adds up to the bill.
func TestVerdictsInEveryFormat(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	a := auditOf(t, "../../testdata/october", "../../testdata/october")
	defer a.Store.Close()
	for _, format := range report.Formats {
		if err := report.WriteVerdictsAs(ctx, a.Store, dir, format, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := report.WriteFocus(ctx, a.Store, dir, false); err != nil {
		t.Fatal(err)
	}
	var rows int64
	var sum string
	if err := a.Store.Query(ctx, "SELECT count(*), CAST(sum(amount) AS VARCHAR) FROM fct_verdicts", func(r *sql.Rows) error { return r.Scan(&rows, &sum) }); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "verdicts.arrow"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := ipc.NewFileReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var found int64
	total := decimal.Zero
	at := file.Schema().FieldIndices("amount")[0]
	for i := range file.NumRecords() {
		batch, err := file.RecordBatch(i)
		if err != nil {
			t.Fatal(err)
		}
		found += batch.NumRows()
		amounts := batch.Column(at).(*array.Decimal128)
		for j := range amounts.Len() {
			if amounts.IsValid(j) {
				total = total.Add(decimal.RequireFromString(amounts.Value(j).ToString(12)))
			}
		}
	}
	if want := decimal.RequireFromString(sum); found != rows || !total.Equal(want) {
		t.Errorf("%d rows of %s, want %d of %s", found, total, rows, want)
	}
	if err := report.WriteVerdictsAs(ctx, a.Store, dir, report.FormatArrow, false); err != nil {
		t.Fatal(err)
	}
	if again, _ := os.ReadFile(filepath.Join(dir, "verdicts.arrow")); !bytes.Equal(text, again) {
		t.Error("two runs give two files")
	}
	if csv, _ := os.ReadFile(filepath.Join(dir, "verdicts.csv")); !bytes.HasPrefix(csv, []byte("\ufeff")) {
		t.Error("verdicts.csv does not begin with the mark that was asked for")
	}
}
