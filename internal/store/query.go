package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// Literal quotes text as an SQL string. It is the only way in which a value of the
// user's or of the data comes into a query's text.
func Literal(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// Ident quotes a name of a table or a column.
func Ident(s string) string {
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// QueryError is an error of one query file.
type QueryError struct {
	File string // "30_match/20_int_attempts.sql"
	Err  error
}

func (e *QueryError) Error() string { return fmt.Sprintf("%s: %v", e.File, e.Err) }
func (e *QueryError) Unwrap() error { return e.Err }

// Run executes the statements of one query file.
func (s *Store) Run(ctx context.Context, file, text string) error {
	if _, err := s.conn.ExecContext(ctx, text); err != nil {
		return s.explain(&QueryError{File: file, Err: err})
	}
	return nil
}

// Exec executes one statement; args are bound to its question marks.
func (s *Store) Exec(ctx context.Context, query string, args ...any) error {
	_, err := s.conn.ExecContext(ctx, query, args...)
	if err != nil {
		return s.explain(fmt.Errorf("%w in %s", err, firstLine(query)))
	}
	return nil
}

// SetVariable sets what the query files read with getvariable(name). The value is text;
// "" sets NULL.
func (s *Store) SetVariable(ctx context.Context, name, value string) error {
	v := "NULL::VARCHAR"
	if value != "" {
		v = Literal(value)
	}
	return s.Exec(ctx, "SET VARIABLE "+Ident(name)+" = "+v)
}

// Query runs a query and calls each for every row.
func (s *Store) Query(ctx context.Context, query string, each func(*sql.Rows) error, args ...any) error {
	rows, err := s.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return s.explain(fmt.Errorf("%w in %s", err, firstLine(query)))
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return s.explain(rows.Err())
}

// Int returns the one whole number that a query yields.
func (s *Store) Int(ctx context.Context, query string, args ...any) (int64, error) {
	var n int64
	err := s.conn.QueryRowContext(ctx, query, args...).Scan(&n)
	if err != nil {
		return 0, s.explain(fmt.Errorf("%w in %s", err, firstLine(query)))
	}
	return n, nil
}

// InTransaction runs f and commits, or rolls back where f fails: the database is then
// as it was before.
func (s *Store) InTransaction(ctx context.Context, f func() error) (err error) {
	if err = s.Exec(ctx, "BEGIN TRANSACTION"); err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			s.rollback()
			panic(p)
		}
	}()
	if err = f(); err != nil {
		s.rollback()
		return err
	}
	return s.Exec(ctx, "COMMIT")
}

// Checkpoint writes all that is committed to the database file. Closing does so, too, but has
// nobody left to tell of a disk that is full.
func (s *Store) Checkpoint(ctx context.Context) error { return s.Exec(ctx, "CHECKPOINT") }

// rollback must work when the caller's context has ended, so it takes none.
func (s *Store) rollback() {
	_, _ = s.conn.ExecContext(context.Background(), "ROLLBACK")
}

func firstLine(q string) string {
	q = strings.TrimSpace(q)
	if i := strings.IndexByte(q, '\n'); i >= 0 {
		q = q[:i] + " …"
	}
	return q
}
