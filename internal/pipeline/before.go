package pipeline

import (
	"context"
	"errors"
	"time"

	"retrytax/internal/report"
	"retrytax/queries"
)

// errRead ends a transaction that was only there to read.
var errRead = errors.New("read")

// before is the ledger of the period before the one asked for, of the same length. It is nil where no period was asked
// for, or where log or bill do not reach back so far: a ledger of half a month would be compared with a whole one.
// The tables of the report are as they were afterwards.
func (a *Audit) before(ctx context.Context) (out *report.Before, err error) {
	from, to, err := ParsePeriod(a.opts.Period, a.opts.zone())
	if err != nil || from.IsZero() {
		return nil, err
	}
	first, last := periodBefore(from, to, a.Location())
	if pruned, out, err := a.keptBefore(ctx, first, last); err != nil || pruned {
		return out, err
	}
	reaches, err := a.Store.Int(ctx, `SELECT (SELECT count(*) FROM (SELECT min(charged_at) AS since FROM int_charge_lines) WHERE since < $1::TIMESTAMP + INTERVAL 1 DAY)
		* (SELECT count(*) FROM (SELECT min(coalesce(started_at, ended_at)) AS since FROM src_attempts) WHERE since < $1::TIMESTAMP + INTERVAL 1 DAY)`, stamp(first))
	if err != nil || reaches == 0 {
		return nil, err
	}
	defer func() { err = errors.Join(err, setPeriod(context.WithoutCancel(ctx), a.Store, a.opts)) }()
	err = a.Store.InTransaction(ctx, func() error {
		if err := setVariables(ctx, a.Store, map[string]string{"period_from": stamp(first), "period_to": stamp(last)}); err != nil {
			return err
		}
		if err := runFolder(ctx, a.Store, queries.Period); err != nil {
			return err
		}
		step := queries.Get(queries.Reports + "/20_rpt_totals.sql")
		if err := a.Store.Run(ctx, step.Path, step.SQL); err != nil {
			return err
		}
		totals, err := report.ReadTotals(ctx, a.Store)
		if err != nil {
			return err
		}
		out = &report.Before{Period: report.Period{From: first, To: last, Zone: a.opts.zone()}, Totals: totals}
		return errRead
	})
	if !errors.Is(err, errRead) {
		return nil, err
	}
	if len(out.Totals) == 0 {
		return nil, nil
	}
	return out, nil
}

// keptBefore is that ledger where prune has taken rows of that time out: of the report that it kept. It is nil where none was kept of
// just that period, and where the report at hand is of one provider, model or key, since the kept one is of all.
func (a *Audit) keptBefore(ctx context.Context, first, last time.Time) (pruned bool, out *report.Before, err error) {
	n, err := a.Store.Int(ctx, "SELECT count(*) FROM src_meta WHERE pruned_before > ?", first.UTC())
	if err != nil || n == 0 {
		return false, nil, err
	}
	// What the files reached, as their rows are gone.
	reaches, err := a.Store.Int(ctx, `SELECT count(DISTINCT role) FROM src_files WHERE role IN ('attempts', 'charges') AND first_at < $1::TIMESTAMP + INTERVAL 1 DAY`, stamp(first))
	if err != nil || reaches < 2 || a.opts.Scope != (Scope{}) {
		return true, nil, err
	}
	var text string
	err = a.Store.Query(ctx, "SELECT json FROM pub_reports WHERE zone = ? AND closed AND period_from = ? AND period_to = ? ORDER BY report_no",
		scanOne(&text), a.opts.zone(), first.UTC(), last.UTC())
	if err != nil || text == "" {
		return true, nil, err
	}
	kept, err := report.Decode([]byte(text))
	if err != nil || len(kept.Totals) == 0 {
		return true, nil, err
	}
	return true, &report.Before{Period: report.Period{From: first, To: last, Zone: a.opts.zone()}, Totals: kept.Totals}, nil
}

// periodBefore is the month before a month, the year before a year, and else as many days or as much time.
func periodBefore(from, to time.Time, loc *time.Location) (first, last time.Time) {
	from, to = from.In(loc), to.In(loc)
	months := (to.Year()-from.Year())*12 + int(to.Month()) - int(from.Month())
	switch {
	case months > 0 && from.Day() == 1 && from.AddDate(0, months, 0).Equal(to):
		return from.AddDate(0, -months, 0), from
	case from.Equal(midnightOf(from)) && to.Equal(midnightOf(to)):
		days := int(to.Sub(from).Hours()+12) / 24 // a day may have 23 or 25 hours
		return from.AddDate(0, 0, -days), from
	}
	return from.Add(-to.Sub(from)), from
}

func midnightOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}
