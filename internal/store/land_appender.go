//go:build !duckdb_arrow

package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
)

// Land makes the rows of src readable as the relation name (source_line and cols, all
// text but the line) and calls use, which reads it once. Without the build tag
// duckdb_arrow the rows go through a temporary table.
func (s *Store) Land(ctx context.Context, name string, cols []string, src RowSource, use func() error) error {
	if err := s.Exec(ctx, "CREATE OR REPLACE TEMP TABLE "+Ident(name)+" ("+columnList(cols)+")"); err != nil {
		return err
	}
	if err := s.appendAll(ctx, name, src); err != nil {
		return err
	}
	if err := s.Landing(ctx, use); err != nil {
		return err
	}
	return s.Exec(ctx, "DROP TABLE "+Ident(name))
}

func columnList(cols []string) string {
	list := []string{lineColumn + " BIGINT", recordColumn + " BIGINT"}
	for _, c := range cols {
		list = append(list, Ident(c)+" VARCHAR")
	}
	return strings.Join(list, ", ")
}

func (s *Store) appendAll(ctx context.Context, name string, src RowSource) error {
	return s.conn.Raw(func(c any) error {
		a, err := duckdb.NewAppender(c.(driver.Conn), "temp", "", name)
		if err != nil {
			return err
		}
		record := int64(0)
		for {
			rows, err := src.Next()
			if err == nil {
				err = appendRows(a, rows, &record)
			} else if errors.Is(err, io.EOF) {
				return a.Close()
			}
			if err != nil {
				_ = a.Close()
				return err
			}
			if ctx.Err() != nil {
				_ = a.Close()
				return ctx.Err()
			}
		}
	})
}

func appendRows(a *duckdb.Appender, rows *Rows, record *int64) error {
	args := make([]driver.Value, 2+len(rows.Cols))
	for i, line := range rows.Lines {
		*record++
		args[0], args[1] = line, *record
		for j := range rows.Cols {
			args[2+j] = nil
			if v, ok := rows.Cols[j].value(i); ok {
				args[2+j] = v
			}
		}
		if err := a.AppendRow(args...); err != nil {
			return err
		}
	}
	return nil
}

// value returns value i; ok is false where it is missing.
func (t *Text) value(i int) (v string, ok bool) {
	if t.Valid[i>>3]&(1<<(i&7)) == 0 {
		return "", false
	}
	return string(t.Data[t.Offsets[i]:t.Offsets[i+1]]), true
}
