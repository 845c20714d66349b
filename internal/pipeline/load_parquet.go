package pipeline

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/queries"
)

// parquetColumn is one column of a Parquet file, as DuckDB names and types it.
type parquetColumn struct{ name, kind string }

// parquetFile is an opened Parquet file. Its rows are numbered from 1.
type parquetFile struct {
	s       *store.Store
	in      *source.Input
	placed  source.Placed
	columns []parquetColumn
}

// openParquet finds out what the columns of a Parquet file are, and what it is taken for. close removes what it has put into
// a folder of its own.
func openParquet(ctx context.Context, s *store.Store, f File, o Options) (p *parquetFile, rec source.Recognised, close func(), err error) {
	dir, err := os.MkdirTemp("", "retrytax-parquet-")
	if err != nil {
		return nil, rec, nil, &store.ResourceError{Kind: store.ErrNoTemp, Err: err}
	}
	close = func() { _ = os.RemoveAll(dir) }
	p = &parquetFile{s: s, in: f.Input}
	if p.placed, err = f.Input.Place(dir, "input.parquet"); err == nil {
		err = p.describe(ctx)
	}
	if err == nil {
		rec, err = source.RecogniseTable(f.Input.Name, p.tableColumns(), f.roleBy(o))
	}
	if err != nil {
		close()
		return nil, rec, nil, err
	}
	return p, rec, close, nil
}

// numbersOfParquet is how many numbers a Parquet file takes: one for each role of its rows.
func numbersOfParquet(ctx context.Context, s *store.Store, f File, o Options) (int, error) {
	_, rec, close, err := openParquet(ctx, s, f, o)
	if err != nil {
		return 0, err
	}
	close()
	return len(rec.Roles()), nil
}

// landParquet loads a Parquet file under the number no: DuckDB reads it, every column that
// is read becomes the exact text of its value, and the queries for text give it its meaning.
func landParquet(ctx context.Context, s *store.Store, no int, f File, o Options) (notes []string, used int, err error) {
	p, rec, close, err := openParquet(ctx, s, f, o)
	if err != nil {
		return nil, 0, err
	}
	defer close()
	if err := p.refuseInexactIDs(rec); err != nil {
		return nil, 0, err
	}
	if err := setVariables(ctx, s, o.settingsOfFile(no, f, rec)); err != nil {
		return nil, 0, err
	}
	o.progress("reading "+f.Input.Name, 0)
	facts, err := p.survey(ctx, rec)
	if err != nil {
		return nil, 0, err
	}
	rec.Notes = append(rec.Notes, facts.notes...)
	st := source.Stats{Rows: facts.rows, Records: facts.rows - int64(len(facts.rejects)), Rejected: int64(len(facts.rejects)),
		Bytes: p.placed.Bytes, SHA256: p.placed.SHA256}
	bad, raw := &rejects{held: facts.rejects}, func(ctx context.Context, lines []int64, each func(int64, string) error) error {
		return p.rawRecords(ctx, lines, o.KeepRaw, each)
	}
	if rec.Vendor() != nil {
		if err := p.landRecords(ctx, rec); err != nil {
			return nil, 0, err
		}
		notes, err = landRoles(ctx, s, no, f, o, rec, st, bad, raw)
		return notes, len(rec.Roles()), err
	}
	if err := p.land(ctx, rec); err != nil {
		return nil, 0, err
	}
	notes, err = account(ctx, s, no, f, o, rec, st, bad, raw)
	return notes, 1, err
}

// landRecords makes of the file the raw records of a vendor's format, and lets its query make rows of them.
func (p *parquetFile) landRecords(ctx context.Context, rec source.Recognised) error {
	list, clean := p.texts(rec, rec.RawColumns(), func(_, text string) string { return "nullif(" + text + ", '')" })
	if err := p.s.Exec(ctx, "CREATE OR REPLACE TEMP TABLE raw_records AS SELECT "+list+" FROM "+p.from()+" WHERE "+clean); err != nil {
		return p.broken(err)
	}
	return runFormat(ctx, p.s, rec)
}

// texts are the columns of the relation that a query reads, as SQL, and the condition that their text is text.
func (p *parquetFile) texts(rec source.Recognised, columns []string, known func(column, text string) string) (list, clean string) {
	parts, conditions := []string{"file_row_number + 1 AS source_line", "file_row_number + 1 AS record_no"}, []string{"true"}
	for _, col := range columns {
		t := "CAST(NULL AS VARCHAR)"
		if i := slices.IndexFunc(rec.Columns, func(m source.Mapping) bool { return m.To == col }); i >= 0 {
			t = p.text(rec, rec.Columns[i])
			conditions = append(conditions, "NOT coalesce(contains("+t+", chr(0)), false)")
			t = known(col, t)
		}
		parts = append(parts, t+" AS "+store.Ident(col))
	}
	return strings.Join(parts, ", "), strings.Join(conditions, " AND ")
}

// rowNumber is the column by which DuckDB numbers the rows of a file, from 0.
const rowNumber = "file_row_number"

// from is the table function that reads the file; the row's number comes with it. Names of
// folders never become columns.
func (p *parquetFile) from() string { return p.reader(rowNumber + " = true") }

