package nightly

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// openMonths is for how many months back what is not settled keeps a month's report being made anew.
const openMonths = 4

// periods are the last full day, its month, and the months that can read otherwise than when
// they were last reported: what has changed in them, and what was not settled then.
func (r *run) periods() (day string, months []string) {
	yesterday := r.o.Now.In(r.zone).AddDate(0, 0, -1)
	day = yesterday.Format(time.DateOnly)
	oldest := yesterday.AddDate(0, -openMonths, 0).Format("2006-01")
	months = append(slices.Clone(r.state.Due), day[:7])
	if r.state.Now != nil {
		for m, books := range r.state.Now.Months {
			if books.Open && m >= oldest {
				months = append(months, m)
			}
		}
	}
	slices.Sort(months)
	return day, slices.Compact(months)
}

// report makes and publishes the reports, and takes what later nights are compared with from them.
func (r *run) report(ctx context.Context) error {
	folder := r.o.Config.Path(r.o.Config.Nightly.Reports.Value)
	if !r.o.DryRun {
		if err := pipeline.CheckFolder(folder); err != nil {
			return atReports(err)
		}
	}
	day, months := r.periods()
	now := r.state.Now.copied()
	made := 0
	var nothing error
	for _, period := range append(months, day) {
		a, state, err := r.one(ctx, folder, period)
		var none *pipeline.NothingError
		switch {
		case errors.As(err, &none):
			nothing = err
		case err != nil:
			r.fail(err)
		}
		told := Report{Period: period, State: state}
		if state == "published" {
			told.Folder = filepath.Join(folder, period)
		}
		if a != nil {
			made++
			told.Totals = overall(a)
			now.take(period, a, r.o.Config.PaidBook.Value)
		}
		r.out.Reports = append(r.out.Reports, told)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if len(r.errs) > 0 {
		return nil // the months stay due
	}
	r.state.Now, r.state.Due = now, nil
	if made == 0 && nothing != nil {
		return nothing
	}
	return nil
}

// one makes the report of a period. The audit is nil where it is not proved, or there is nothing.
func (r *run) one(ctx context.Context, folder, period string) (*report.Audit, string, error) {
	o := r.options(period)
	text, err := pipeline.KeptReport(ctx, r.store(), o)
	switch other := ignoreNothing(err); {
	case other != nil:
		return nil, stateOf(other), other
	case err != nil || text != nil: // kept, or pruned without a report in this zone
		return nil, "pruned", nil
	}
	a, err := pipeline.ReportOver(ctx, r.store(), o, true)
	if err != nil {
		return nil, stateOf(err), err
	}
	defer a.Store.Close()
	x, err := a.Report(ctx)
	if err != nil {
		r.failedChecks(err)
		return nil, stateOf(err), err
	}
	if r.o.DryRun {
		return x, "not_published", nil
	}
	// A workbook and a page a day would be read by nobody.
	oneDay := len(period) > len("2026-10")
	sweep(filepath.Join(folder, period), longestPublish, time.Now(), fs.FileMode.IsDir)
	if _, err := a.Publish(ctx, x, filepath.Join(folder, period), pipeline.PublishOptions{NoWorkbook: oneDay, NoPage: oneDay, Version: r.o.Version, Lang: r.o.Lang}); err != nil {
		return nil, "failed", atReports(err)
	}
	return x, "published", nil
}

// longestPublish is after how long a folder aside is one that a killed run has left.
const longestPublish = time.Hour

// atReports says of an error of the folder of reports where a night gets it from: it has no --out.
func atReports(err error) error {
	if errors.As(err, new(*pipeline.NoFolderError)) || errors.As(err, new(*pipeline.PublishError)) {
		return &ui.Error{Code: ui.Failed, Msg: ui.Clean(err.Error()), Hint: "nightly.reports of the configuration names the folder: move what is in the way, make room, or name another"}
	}
	return err
}

func stateOf(err error) string {
	switch {
	case errors.As(err, new(*pipeline.NothingError)):
		return "nothing"
	case errors.As(err, new(*pipeline.ChecksError)):
		return "checks_failed"
	}
	return "failed"
}

func ignoreNothing(err error) error {
	if errors.As(err, new(*pipeline.NothingError)) {
		return nil
	}
	return err
}

func (r *run) failedChecks(err error) {
	var c *pipeline.ChecksError
	if !errors.As(err, &c) {
		return
	}
	for _, f := range c.Failed {
		if !slices.Contains(r.checks, f.Name) {
			r.checks = append(r.checks, f.Name)
		}
	}
}

// overall are the totals over all providers.
func overall(a *report.Audit) (out []report.Total) {
	for _, t := range a.Totals {
		if strings.HasPrefix(t.ProviderBook, "all/") {
			out = append(out, t)
		}
	}
	return out
}

// copied is a copy to add to; of nothing it is empty facts.
func (f *facts) copied() *facts {
	c := &facts{Months: map[string]month{}}
	if f == nil {
		return c
	}
	for k, v := range f.Months {
		c.Months[k] = v
	}
	c.Causes, c.Providers = slices.Clone(f.Causes), slices.Clone(f.Providers)
	return c
}

// take adds what a report says. Days are parts of their months, so that only their names count.
func (f *facts) take(period string, a *report.Audit, paidBook string) {
	for _, v := range a.Verdicts {
		if d := decimalOf(v.Excess); v.Book == paidBook && d.IsPositive() {
			f.Causes = append(f.Causes, v.Verdict)
		}
	}
	m := month{}
	for _, t := range a.Totals {
		provider, book := splitBook(t.ProviderBook)
		if book != paidBook {
			continue
		}
		if provider != "all" {
			f.Providers = append(f.Providers, provider)
		}
		m.Totals = append(m.Totals, t)
		m.Open = m.Open || !decimalOf(t.Unsettled).IsZero()
	}
	if len(period) == len("2026-10") {
		f.Months[period] = m
	}
	for _, names := range []*[]string{&f.Causes, &f.Providers} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
}

// splitBook takes "openai/bill" apart; a provider's name may hold a slash itself.
func splitBook(providerBook string) (provider, book string) {
	i := strings.LastIndexByte(providerBook, '/')
	return providerBook[:max(i, 0)], providerBook[i+1:]
}
