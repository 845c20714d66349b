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
	"retrytax/internal/store"
	"retrytax/queries"
)

// PruneError says why rows cannot be taken out yet.
type PruneError struct{ Found, Expected, Advice string }

func (e *PruneError) Error() string { return "found " + e.Found + ", expected " + e.Expected }

// Hint says what to do about it.
func (e *PruneError) Hint() string { return e.Advice }

// Prune takes the rows before a day out of a database that lives, in one transaction. Of every
// month before it the report is made and kept first, byte for byte, with its findings; where
// one is not settled, or reconcile has not seen all, nothing is taken out (*PruneError). day
// is the first of a month in the report's zone.
func Prune(ctx context.Context, l *Living, day string, o Options) (*report.Pruned, error) {
	loc, err := time.LoadLocation(o.zone())
	if err != nil {
		return nil, fmt.Errorf("zone: found %q, expected a name such as Asia/Shanghai", o.zone())
	}
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || date.Day() != 1 {
		return nil, &PeriodError{day}
	}
	p := &pruning{s: l.Store, o: o, loc: loc, before: date, out: &report.Pruned{Schema: report.PruneSchema, Database: l.Path, Zone: o.zone(), Reports: []string{}}}
	p.out.Before = beginning(date, loc)
	if err := l.Store.InTransaction(ctx, func() error { return p.run(ctx) }); err != nil {
		return nil, fileError(err)
	}
	return p.out, fileError(l.Store.Checkpoint(ctx))
}

// pruning is one run of Prune at work.
type pruning struct {
	s      *store.Store
	o      Options
	loc    *time.Location
	before time.Time // the day, as a date
	out    *report.Pruned
}

func (p *pruning) run(ctx context.Context) error {
	if err := prepare(ctx, p.s, p.o); err != nil {
		return err
	}
	if err := p.ready(ctx); err != nil {
		return err
	}
	var err error
	if p.out.Run, err = nextRun(ctx, p.s); err != nil {
		return err
	}
	months, err := p.months(ctx)
	if err != nil {
		return err
	}
	for _, m := range months {
		if err := p.keep(ctx, m); err != nil {
			return err
		}
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
	err = p.s.Query(ctx, `SELECT count(*) FILTER (WHERE role = 'attempts'), count(*) FILTER (WHERE role = 'charges'), (SELECT count(*) FROM pub_reports) FROM src_pruned`,
		func(r *sql.Rows) error { return r.Scan(&p.out.Attempts, &p.out.Charges, &p.out.Kept) })
	if err != nil {
		return err
	}
	return noteRun(ctx, p.s, p.out.Run, "prune", p.o, "rows before "+p.before.Format(time.DateOnly)+" were taken out")
}

// ready refuses a database whose verdicts are not those of its rows.
func (p *pruning) ready(ctx context.Context) error {
	judged, err := p.s.Int(ctx, "SELECT count(*) FROM src_settings")
	if err != nil {
		return err
	}
	waiting, err := p.s.Int(ctx, "SELECT count(*) FROM src_changes")
	if err != nil {
		return err
	}
	if judged == 0 || waiting > 0 {
		return &PruneError{fmt.Sprintf("%d changes that reconcile has not seen", waiting), "none", "retrytax reconcile --db " + p.out.Database + ", then prune"}
	}
	return nil
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

// keep makes the report of a month and stores it with its findings.
func (p *pruning) keep(ctx context.Context, month string) error {
	o := p.o
	o.Period = month
	o.progress("keeping the report of "+month, 0)
	r, err := reportOfPeriod(ctx, p.s, o)
	var nothing *NothingError
	if errors.As(err, &nothing) {
		return &PruneError{"a month without a log or without charges (" + month + ": " + nothing.Found + ")", "a report of it before its rows go",
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
		return &PruneError{fmt.Sprintf("%d charge lines of %s that are not settled", open, month), "a month that is closed",
			"ingest the logs and bills that follow it and reconcile, or prune before an earlier day"}
	}
	text, err := r.JSON()
	if err != nil {
		return err
	}
	no, err := p.s.Int(ctx, "SELECT coalesce(max(report_no), 0) + 1 FROM pub_reports")
	if err != nil {
		return err
	}
	err = p.s.Exec(ctx, "INSERT INTO pub_reports VALUES (?, ?, ?, ?, ?, ?, true, ?, ?, ?)", no, month, o.zone(), reportFlags(o),
		r.Period.From.UTC(), r.Period.To.UTC(), string(text), p.out.Run, o.Now.UTC())
	if err != nil {
		return err
	}
	if err := setVariables(ctx, p.s, map[string]string{"report_no": number(no)}); err != nil {
		return err
	}
	f := queries.Get(queries.Prune + "/30_pub_findings_kept.sql")
	p.out.Reports = append(p.out.Reports, month)
	return p.s.Run(ctx, f.Path, f.SQL)
}

// reportOfPeriod makes the report of one period over the rows of the database, checks
// included.
func reportOfPeriod(ctx context.Context, s *store.Store, o Options) (*report.Audit, error) {
	if err := reconcile(ctx, s, o); err != nil {
		return nil, err
	}
	if err := runFolder(ctx, s, queries.Reports); err != nil {
		return nil, err
	}
	a := &Audit{Store: s, opts: o}
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

// StoredReport is the kept report of a period whose rows were pruned: audit.json as it was
// published; ok is false where the rows are there, or no report of that zone was kept.
func StoredReport(ctx context.Context, s *store.Store, period, zone string) (json []byte, ok bool, err error) {
	err = s.Query(ctx, `SELECT json FROM pub_reports WHERE period = ? AND zone = ? AND closed
		AND period_from < (SELECT pruned_before FROM src_meta) ORDER BY report_no DESC LIMIT 1`, func(r *sql.Rows) error {
		var text string
		err := r.Scan(&text)
		json, ok = []byte(text), true
		return err
	}, period, zone)
	return json, ok, err
}
