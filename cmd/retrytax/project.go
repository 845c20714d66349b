package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrytax/internal/cost"
	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// ProjectOptions are the flags of retrytax project.
type ProjectOptions struct {
	inputOptions
	Requests, TimeoutRate, RepeatTimeoutRate string
	Started, UnitCost, TimedOutCost, Partial string
	Layers                                   string
	Days                                     int
	remedyOptions

	Sweeps   []string
	CSV      bool
	Tornado  bool
	Swing    string
	Simulate int
	Seed     uint64

	DB, Period, Out, Images string
	JSON                    bool
	given                   *pflag.FlagSet
	langOption
}

func newProjectCommand(e env) *cobra.Command {
	var o ProjectOptions
	cmd := &cobra.Command{
		Use:   "project [FILES… | --db FILE]",
		Short: "Say what retries will cost, and what each remedy would save",
		Long: "The cost model. From flags alone it answers \"what if\" before there is any data; over FILES, read as\n" +
			"audit reads them, or --db, a database that audit --db kept, it measures its parameters, and flags\n" +
			"replace what was measured. Rates are 5% or 0.05.\n\n" +
			"  extra = N × p × f × u: N calls a day, p the share that times out, f the share of these that the\n" +
			"  server had started, u what a call costs; layers of retries multiply, and timeouts repeat.\n\n" + ui.ExitHelp,
		Example: "  retrytax project --requests 10000 --timeout-rate 5% --started 80% --unit-cost 1\n" +
			"  retrytax project … --sweep timeout-rate=1%..20%:1% --sweep started=50%..100%:10% --out what-if\n" +
			"  retrytax project app.log charges.csv --simulate 10000",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.given = cmd.Flags()
			return runProject(cmd.Context(), e, o, args)
		},
	}
	f := cmd.Flags()
	o.addModelFlags(f)
	o.remedyOptions.addFlags(f)
	f.StringArrayVar(&o.Sweeps, "sweep", nil, "vary a parameter: timeout-rate=1%..20%:1%; twice for a grid")
	f.BoolVar(&o.CSV, "csv", false, "print the grid of --sweep as CSV instead of the summary")
	f.BoolVar(&o.Tornado, "tornado", false, "show which parameter matters most")
	f.StringVar(&o.Swing, "swing", "20%", "how far --tornado moves what was not measured")
	f.IntVar(&o.Simulate, "simulate", 0, "draw so many months from the measured uncertainty (needs FILES or --db)")
	f.Uint64Var(&o.Seed, "seed", 1, "of --simulate; the same seed gives the same numbers")
	f.StringVar(&o.DB, "db", "", "measure in a database that retrytax audit --db kept, instead of files")
	f.StringVar(&o.Period, "period", "", "measure a month (2026-10), a day, a year or from..to, the end excluded")
	f.StringVar(&o.Out, "out", "", "write project.json, project.xlsx and, where asked for, tables and pictures to this folder")
	f.StringVar(&o.Images, "images", "svg", "what pictures are written as: svg or png")
	f.BoolVar(&o.JSON, "json", false, "print the result as JSON (retrytax.project/v1)")
	o.langOption.addFlag(f, "language of workbook and summary: en or zh")
	o.inputOptions.addFlags(f)
	return cmd
}

func (o *ProjectOptions) addModelFlags(f *pflag.FlagSet) {
	f.StringVar(&o.Requests, cost.NameRequests, "", "calls a day, N")
	f.StringVar(&o.TimeoutRate, cost.NameTimeout, "", "share of calls whose first execution times out, p")
	f.StringVar(&o.RepeatTimeoutRate, cost.NameRepeat, "0", "the same of the second and later ones, if those before timed out; a list is by number")
	f.StringVar(&o.Started, cost.NameStarted, "", "share of timed-out executions that the server had started, f")
	f.StringVar(&o.UnitCost, cost.NameUnitCost, "", "mean cost of a call, u")
	f.StringVar(&o.TimedOutCost, cost.NameTimedOut, "", "mean cost of the calls that time out, the long ones (default --unit-cost)")
	f.StringVar(&o.Partial, cost.NamePartial, "1", "which part of that, in money, an abandoned execution is billed, g")
	f.StringVar(&o.Layers, cost.NameLayers, "app=1", "retries of each layer: sdk=2,app=1")
	f.IntVar(&o.Days, cost.NameDays, 30, "days of the month that is projected")
}

func runProject(ctx context.Context, e env, o ProjectOptions, args []string) error {
	if err := o.langOption.parse(); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return projectFailure(err)
	}
	axes, err := o.axes()
	if err != nil {
		return projectFailure(err)
	}
	if o.Out != "" {
		if err := pipeline.CheckFolder(o.Out); err != nil {
			return err
		}
	}
	r, err := o.project(ctx, e, args)
	if r == nil {
		return projectFailure(err)
	}
	checks := err
	if err := o.more(r, axes); err != nil {
		return projectFailure(err)
	}
	if checks != nil { // shown, but nothing is written
		if err := o.print(e, r, nil); err != nil {
			return err
		}
		return checks
	}
	var written []string
	if o.Out != "" {
		if written, err = o.write(ctx, e, r); err != nil {
			return err
		}
	}
	return unprinted(o.print(e, r, written), written)
}

