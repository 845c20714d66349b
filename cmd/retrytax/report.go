package main

import (
	"context"

	"github.com/spf13/cobra"

	"retrytax/internal/pipeline"
	"retrytax/internal/ui"
)

// ReportOptions are the flags of retrytax report.
type ReportOptions struct {
	databaseOptions
	Period, Zone, Out, FailOver string
	Provider, Model, APIKey     string
	NoWorkbook, Parquet         bool
	output                      outputOptions
}

func newReportCommand(e env) *cobra.Command {
	var o ReportOptions
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Report on a period of a database",
		Long: "Reports on what retrytax reconcile has judged: a charge belongs to the period of its time in the\n" +
			"report's zone. Younger charges than the provider's lateness (48 h unless retrytax.yaml says\n" +
			"otherwise) are unsettled. The database is not changed.\n\n" + ui.ExitHelp,
		Example: "  retrytax report --period 2026-10 --out october\n  retrytax report --period 2026-10-03 --zone Asia/Shanghai --json",
		Args:    takesNoFiles,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runReport(cmd.Context(), e, o) },
	}
	f := cmd.Flags()
	o.addFlags(f)
	f.StringVar(&o.Period, "period", "", "report on a month (2026-10), a day, a year or from..to, the end excluded")
	f.StringVar(&o.Zone, "zone", "", "the report's zone (default UTC)")
	f.StringVar(&o.Out, "out", "", "write audit.json, verdicts.csv, rejects.csv, report.xlsx, report.html and letters to vendors to this folder")
	o.output.addFlags(f)
	f.StringVar(&o.FailOver, "fail-over", "", "exit with 3 if the excess is above an amount (12.50) or a share of the bill (2%)")
	f.StringVar(&o.Provider, "provider", "", "report on this provider only")
	f.StringVar(&o.Model, "model", "", "report on this model only")
	f.StringVar(&o.APIKey, "api-key", "", "report on this key only (its name, as the bill shows it)")
	f.BoolVar(&o.NoWorkbook, "no-workbook", false, "write no report.xlsx")
	f.BoolVar(&o.Parquet, "parquet", false, "write attempts.parquet, charges.parquet and verdicts.parquet to the folder of --out as well")
	return cmd
}

func runReport(ctx context.Context, e env, o ReportOptions) error {
	limit, err := parseLimit(o.FailOver)
	if err != nil {
		return err
	}
	if err := o.output.validate(o.Out); err != nil {
		return err
	}
	opts, err := o.prepare(e)
	if err != nil {
		return err
	}
	if o.Parquet && o.Out == "" {
		return &ui.Error{Code: ui.Usage, Msg: "--parquet: found no --out, expected the folder to write to", Hint: "--parquet --out report"}
	}
	in := inputOptions{Zone: o.Zone}
	if err := in.validate(); err != nil {
		return err
	}
	opts.Zone, opts.Period = o.Zone, o.Period
	opts.Scope = pipeline.Scope{Provider: o.Provider, Model: o.Model, APIKey: o.APIKey}
	if _, _, err := pipeline.ParsePeriod(o.Period, opts.ReportZone()); err != nil {
		return &ui.Error{Code: ui.Usage, Msg: err.Error(), Hint: "leave --period out to report on all that the database holds"}
	}
	if o.Out != "" {
		if err := pipeline.CheckFolder(o.Out); err != nil {
			return err
		}
	}
	if text, err := pipeline.KeptReport(ctx, o.store(), opts); err != nil || text != nil {
		return finishKept(ctx, e, o, text, limit, opts, err)
	}
	progress := progressOf(e.err)
	opts.Progress, opts.CheckClaims = progress.step, true
	defer progress.Done()
	a, err := pipeline.ReportOver(ctx, o.store(), opts, o.Config != "")
	if err != nil {
		return err
	}
	defer a.Store.Close()
	return finish(ctx, e, AuditOptions{Out: o.Out, JSON: o.JSON, NoWorkbook: o.NoWorkbook, Parquet: o.Parquet, output: o.output, Over: o.DB}, a, limit, progress)
}
