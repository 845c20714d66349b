package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/queries"
)

// Cost measures the parameters of the cost model in this audit.
func (a *Audit) Cost(ctx context.Context) (*report.CostData, report.Period, error) {
	if err := a.anything(ctx); err != nil {
		return nil, report.Period{}, err
	}
	a.opts.progress("measuring the cost model", 0)
	d, err := measureCost(ctx, a.Store)
	if err != nil {
		return nil, report.Period{}, err
	}
	p, err := a.period(ctx)
	return d, p, err
}

// projection is the cost model of this audit for the workbook, or why there is none.
func (a *Audit) projection(ctx context.Context) (*report.Projection, string, error) {
	d, period, err := a.Cost(ctx)
	if err != nil {
		return nil, "", err
	}
	m := d.Measure("", period)
	r, err := m.Project(projectedDays)
	if r == nil && err == nil {
		return nil, "not measurable in this period: " + strings.Join(m.Unknown, ", "), nil
	}
	return r, "", err
}

// projectedDays is the month of the workbook.
const projectedDays = 30

// measureCost works over any database in which the tables of an audit stand.
func measureCost(ctx context.Context, s *store.Store) (*report.CostData, error) {
	if err := runFolder(ctx, s, queries.Cost); err != nil {
		return nil, err
	}
	return report.ReadCost(ctx, s)
}

// Cost measures the parameters of the cost model in the kept audit. A period must lie within the one that
// was audited; "" is that one.
func (k *Kept) Cost(ctx context.Context, period string) (*report.CostData, report.Period, error) {
	p := report.Period{Zone: k.zone.String()}
	if k.lives {
		if err := k.ask(ctx, period); err != nil {
			return nil, p, err
		}
	}
	err := k.store.Query(ctx, `SELECT CAST(getvariable('period_from') AS TIMESTAMP), CAST(getvariable('period_to') AS TIMESTAMP)`, func(q *sql.Rows) error {
		var from, to sql.NullTime
		err := q.Scan(&from, &to)
		p.From, p.To = from.Time.UTC().In(k.zone), to.Time.UTC().In(k.zone)
		return err
	})
	if err != nil {
		return nil, p, err
	}
	if period != "" && !k.lives {
		if p, err = k.narrow(ctx, period, p); err != nil {
			return nil, p, err
		}
	}
	d, err := measureCost(ctx, k.store)
	if err == nil && d.Calls == 0 {
		return nil, p, &NothingError{"no calls in the period", "some", "leave out --period to see what the database holds"}
	}
	return d, p, err
}

// ask makes the tables of a period, or of all times, in a database that lives.
func (k *Kept) ask(ctx context.Context, period string) error {
	o := Options{Period: period, Zone: k.zone.String()}
	if err := setVariables(ctx, k.store, map[string]string{"scope_provider": "", "scope_model": "", "scope_api_key": ""}); err != nil {
		return err
	}
	if err := setPeriod(ctx, k.store, o); err != nil {
		return err
	}
	if _, err := unseen(ctx, k.store, k.path, ""); err != nil {
		return err
	}
	return runFolder(ctx, k.store, queries.Period)
}

// narrow sets the period of the session.
func (k *Kept) narrow(ctx context.Context, period string, kept report.Period) (report.Period, error) {
	from, to, err := ParsePeriod(period, k.zone.String())
	if err != nil {
		return kept, err
	}
	asked := false
	err = k.store.Query(ctx, `SELECT getvariable('period_asked') IS NOT NULL`, func(q *sql.Rows) error { return q.Scan(&asked) })
	if err != nil {
		return kept, err
	}
	if asked && (from.Before(kept.From) || to.After(kept.To)) {
		return kept, &OutsideError{period, kept.From, kept.To}
	}
	err = setVariables(ctx, k.store, map[string]string{"period_asked": "1", "period_from": stamp(from), "period_to": stamp(to)})
	return report.Period{From: from.In(k.zone), To: to.In(k.zone), Zone: kept.Zone}, err
}

// OutsideError says that a kept database was audited for another period than the one asked for.
type OutsideError struct {
	Period   string
	From, To time.Time
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("--period: found %s, expected a part of what was audited: %s to %s", e.Period, e.From.Format(time.DateOnly), e.To.Format(time.DateOnly))
}

// Hint says what to do about it.
func (e *OutsideError) Hint() string {
	return "audit the files without --period, and keep that with --db"
}
