package pipeline

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
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
