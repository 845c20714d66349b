package pipeline

import (
	"context"
	"fmt"
	"strings"
	"time"

	"retrytax/internal/store"
	"retrytax/queries"
)

// reconcile matches and judges what the src_ tables hold. The derived tables are made anew.
func reconcile(ctx context.Context, s *store.Store, o Options) error {
	return makeTables(ctx, s, o, queries.Measure, queries.Match, queries.Verdicts)
}

func reconcileFolder(ctx context.Context, s *store.Store, folder string, o Options) error {
	for _, f := range queries.In(folder) {
		o.progress("reconciling: "+f.Name(), 0)
		if err := runFile(ctx, s, f); err != nil {
			return err
		}
	}
	return nil
}

// runFile executes one query file; where its head says that nothing can come of it, the table
// is made without rows.
func runFile(ctx context.Context, s *store.Store, f queries.File) error {
	cond, bare := f.Empty(), f.Bare()
	if cond == "" || bare == "" {
		return s.Run(ctx, f.Path, f.SQL)
	}
	var empty bool
	if err := s.Query(ctx, "SELECT "+cond, scanOne(&empty)); err != nil {
		return &store.QueryError{File: f.Path, Err: err}
	}
	if empty {
		return s.Run(ctx, f.Path, bare)
	}
	return s.Run(ctx, f.Path, f.SQL)
}

// ask makes the tables of the period that is asked for, from what is reconciled.
func ask(ctx context.Context, s *store.Store, o Options) error {
	if err := setPeriod(ctx, s, o); err != nil {
		return err
	}
	return makeTables(ctx, s, o, queries.Period, queries.Reports)
}

// makeTables makes the tables of the folders, in order.
func makeTables(ctx context.Context, s *store.Store, o Options, folders ...string) error {
	for _, folder := range folders {
		if err := reconcileFolder(ctx, s, folder, o); err != nil {
			return err
		}
	}
	return nil
}

// setPeriod sets period_from and period_to (UTC): what was asked for, else the span of the
// charges.
func setPeriod(ctx context.Context, s *store.Store, o Options) error {
	from, to, err := ParsePeriod(o.Period, o.zone())
	if err != nil {
		return err
	}
	v := map[string]string{"period_from": stamp(from), "period_to": stamp(to), "period_asked": "1"}
	if o.Period == "" {
		v["period_asked"] = ""
		for name, q := range map[string]string{
			"period_from": "SELECT CAST(min(charged_at) AS VARCHAR) FROM int_charge_lines",
			"period_to":   "SELECT CAST(max(charged_at) + INTERVAL 1 MICROSECOND AS VARCHAR) FROM int_charge_lines",
		} {
			if err := s.Exec(ctx, "SET VARIABLE "+store.Ident(name)+" = ("+q+")"); err != nil {
				return err
			}
		}
		return nil
	}
	return setVariables(ctx, s, v)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000000") }

// PeriodError is a period that cannot be read.
type PeriodError struct{ Found string }

func (e *PeriodError) Error() string {
	return fmt.Sprintf("period: found %q, expected a month (2026-10), a day (2026-10-03), a year or from..to with the end excluded", e.Found)
}

// ParsePeriod reads a month, a day, a year, or from..to (the end excluded) in the zone.
func ParsePeriod(p, zone string) (from, to time.Time, err error) {
	if p == "" {
		return time.Time{}, time.Time{}, nil
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return from, to, fmt.Errorf("zone: found %q, expected a name such as Asia/Shanghai", zone)
	}
	if a, b, ok := strings.Cut(p, ".."); ok {
		from, _, err = span(a, loc)
		if err == nil {
			to, _, err = span(b, loc)
		}
		if err != nil || !from.Before(to) {
			return from, to, &PeriodError{p}
		}
		return from, to, nil
	}
	if from, to, err = span(p, loc); err != nil || !from.Before(to) {
		return from, to, &PeriodError{p} // the second: a day that its zone left out
	}
	return from, to, nil
}

// span is the day, month or year that a text names.
func span(p string, loc *time.Location) (from, to time.Time, err error) {
	for layout, next := range map[string]func(time.Time) time.Time{
		"2006-01-02": func(t time.Time) time.Time { return t.AddDate(0, 0, 1) },
		"2006-01":    func(t time.Time) time.Time { return t.AddDate(0, 1, 0) },
		"2006":       func(t time.Time) time.Time { return t.AddDate(1, 0, 0) },
	} {
		if day, err := time.Parse(layout, p); err == nil {
			return beginning(day, loc), beginning(next(day), loc), nil
		}
	}
	return from, to, &PeriodError{p}
}

// beginning is when a day begins in a zone: at midnight, or when the clocks have been put
// forward over it.
func beginning(day time.Time, loc *time.Location) time.Time {
	y, m, d := day.Date()
	t := time.Date(y, m, d, 0, 0, 0, 0, loc)
	if ty, tm, td := t.Date(); ty == y && tm == m && td == d {
		return t
	}
	_, change := t.ZoneBounds()
	return change
}
