package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/source"
)

// NothingError says that there was nothing to audit, which is never the same as clean.
type NothingError struct{ Found, Expected, Advice string }

func (e *NothingError) Error() string {
	return "nothing was audited: found " + e.Found + ", expected " + e.Expected
}

// Hint tells what to try.
func (e *NothingError) Hint() string { return e.Advice }

// Report runs the checks and reads the results. The report is complete even where the
// error is a *ChecksError, so that it can be shown; it must not be published then.
func (a *Audit) Report(ctx context.Context) (*report.Audit, error) {
	if err := a.anything(ctx); err != nil {
		return nil, err
	}
	r, err := report.Read(ctx, a.Store)
	if err != nil {
		return nil, err
	}
	if r.Inputs, err = inputs(ctx, a.Store); err != nil {
		return nil, err
	}
	if r.Period, err = a.period(ctx); err != nil {
		return nil, err
	}
	for _, n := range a.Notes {
		r.Warnings = append(r.Warnings, report.Warning{Code: "input", Text: n})
	}
	a.opts.progress("checking", 0)
	checks, err := runChecks(ctx, a.Store)
	if checks != nil {
		r.Checks = checks
	}
	return r, err
}

// anything fails where there are no attempts or no charges, or none in the period.
func (a *Audit) anything(ctx context.Context) error {
	for _, q := range []struct{ query, role, found, expected, advice string }{
		{"SELECT count(*) FROM src_attempts", "attempts", "no attempts", "an attempt log beside the bill",
			"name the log as well, or force a file's role with --attempts FILE"},
		{"SELECT count(*) FROM src_charges", "charges", "no charges", "a billing export beside the log",
			"name the bill as well, or force a file's role with --charges FILE"},
		{"SELECT count(*) FROM fct_verdicts", "", "no charges" + a.within(), "some",
			"leave out --period and the scope flags to see what the files hold"},
	} {
		n, err := a.Store.Int(ctx, q.query)
		if err != nil {
			return err
		}
		if n == 0 {
			if e := a.bare(ctx, q.role); e != nil {
				return e
			}
			if e := a.totalsOnly(ctx, q.role); e != nil {
				return e
			}
			return &NothingError{q.found, q.expected, q.advice}
		}
	}
	if a.opts.Period == "" {
		return nil
	}
	n, err := a.Store.Int(ctx, `SELECT count(*) FROM src_attempts WHERE coalesce(ended_at, started_at) >= CAST(getvariable('period_from') AS TIMESTAMP)
		AND coalesce(started_at, ended_at) < CAST(getvariable('period_to') AS TIMESTAMP)`)
	if err == nil && n == 0 {
		err = &NothingError{"no attempts" + a.within(), "some", "leave out --period to see what the files hold"}
	}
	return err
}

// totalsOnly tells that the bill is one of totals, of which no line can be joined.
func (a *Audit) totalsOnly(ctx context.Context, role string) error {
	n, err := a.Store.Int(ctx, "SELECT count(*) FROM src_bills")
	if err != nil || n == 0 {
		return err
	}
	advice := "retrytax invoice BILL LOG… --prices LIST holds totals against the log by day and model; for single charges have calls go through a gateway that exports one row a request"
	if role == "attempts" {
		advice = "name the attempt log as well: " + advice
	}
	return &NothingError{"a bill of totals alone (" + source.Counted(n, "row", "rows") + " by the day, key or model), of which no row can be joined with an attempt",
		"a billing export with a row a request", advice}
}

// bare tells that a side has a file, which holds no rows.
func (a *Audit) bare(ctx context.Context, role string) error {
	file := ""
	err := a.Store.Query(ctx, "SELECT file FROM src_files WHERE role = ? AND loaded = 0 ORDER BY file LIMIT 1", func(r *sql.Rows) error {
		return r.Scan(&file)
	}, role)
	if err != nil || file == "" {
		return err
	}
	return &NothingError{"no " + role + " (" + file + " holds none)", "some",
		"export it again; look whether it is of the right month and account"}
}

func (a *Audit) within() string {
	within := ""
	for _, s := range []struct{ name, value string }{
		{" of the provider ", a.opts.Scope.Provider}, {" of the model ", a.opts.Scope.Model}, {" of the key ", a.opts.Scope.APIKey},
		{" in the period ", a.opts.Period},
	} {
		if s.value != "" {
			within += s.name + s.value
		}
	}
	return within
}

// period is what the report covers, in its zone.
func (a *Audit) period(ctx context.Context) (report.Period, error) {
	p := report.Period{Zone: a.opts.zone()}
	loc, err := time.LoadLocation(p.Zone)
	if err != nil {
		return p, fmt.Errorf("zone: found %q, expected a name such as Asia/Shanghai", p.Zone)
	}
	err = a.Store.Query(ctx, `SELECT CAST(getvariable('period_from') AS TIMESTAMP), CAST(getvariable('period_to') AS TIMESTAMP)`, func(q *sql.Rows) error {
		var from, to time.Time
		err := q.Scan(&from, &to)
		p.From, p.To = from.UTC().In(loc), to.UTC().In(loc)
		return err
	})
	return p, err
}

// Location is the report's zone.
func (a *Audit) Location() *time.Location {
	loc, err := time.LoadLocation(a.opts.zone())
	if err != nil {
		return time.UTC // period has failed already
	}
	return loc
}

// Method lists how the numbers were made, for the workbook.
func (a *Audit) Method(version string) []report.MethodRow {
	rows := []report.MethodRow{
		{Section: "Versions", Name: "retrytax", Value: version},
		{Section: "Versions", Name: "clock of the run", Value: a.opts.Now.UTC().Format(time.RFC3339)},
	}
	for _, p := range a.parameters() {
		rows = append(rows, report.MethodRow{Section: "Parameters", Name: p.Name, Value: p.Value + " (" + string(p.Origin) + ")"})
	}
	return rows
}
