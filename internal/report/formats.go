package report

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"retrytax/internal/store"
)

// Formats of the verdicts: the ending of the file is the format's name.
const (
	FormatCSV     = "csv"
	FormatParquet = "parquet"
	FormatArrow   = "arrow"
)

// Formats are those of --format.
var Formats = []string{FormatCSV, FormatParquet, FormatArrow}

// FocusName is the file of WriteFocus.
const FocusName = "focus.csv"

// verdictRowsQuery are the typed rows of the verdicts, in the order of the files.
const verdictRowsQuery = "SELECT * EXCLUDE (sort_row) FROM rpt_verdict_rows ORDER BY charged_at, provider, charge_id, line_item, sort_row"

// WriteVerdictsAs writes verdicts.FORMAT to dir. bom begins a CSV file with a byte order mark, by which
// Excel knows UTF-8.
func WriteVerdictsAs(ctx context.Context, s *store.Store, dir, format string, bom bool) error {
	path := filepath.Join(dir, "verdicts."+format)
	switch format {
	case FormatParquet:
		return copyTo(ctx, s, verdictRowsQuery, path, "FORMAT parquet, COMPRESSION zstd")
	case FormatArrow:
		return writeArrow(ctx, s, path)
	}
	if err := WriteVerdicts(ctx, s, path); err != nil || !bom {
		return err
	}
	return addBOM(path)
}

// WriteFocus writes focus.csv to dir: every line of the paid book in the columns of FOCUS 1.2.
func WriteFocus(ctx context.Context, s *store.Store, dir string, bom bool) error {
	path := filepath.Join(dir, FocusName)
	err := copyCSV(ctx, s, `SELECT * EXCLUDE (sort_at, sort_provider, sort_charge, sort_item, sort_file, sort_line) FROM rpt_focus
		ORDER BY sort_at, sort_provider, sort_charge, sort_item, sort_file, sort_line`, path)
	if err != nil || !bom {
		return err
	}
	return addBOM(path)
}

// addBOM puts a byte order mark before the content of a file.
func addBOM(path string) (err error) {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(path + ".bom")
	if err != nil {
		return err
	}
	defer os.Remove(path + ".bom") // when it is renamed, there is none
	_, err = io.Copy(out, io.MultiReader(strings.NewReader("\ufeff"), in))
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Rename(path+".bom", path)
}

// arrowSchema are the columns of rpt_verdict_rows. Money is DECIMAL(38,12), times are UTC.
var arrowSchema = arrow.NewSchema([]arrow.Field{
	{Name: "provider", Type: arrow.BinaryTypes.String, Nullable: true}, {Name: "book", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "charge_id", Type: arrow.BinaryTypes.String, Nullable: true}, {Name: "line_item", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "charged_at", Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, Nullable: true},
	{Name: "model", Type: arrow.BinaryTypes.String, Nullable: true}, {Name: "request_id", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "attempt", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "verdict", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "recovery", Type: arrow.BinaryTypes.String, Nullable: true}, {Name: "rerouted", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	{Name: "amount", Type: &arrow.Decimal128Type{Precision: 38, Scale: 12}, Nullable: true}, {Name: "currency", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "excess", Type: &arrow.Decimal128Type{Precision: 38, Scale: 12}, Nullable: true}, {Name: "settled", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	{Name: "match", Type: arrow.BinaryTypes.String, Nullable: true}, {Name: "confidence", Type: &arrow.Decimal128Type{Precision: 4, Scale: 3}, Nullable: true},
	{Name: "delivered_charge_id", Type: arrow.BinaryTypes.String, Nullable: true}, {Name: "reason", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "source_file", Type: arrow.BinaryTypes.String, Nullable: true}, {Name: "source_line", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
}, nil)

// arrowBatch is how many rows a record batch holds.
const arrowBatch = 64 << 10

// writeArrow writes the verdicts as an Arrow IPC file.
func writeArrow(ctx context.Context, s *store.Store, path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w, err := ipc.NewFileWriter(f, ipc.WithSchema(arrowSchema), ipc.WithAllocator(memory.DefaultAllocator))
	if err != nil {
		return err
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrowSchema)
	defer b.Release()
	rows := 0
	flush := func() error {
		if rows == 0 {
			return nil
		}
		rows = 0
		batch := b.NewRecordBatch()
		defer batch.Release()
		return w.Write(batch)
	}
	err = s.Query(ctx, arrowQuery(), func(q *sql.Rows) error {
		if err := appendRow(b, q); err != nil {
			return err
		}
		if rows++; rows < arrowBatch {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	return errors.Join(err, w.Close())
}

// arrowQuery reads decimals as text, exactly.
func arrowQuery() string {
	columns := make([]string, arrowSchema.NumFields())
	for i, f := range arrowSchema.Fields() {
		columns[i] = store.Ident(f.Name)
		if f.Type.ID() == arrow.DECIMAL128 {
			columns[i] = "CAST(" + columns[i] + " AS VARCHAR)"
		}
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM (" + verdictRowsQuery + ")"
}

// appendRow takes one row of the query into the builder's columns.
func appendRow(b *array.RecordBuilder, q *sql.Rows) error {
	values := make([]any, arrowSchema.NumFields())
	for i := range values {
		values[i] = new(any)
	}
	if err := q.Scan(values...); err != nil {
		return err
	}
	for i, v := range values {
		if err := appendValue(b.Field(i), arrowSchema.Field(i).Type, *v.(*any)); err != nil {
			return err
		}
	}
	return nil
}

func appendValue(b array.Builder, t arrow.DataType, v any) error {
	if v == nil {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.StringBuilder:
		b.Append(v.(string))
	case *array.Int64Builder:
		n, ok := v.(int64)
		if !ok {
			n = int64(v.(int32))
		}
		b.Append(n)
	case *array.BooleanBuilder:
		b.Append(v.(bool))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(v.(time.Time).UnixMicro()))
	case *array.Decimal128Builder:
		d := t.(*arrow.Decimal128Type)
		n, err := decimal128.FromString(v.(string), d.Precision, d.Scale)
		if err != nil {
			return err
		}
		b.Append(n)
	}
	return nil
}

// IsFormat says whether a word is one of Formats.
func IsFormat(s string) bool { return slices.Contains(Formats, s) }
