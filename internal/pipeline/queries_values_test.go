package pipeline

import (
	"bytes"
	"database/sql"
	"encoding/csv"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"

	"retrytax/internal/store"
)

// How a value stands in a case's CSV file: an empty field is NULL and two single quotes are
// the empty text; true, false and lists are in DuckDB's spelling; a time of day is one of
// the third of November 2026, and amounts lose their trailing zeros.
const caseDay = "2026-11-03"

var timeOfDay = regexp.MustCompile(`^\d\d:\d\d:\d\d(\.\d+)?$`)

// readTable reads a CSV file of a case.
func readTable(path string) (table, error) {
	f, err := os.Open(path)
	if err != nil {
		return table{}, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		return table{}, fmt.Errorf("%s: no head, or %w", path, err)
	}
	return table{rows[0], rows[1:]}, nil
}

// fill inserts the rows of a file into a table of the columns cols.
func (b *bench) fill(name string, cols []column, t table, defaults func(column) standIn) error {
	for _, n := range t.cols {
		if !slices.ContainsFunc(cols, func(c column) bool { return c.name == n }) {
			return fmt.Errorf("table %s has no column %s", name, n)
		}
	}
	rows := make([]string, len(t.rows))
	for i, r := range t.rows {
		vals := make([]string, len(cols))
		for j, c := range cols {
			vals[j] = valueOf(c, t.cols, r, i, defaults)
		}
		rows[i] = "(" + strings.Join(vals, ", ") + ")"
	}
	if len(rows) == 0 {
		return nil
	}
	return b.s.Run(b.ctx, name, "INSERT INTO "+store.Ident(name)+" VALUES "+strings.Join(rows, ", "))
}

// valueOf is the SQL of one value: the file's, else its column's default.
func valueOf(c column, names, row []string, i int, defaults func(column) standIn) string {
	if at := slices.Index(names, c.name); at >= 0 {
		return literal(row[at], c.kind)
	}
	if defaults == nil {
		return "NULL"
	}
	d := defaults(c)
	if at := slices.Index(names, d.column); at >= 0 && row[at] != "" {
		return literal(row[at], c.kind)
	}
	if d.constant == "#" {
		return fmt.Sprint(i + 1)
	}
	return literal(d.constant, c.kind)
}

// literal is a value of a CSV file as SQL.
func literal(v, kind string) string {
	switch {
	case v == "":
		return "NULL"
	case v == "''":
		return "''"
	case kind == "VARCHAR":
		return store.Literal(v)
	case strings.HasPrefix(kind, "TIMESTAMP") && timeOfDay.MatchString(v):
		v = caseDay + " " + v
	}
	return "CAST(" + store.Literal(v) + " AS " + kind + ")"
}

// shortened is literal the other way round.
func shortened(v sql.NullString, kind string) string {
	switch {
	case !v.Valid:
		return ""
	case v.String == "":
		return "''"
	case strings.HasPrefix(kind, "DECIMAL"):
		return trimmed(v.String)
	case strings.HasPrefix(kind, "TIMESTAMP"):
		return strings.TrimPrefix(v.String, caseDay+" ")
	}
	return v.String
}

func identList(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = store.Ident(n)
	}
	return strings.Join(list, ", ")
}

// lines returns the rows of a table as lines of CSV, sorted, under their head.
func (b *bench) lines(name string, cols []column) ([]string, error) {
	names, texts := make([]string, len(cols)), make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.name
		texts[i] = "CAST(" + store.Ident(c.name) + " AS VARCHAR)"
	}
	var out []string
	err := b.s.Query(b.ctx, "SELECT "+strings.Join(texts, ", ")+" FROM "+store.Ident(name), func(r *sql.Rows) error {
		vals, ptrs, rec := make([]sql.NullString, len(cols)), make([]any, len(cols)), make([]string, len(cols))
		for i := range vals {
			ptrs[i] = &vals[i]
		}
		if err := r.Scan(ptrs...); err != nil {
			return err
		}
		for i, v := range vals {
			rec[i] = shortened(v, cols[i].kind)
		}
		out = append(out, csvLine(rec))
		return nil
	})
	sort.Strings(out)
	return append([]string{csvLine(names)}, out...), err
}

func csvLine(rec []string) string {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	_ = w.Write(rec)
	w.Flush()
	return strings.TrimSuffix(buf.String(), "\n")
}
