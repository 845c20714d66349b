package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/queries"
)

// FailedCheck is a check that returned rows: what it says and the first of them.
type FailedCheck struct {
	Name, Sentence string
	Rows           int64
	Sample         []string // "column=value ..." of the first rows
}

// ChecksError says that the books are not proved. No report may be published.
type ChecksError struct {
	Failed []FailedCheck
	Now    string // the run's clock, UTC
}

// Hint says what most likely is at fault, where that is no fault of retrytax.
func (e *ChecksError) Hint() string {
	for _, f := range e.Failed {
		if f.Name == "times_can_be_true" {
			return "the clock of this run says " + e.Now + " (UTC): where that is wrong, set the clock (or RETRYTAX_NOW) right and run again; the rows were read by another"
		}
	}
	return ""
}

func (e *ChecksError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s failed, nothing was published", source.Counted(int64(len(e.Failed)), "check", "checks"))
	for _, f := range e.Failed {
		fmt.Fprintf(&b, "\n  %s (%s): %s", f.Name, source.Counted(f.Rows, "row", "rows"), f.Sentence)
		for _, row := range f.Sample {
			fmt.Fprintf(&b, "\n    %s", row)
		}
	}
	return b.String()
}

// runChecks runs every query of 90_checks. A check must return no rows; one that begins
// with "-- warn:" is reported and does not fail.
func runChecks(ctx context.Context, s *store.Store) ([]report.Check, error) {
	files := queries.In(queries.Checks)
	clean := cleanChecks(ctx, s, files)
	var out []report.Check
	var failed []FailedCheck
	for _, f := range files {
		if clean[f.Path] {
			out = append(out, report.Check{Name: f.Name(), OK: true})
			continue
		}
		c, sentence, must, err := runCheck(ctx, s, f)
		if err != nil {
			return nil, err
		}
		out = append(out, report.Check{Name: c.Name, OK: c.Rows == 0, Rows: c.Rows})
		if c.Rows > 0 && must {
			c.Sentence = sentence
			failed = append(failed, c)
		}
	}
	if len(failed) > 0 {
		e := &ChecksError{Failed: failed}
		if err := s.Query(ctx, "SELECT left(getvariable('now'), 19)", scanOne(&e.Now)); err != nil {
			return nil, err
		}
		return out, e
	}
	return out, nil
}

// cleanChecks asks all checks at once, which costs a small audit half of what asking one by
// one does, and names those that return no rows. The others are asked again, for their rows; so are all
// of them where one cannot be run, which then says which it is.
func cleanChecks(ctx context.Context, s *store.Store, files []queries.File) map[string]bool {
	parts := make([]string, len(files))
	for i, f := range files {
		parts[i] = fmt.Sprintf("SELECT %s AS path, EXISTS (\n%s\n) AS fails", store.Literal(f.Path), f.SQL)
	}
	clean := map[string]bool{}
	err := s.Query(ctx, strings.Join(parts, "\nUNION ALL\n"), func(r *sql.Rows) error {
		var path string
		var fails bool
		err := r.Scan(&path, &fails)
		clean[path] = !fails
		return err
	})
	if err != nil {
		return nil
	}
	return clean
}

func runCheck(ctx context.Context, s *store.Store, f queries.File) (c FailedCheck, sentence string, must bool, err error) {
	head, _, _ := strings.Cut(f.SQL, "\n")
	kind, sentence, ok := strings.Cut(strings.TrimPrefix(head, "-- "), ": ")
	if !ok {
		return c, "", false, &store.QueryError{File: f.Path, Err: fmt.Errorf("found no sentence in its first line, expected \"-- fail: …\"")}
	}
	c.Name = f.Name()
	err = s.Query(ctx, f.SQL, func(r *sql.Rows) error {
		c.Rows++
		if len(c.Sample) >= 5 {
			return nil
		}
		row, err := describe(r)
		c.Sample = append(c.Sample, row)
		return err
	})
	if err != nil {
		return c, "", false, &store.QueryError{File: f.Path, Err: err}
	}
	return c, sentence, kind == "fail", nil
}

// describe renders one row of any shape.
func describe(r *sql.Rows) (string, error) {
	cols, err := r.Columns()
	if err != nil {
		return "", err
	}
	vals, ptrs := make([]any, len(cols)), make([]any, len(cols))
	for i := range vals {
		ptrs[i] = &vals[i]
	}
	if err := r.Scan(ptrs...); err != nil {
		return "", err
	}
	parts := make([]string, len(cols))
	for i, c := range cols {
		parts[i] = fmt.Sprintf("%s=%v", c, vals[i])
	}
	return strings.Join(parts, " "), nil
}
