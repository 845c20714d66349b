package main

import (
	"context"
	"fmt"
	"strings"

	"retrytax/internal/cost"
	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/internal/ui"
)

// fromData measures the parameters, lays the flags over them, and projects. Where the checks fail, both
// the projection and the error are returned.
func (o *ProjectOptions) fromData(ctx context.Context, e env, args []string) (*report.Projection, error) {
	data, period, checks := o.read(ctx, e, args)
	if data == nil {
		return nil, checks
	}
	m := data.Measure(strings.ToUpper(o.Currency), period)
	p, err := o.params(m.Params)
	if err != nil {
		return nil, err
	}
	for _, name := range m.Unknown {
		if !o.given.Changed(name) {
			return nil, &ui.Error{Code: ui.NothingAudited, Msg: fmt.Sprintf("--%s: not measurable in these data (%s), expected a value", name, whyUnknown(name)),
				Hint: "give it: --" + name + " " + map[string]string{cost.NameStarted: "80%", cost.NameUnitCost: "0.012"}[name]}
		}
	}
	remedies, err := o.remedies(p, m.Remedies)
	if err != nil {
		return nil, err
	}
	r, err := report.Project(p, m.Currency, o.Days, remedies)
	if err != nil {
		return nil, err
	}
	r.Measured, r.Warnings = m.Measured, append(r.Warnings, m.Warnings...)
	r.Uncertain = o.uncertain(m.Uncertain)
	return r, checks
}

func whyUnknown(name string) string {
	if name == cost.NameStarted {
		return "no settled timeout that a bill would show"
	}
	return "no settled answer with a price in this currency"
}

// uncertain leaves out what a flag replaced: that is taken to be certain.
func (o *ProjectOptions) uncertain(all []cost.Uncertain) (out []cost.Uncertain) {
	for _, u := range all {
		if !o.given.Changed(u.Param) {
			out = append(out, u)
		}
	}
	return out
}

// read audits the files, or opens what an audit kept.
func (o *ProjectOptions) read(ctx context.Context, e env, args []string) (*report.CostData, report.Period, error) {
	var none report.Period
	if o.DB != "" {
		return o.readKept(ctx, args)
	}
	files, opts, err := o.prepare(e, args)
	if err != nil {
		return nil, none, err
	}
	defer closeInputs(files)
	opts.Period = o.Period
	if _, _, err := pipeline.ParsePeriod(o.Period, opts.ReportZone()); err != nil {
		return nil, none, &ui.Error{Code: ui.Usage, Msg: err.Error(), Hint: "leave --period out to measure in all that the files hold"}
	}
	progress := progressOf(e.err)
	defer progress.Done()
	opts.Progress = progress.step
	s, err := store.Open(ctx, store.Options{Threads: o.Threads})
	if err != nil {
		return nil, none, err
	}
	defer s.Close()
	a, err := pipeline.Run(ctx, s, files, opts)
	if err != nil {
		return nil, none, err
	}
	d, period, err := a.Cost(ctx)
	if err != nil {
		return nil, none, err
	}
	return d, period, a.Check(ctx)
}

func (o *ProjectOptions) readKept(ctx context.Context, args []string) (*report.CostData, report.Period, error) {
	if len(args)+len(o.Attempts)+len(o.Charges) > 0 {
		return nil, report.Period{}, &ui.Error{Code: ui.Usage, Msg: "found FILES and --db, expected one of them",
			Hint: "a kept database holds its files already"}
	}
	for _, f := range []string{"provider", "model", "api-key"} {
		if o.given.Changed(f) {
			return nil, report.Period{}, &ui.Error{Code: ui.Usage, Msg: "--" + f + ": found --db beside it, expected FILES: a kept audit has its scope already",
				Hint: "retrytax audit FILES… --" + f + " … --db FILE keeps a narrower one"}
		}
	}
	k, err := pipeline.OpenKept(ctx, store.Options{Path: o.DB, Threads: o.Threads}, o.Zone)
	if err != nil {
		return nil, report.Period{}, err
	}
	defer k.Close()
	return k.Cost(ctx, o.Period)
}
