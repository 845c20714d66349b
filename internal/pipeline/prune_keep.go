package pipeline

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"retrytax/internal/report"
	"retrytax/queries"
)

// keepAll makes the reports of the months that go.
func (p *pruning) keepAll(ctx context.Context) error {
	months, err := p.months(ctx)
	if err != nil {
		return err
	}
	no, err := p.s.Int(ctx, "SELECT coalesce(max(report_no), 0) FROM pub_reports")
	if err != nil {
		return err
	}
	if err := p.s.Exec(ctx, "CREATE TABLE "+p.work.work("pub_findings")+" AS SELECT * FROM "+p.work.main("pub_findings")+" LIMIT 0"); err != nil {
		return err
	}
	for i, m := range months {
		if err := p.keep(ctx, keptReport{no: no + int64(i) + 1, month: m}); err != nil {
			return err
		}
	}
	return nil
}

// write keeps the reports, takes the rows out and notes the run.
func (p *pruning) write(ctx context.Context) error {
	for _, k := range p.kept {
		err := p.s.Exec(ctx, "INSERT INTO "+p.work.main("pub_reports")+" VALUES (?, ?, ?, ?, ?, ?, true, ?, ?, ?)", k.no, k.month, p.o.zone(), reportFlags(p.o),
			k.period.From.UTC(), k.period.To.UTC(), string(k.text), p.out.Run, p.o.Now.UTC())
		if err != nil {
			return err
		}
		p.out.Reports = append(p.out.Reports, k.month)
	}
	if err := p.s.Exec(ctx, "INSERT INTO "+p.work.main("pub_findings")+" SELECT * FROM "+p.work.work("pub_findings")); err != nil {
		return err
	}
	if err := setVariables(ctx, p.s, map[string]string{"run_no": number(p.out.Run), "prune_before": stamp(p.out.Before)}); err != nil {
		return err
	}
	for _, name := range []string{"10_src_pruned.sql", "20_src_changes_pruned.sql"} {
		f := queries.Get(queries.Prune + "/" + name)
		if err := p.s.Run(ctx, f.Path, f.SQL); err != nil {
			return err
		}
	}
	err := p.s.Query(ctx, `SELECT count(*) FILTER (WHERE role = 'attempts'), count(*) FILTER (WHERE role = 'charges'), (SELECT count(*) FROM pub_reports) FROM src_pruned`,
		func(r *sql.Rows) error { return r.Scan(&p.out.Attempts, &p.out.Charges, &p.out.Kept) })
	if err != nil {
		return err
	}
	return noteRun(ctx, p.s, p.out.Run, "prune", p.o, "rows before "+p.day+" were taken out")
}

// months are those before the day in which there are charges and whose report is not kept.
func (p *pruning) months(ctx context.Context) (out []string, err error) {
	kept := map[string]bool{}
	err = p.s.Query(ctx, "SELECT period FROM pub_reports WHERE zone = ? AND closed", func(r *sql.Rows) error {
		var period string
		err := r.Scan(&period)
		kept[period] = true
		return err
	}, p.o.zone())
	if err != nil {
		return nil, err
	}
	// The pattern is one of ours: the months in the zone of the report.
	err = p.s.Query(ctx, `SELECT DISTINCT strftime(timezone(?, timezone('UTC', charged_at)), '%Y-%m') FROM src_charges
		WHERE superseded_by IS NULL AND charged_at < ? ORDER BY 1`, scanText(&out), p.o.zone(), p.out.Before.UTC())
	return slices.DeleteFunc(out, func(m string) bool { return kept[m] }), err
}

// keep makes the report of a month, as retrytax report does.
func (p *pruning) keep(ctx context.Context, k keptReport) error {
	o := p.o
	o.Period = k.month
	o.progress("keeping the report of "+k.month, 0)
	a := &Audit{Store: p.s, opts: o}
	r, err := a.reportOver(ctx, p.out.Database, p.told)
	var nothing *NothingError
	if errors.As(err, &nothing) {
		return &PruneError{"a month without a log or without charges (" + k.month + ": " + nothing.Found + ")", "a report of it before its rows go",
			"ingest what is missing, or prune before an earlier day"}
	}
	if err != nil {
		return err
	}
	open, err := p.s.Int(ctx, "SELECT count(*) FROM fct_verdicts WHERE NOT settled")
	if err != nil {
		return err
	}
	if open > 0 {
		return &PruneError{fmt.Sprintf("%d charge lines of %s that are not settled", open, k.month), "a month that is closed",
			"ingest the logs and bills that follow it and reconcile, or prune before an earlier day"}
	}
	if k.text, err = r.JSON(); err != nil {
		return err
	}
	k.period = r.Period
	p.kept = append(p.kept, k)
	if err := setVariables(ctx, p.s, map[string]string{"report_no": number(k.no)}); err != nil {
		return err
	}
	f := queries.Get(queries.Prune + "/30_pub_findings_kept.sql")
	return p.s.Run(ctx, f.Path, f.SQL)
}

// reportOver asks for the period and reads the report.
func (a *Audit) reportOver(ctx context.Context, path string, told bool) (*report.Audit, error) {
	if err := a.askOver(ctx, path, told, queries.Period, queries.Reports); err != nil {
		return nil, err
	}
	return a.Report(ctx)
}
