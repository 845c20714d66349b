package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"retrytax/internal/source"
	"retrytax/internal/store"
)

// isMoney tells the columns whose every decimal counts.
func isMoney(column string) bool {
	return column == "amount" || column == "unit_price" || column == "quantity"
}

// text is the SQL that gives a column's values as text, exactly.
func (p *parquetFile) text(rec source.Recognised, m source.Mapping) string {
	x, kind := store.Ident(m.From), p.kindOf(m.From)
	t := "CAST(" + x + " AS VARCHAR)"
	switch {
	case inexact(kind) && isMoney(m.To):
		t = "double_money(" + t + ")"
	case kind == "TIMESTAMP WITH TIME ZONE":
		t = "strftime(timezone('UTC', " + x + "), '%Y-%m-%dT%H:%M:%S.%fZ')"
	case kind == "INTERVAL":
		t = "CAST(epoch_us(" + x + ") // 1000 AS VARCHAR) || 'ms'"
	case strings.HasSuffix(kind, "]") || strings.Contains(kind, "(") && !strings.HasPrefix(kind, "DECIMAL"):
		t = "CAST(to_json(" + x + ") AS VARCHAR)"
	}
	if rec.UnitOnly(m.From) {
		t = "carrying_unit(" + t + ")"
	}
	return t
}

// surveyed is what a first pass over a file tells.
type surveyed struct {
	rows    int64
	notes   []string
	rejects []source.Reject
}

// survey reads the columns once, so that a file that is damaged somewhere is told from
// anything else, and finds what is no text and what is no exact amount.
func (p *parquetFile) survey(ctx context.Context, rec source.Recognised) (surveyed, error) {
	var out surveyed
	list, into := []string{"count(*)"}, []any{&out.rows}
	counts := make([]int64, 2*len(rec.Columns))
	for i, m := range rec.Columns {
		t := "CAST(" + store.Ident(m.From) + " AS VARCHAR)"
		rounded := "0"
		if inexact(p.kindOf(m.From)) && isMoney(m.To) {
			rounded = "count(*) FILTER (WHERE double_money(" + t + ") <> " + t + ")"
		}
		list = append(list, "count(*) FILTER (WHERE contains("+p.text(rec, m)+", chr(0)))", rounded)
		into = append(into, &counts[2*i], &counts[2*i+1])
	}
	err := p.s.Query(ctx, "SELECT "+strings.Join(list, ", ")+" FROM "+p.from(), func(r *sql.Rows) error { return r.Scan(into...) })
	if err != nil {
		return out, p.broken(err)
	}
	for i, m := range rec.Columns {
		if counts[2*i] > 0 {
			if err := p.nulRejects(ctx, rec, m, &out); err != nil {
				return out, err
			}
		}
		if n := counts[2*i+1]; inexact(p.kindOf(m.From)) && isMoney(m.To) {
			out.notes = append(out.notes, fmt.Sprintf("%s: %s is stored as %s, not as a decimal: its shortest text is read, and %d of %d values with more than 12 decimals were rounded to 12",
				p.in.Name, m.From, p.kindOf(m.From), n, out.rows))
		}
	}
	return out, nil
}

// nulRejects takes note of the rows whose value holds a NUL byte.
func (p *parquetFile) nulRejects(ctx context.Context, rec source.Recognised, m source.Mapping, out *surveyed) error {
	return p.s.Query(ctx, "SELECT file_row_number + 1 FROM "+p.from()+" WHERE contains("+p.text(rec, m)+", chr(0)) ORDER BY 1", func(r *sql.Rows) error {
		x := source.Reject{Column: m.To, Reason: "found a NUL byte, expected text"}
		err := r.Scan(&x.Line)
		if !slices.ContainsFunc(out.rejects, func(o source.Reject) bool { return o.Line == x.Line }) {
			out.rejects = append(out.rejects, x)
		}
		return err
	})
}