func (p *parquetFile) reader(option string) string {
	return "read_parquet(" + store.Literal(p.placed.Path) + ", " + option + ", binary_as_string = true, hive_partitioning = false)"
}

func (p *parquetFile) describe(ctx context.Context) error {
	err := p.s.Query(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM "+p.reader(rowNumber+" = false")+")", func(r *sql.Rows) error {
		var c parquetColumn
		err := r.Scan(&c.name, &c.kind)
		p.columns = append(p.columns, c)
		return err
	})
	if err != nil {
		return p.broken(err)
	}
	if slices.ContainsFunc(p.columns, func(c parquetColumn) bool { return strings.EqualFold(c.name, rowNumber) }) {
		return &source.Error{File: p.in.Name, Column: rowNumber, Found: "a column of that name, by which the rows are numbered while they are read",
			Expected: "none", Kind: source.ErrUnrecognised, Hint: "write the file without that column"}
	}
	return nil
}

func (p *parquetFile) tableColumns() []source.TableColumn {
	out := make([]source.TableColumn, len(p.columns))
	for i, c := range p.columns {
		out[i] = source.TableColumn{Name: c.name, Text: c.kind == "VARCHAR" || c.kind == "INTERVAL"}
	}
	return out
}

// kindOf is the type of a column.
func (p *parquetFile) kindOf(name string) string {
	i := slices.IndexFunc(p.columns, func(c parquetColumn) bool { return c.name == name })
	return p.columns[i].kind
}

// broken says of an error from reading the file that the file is at fault.
func (p *parquetFile) broken(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	what, _, _ := strings.Cut(err.Error(), "\n")
	what, _, _ = strings.Cut(what, " in SELECT ")
	what = strings.ReplaceAll(what, p.placed.Path, p.in.Name)
	return &source.Error{File: p.in.Name, Found: "Parquet data that cannot be read (" + what + ")", Expected: "a whole Parquet file",
		Kind: source.ErrCorrupt, Cause: err, Hint: "copy or write the file again: it is cut short or damaged"}
}

// refuseInexactIDs stops at an id that was stored as a floating point number: it has lost
// digits, and two ids may have become one.
func (p *parquetFile) refuseInexactIDs(rec source.Recognised) error {
	for _, m := range rec.Columns {
		if k := p.kindOf(m.From); inexact(k) && source.EveryDigitCounts(m.To) {
			return &source.Error{File: p.in.Name, Column: m.From, Found: "ids that are stored as " + k, Expected: "text or whole numbers",
				Kind: source.ErrUnrecognised, Hint: "write the column as a string: a floating point number holds no more than 15 digits of an id"}
		}
	}
	return nil
}

func inexact(kind string) bool { return kind == "DOUBLE" || kind == "FLOAT" }

// land gives the rows to the typing query as the text relation that it reads.
func (p *parquetFile) land(ctx context.Context, rec source.Recognised) error {
	raw, step := typingOf(rec.Role)
	list, clean := p.texts(rec, source.ColumnsOf(rec.Role), func(column, text string) string { return source.KnownMacro(column) + "(" + text + ")" })
	if err := p.s.Exec(ctx, "CREATE OR REPLACE TEMP VIEW "+raw+" AS SELECT "+list+" FROM "+p.from()+" WHERE "+clean); err != nil {
		return p.broken(err)
	}
	if err := p.s.Run(ctx, step.Path, step.SQL); err != nil {
		return err
	}
	return p.s.Exec(ctx, "DROP VIEW "+raw)
}

// rawRecords are the rows with the given numbers as JSON objects, for rejects.csv.
func (p *parquetFile) rawRecords(ctx context.Context, lines []int64, keep bool, each func(int64, string) error) error {
	pairs := make([]string, len(p.columns))
	for i, c := range p.columns {
		pairs[i] = store.Ident(c.name) + " := " + store.Ident(c.name)
	}
	want := make([]string, len(lines))
	for i, n := range lines {
		want[i] = fmt.Sprint(n - 1)
	}
	query := "SELECT file_row_number + 1, CAST(to_json(struct_pack(" + strings.Join(pairs, ", ") + ")) AS VARCHAR) FROM " + p.from() +
		" SEMI JOIN (SELECT unnest([" + strings.Join(want, ", ") + "]) AS n) ON n = file_row_number"
	return p.s.Query(ctx, query, func(r *sql.Rows) error {
		var n int64
		var text string
		if err := r.Scan(&n, &text); err != nil {
			return err
		}
		return each(n, source.RawRecord(text, keep))
	})
}

// typingOf names the text relation of a role and the query that types it.
func typingOf(role source.Role) (raw string, step queries.File) {
	raw, typing := "raw_attempts", "10_src_attempts.sql"
	switch role {
	case source.Charges:
		raw, typing = "raw_charges", "20_src_charges.sql"
	case source.Bills:
		raw, typing = "raw_bills", "21_src_bills.sql"
	case source.Retries:
		raw, typing = "raw_retries", "22_src_retries.sql"
	}
	return raw, queries.Get(queries.Formats + "/" + typing)
}
