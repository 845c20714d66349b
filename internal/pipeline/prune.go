package pipeline

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/queries"
)

// PruneError says why rows cannot be taken out yet.
type PruneError struct{ Found, Expected, Advice string }

func (e *PruneError) Error() string { return "found " + e.Found + ", expected " + e.Expected }

// Hint says what to do about it.
func (e *PruneError) Hint() string { return e.Advice }

// Prune takes the rows before a day out of a database that lives. Of every month before it the
// report is made and kept first, byte for byte, with its findings; where one is not settled, or
// reconcile has not seen all, nothing is taken out (*PruneError). day is the first of a month
// in the report's zone; told is whether the user named a configuration. What is written is
// one transaction.
func Prune(ctx context.Context, l *Living, day string, o Options, told bool) (*report.Pruned, error) {
	loc, err := time.LoadLocation(o.zone())
	if err != nil {
		return nil, fmt.Errorf("zone: found %q, expected a name such as Asia/Shanghai", o.zone())
	}
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || date.Day() != 1 {
		return nil, &PeriodError{day}
	}
	p := &pruning{s: l.Store, o: o, told: told, day: day, work: &scopeRun{s: l.Store, o: o},
		out: &report.Pruned{Schema: report.PruneSchema, Database: l.Path, Zone: o.zone(), Before: beginning(date, loc), Reports: []string{}}}
	if err := p.ready(ctx); err != nil {
		return nil, fileError(err)
	}
	if err := l.Store.SpreadOverAll(ctx); err != nil {
		return nil, fileError(err)
	}
	if err := p.work.attach(ctx); err != nil {
		return nil, err
	}
	err = p.keepAll(ctx)
	if err == nil {
		err = l.Store.InTransaction(ctx, func() error { return p.write(ctx) })
	}
	if err := p.work.detach(err); err != nil {
		return nil, fileError(err)
	}
	return p.out, fileError(l.Store.Checkpoint(ctx))
}

// SettlePruned reconciles what is left, so that a pruned database is one whose verdicts are those of its rows, as it was before. Where
// the verdicts were made with a configuration and none was named it does not: others would come of it. It says so in out.Reconciled.
func SettlePruned(ctx context.Context, l *Living, o Options, told bool, out *report.Pruned) error {
	waiting, err := l.Store.Int(ctx, "SELECT count(*) FROM src_changes")
	if err != nil {
		return fileError(err)
	}
	differ, err := otherConfig(ctx, l.Store, o.Config)
	if err != nil {
		return fileError(err)
	}
	out.Reconciled = waiting == 0
	if waiting == 0 || (len(differ) > 0 && !told) {
		return nil
	}
	if _, err := Reconcile(ctx, l, o, false); err != nil {
		return err
	}
	out.Reconciled = true
	return nil
}

// pruning is one run of Prune at work. The reports are made in a database in memory, beside
// the one that lives.
type pruning struct {
	s    *store.Store
	o    Options
	told bool
	day  string
	work *scopeRun
	out  *report.Pruned
	kept []keptReport
}

// keptReport is a report on its way into pub_reports.
type keptReport struct {
	no     int64
	month  string
	period report.Period
	text   []byte
}

// ready refuses a database whose verdicts are not those of its rows.
func (p *pruning) ready(ctx context.Context) error {
	var err error
	if p.out.ConfigFile, err = lastConfig(ctx, p.s, p.o.ConfigFile); err != nil {
		return err
	}
	judged, err := p.s.Int(ctx, "SELECT count(*) FROM src_settings WHERE name = 'reconciled'")
	if err != nil {
		return err
	}
	waiting, err := p.s.Int(ctx, "SELECT count(*) FROM src_changes")
	if err != nil {
		return err
	}
	if judged == 0 || waiting > 0 {
		found := "a database with " + source.Counted(waiting, "change", "changes") + " that reconcile has not seen"
		if judged == 0 {
			found = "a database that reconcile has not seen"
		}
		return &PruneError{found, "one whose verdicts are those of its rows", "retrytax reconcile --db " + p.out.Database + withConfig(p.out.ConfigFile) + ", then prune"}
	}
	p.out.Run, err = nextRun(ctx, p.s)
	return err
}

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

// reportFlags names all settings but period and zone that change the numbers of a report.
func reportFlags(o Options) string {
	v := settings(o)
	for _, n := range []string{"now", "run_no", "first_file", "report_zone", "careful"} {
		delete(v, n)
	}
	var lines []string
	for n, value := range v {
		lines = append(lines, n+"="+value)
	}
	for _, p := range o.Config.Parameters() {
		lines = append(lines, p.Name+": "+p.Value)
	}
	slices.Sort(lines)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))
}