// check refuses what is wrong before anything is read.
func (o *ProjectOptions) check() error {
	if o.Days < 1 || o.Days > 366 {
		return &cost.DomainError{Param: cost.NameDays, Found: fmt.Sprint(o.Days), Expected: "1 to 366"}
	}
	if o.Images != "svg" && o.Images != "png" {
		return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--images: found %q, expected svg or png", o.Images), Hint: "--images png"}
	}
	if o.Simulate < 0 || o.Simulate > 1_000_000 {
		return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--simulate: found %d, expected 1 to 1000000", o.Simulate), Hint: "--simulate 10000"}
	}
	if o.CSV && (o.JSON || len(o.Sweeps) == 0) {
		return &ui.Error{Code: ui.Usage, Msg: "--csv: found no --sweep, or --json beside it, expected a grid to print",
			Hint: "--sweep timeout-rate=1%..20%:1% --csv"}
	}
	return o.validate()
}

// measures tells whether there are data to measure in.
func (o *ProjectOptions) measures(args []string) bool {
	return o.DB != "" || len(args)+len(o.Attempts)+len(o.Charges) > 0
}

func (o *ProjectOptions) project(ctx context.Context, e env, args []string) (*report.Projection, error) {
	if o.measures(args) {
		return o.fromData(ctx, e, args)
	}
	for _, f := range []string{"simulate", "period", "provider", "model", "api-key"} {
		if o.given.Changed(f) {
			return nil, &ui.Error{Code: ui.Usage, Msg: "--" + f + ": found no data, expected FILES or --db to measure in",
				Hint: "retrytax project app.log charges.csv --" + f + " …"}
		}
	}
	p, err := o.params(cost.Params{Kept: decimalOne})
	if err != nil {
		return nil, err
	}
	remedies, err := o.remedies(p, nil)
	if err != nil {
		return nil, err
	}
	currency := strings.ToUpper(o.Currency)
	if currency == "" {
		currency = "XXX"
	}
	return report.Project(p, currency, o.Days, remedies)
}

// params lays the flags over what is known already. What neither tells is asked for.
func (o *ProjectOptions) params(p cost.Params) (cost.Params, error) {
	measured := len(p.Timeout) > 0
	set := func(name string) bool { return o.given.Changed(name) || !measured }
	var err error
	keep := func(e error) {
		if err == nil {
			err = e
		}
	}
	if !measured {
		keep(o.missing())
	}
	if set(cost.NameRequests) && err == nil {
		p.Requests, err = cost.ParseAmount(cost.NameRequests, o.Requests)
	}
	if set(cost.NameTimeout) && err == nil {
		first, ferr := cost.ParseShare(cost.NameTimeout, o.TimeoutRate)
		keep(ferr)
		if measured {
			p.Timeout[0] = first
		} else {
			p.Timeout = append(p.Timeout, first)
		}
	}
	if set(cost.NameRepeat) && err == nil {
		later, lerr := cost.ParseShares(cost.NameRepeat, o.RepeatTimeoutRate)
		keep(lerr)
		p.Timeout = append(p.Timeout[:1:1], later...)
	}
	if set(cost.NameStarted) && err == nil {
		p.Started, err = cost.ParseShare(cost.NameStarted, o.Started)
	}
	if set(cost.NameUnitCost) && err == nil {
		p.UnitCost, err = cost.ParseAmount(cost.NameUnitCost, o.UnitCost)
	}
	if o.given.Changed(cost.NameTimedOut) && err == nil {
		p.TimedOutCost.Valid = true
		p.TimedOutCost.Decimal, err = cost.ParseAmount(cost.NameTimedOut, o.TimedOutCost)
	}
	if set(cost.NamePartial) && err == nil {
		p.Partial, err = cost.ParseFraction(cost.NamePartial, o.Partial)
	}
	if set(cost.NameLayers) && err == nil {
		p.Layers, err = cost.ParseLayers(o.Layers)
	}
	return p, err
}

// missing names the first parameter that has no default and was not given.
func (o *ProjectOptions) missing() error {
	for _, name := range []string{cost.NameRequests, cost.NameTimeout, cost.NameStarted, cost.NameUnitCost} {
		if !o.given.Changed(name) {
			return &ui.Error{Code: ui.Usage, Msg: "found no --" + name + " and no files, expected parameters or data to measure them in",
				Hint: "retrytax project --requests 10000 --timeout-rate 5% --started 80% --unit-cost 1, or retrytax project app.log charges.csv"}
		}
	}
	return nil
}

// projectFailure gives errors of the model the exit code of wrong usage.
func projectFailure(err error) error {
	var domain *cost.DomainError
	if errors.As(err, &domain) {
		return &ui.Error{Code: ui.Usage, Msg: ui.Clean(domain.Error()), Hint: ui.Clean(domain.Hint())}
	}
	return explainFailure(err)
}

func (o *ProjectOptions) print(e env, r *report.Projection, written []string) error {
	switch {
	case o.CSV:
		return report.WriteSweepCSV(e.out, r)
	case o.JSON:
		b, err := r.JSON()
		if err == nil {
			_, err = e.out.Write(b)
		}
		return err
	}
	return ui.WriteProjection(e.out, r, written, terminalIn(e.out, o.lang))
}
