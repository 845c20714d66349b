package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"retrytax/internal/config"
	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/internal/ui"
)

// StatusOptions are the flags of retrytax status.
type StatusOptions struct {
	DB, Zone, Config string
	JSON             bool
	langOption
}

func newStatusCommand(e env) *cobra.Command {
	var o StatusOptions
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what a database holds, what is missing and what is to be done",
		Long: "Shows what a database holds, from when to when, by provider and key; days without a log or\n" +
			"without a bill; what is settled; what waits for reconcile; the last runs and their inputs.\n" +
			"Nothing is written.\n\n" + ui.ExitHelp,
		Example: "  retrytax status\n  retrytax status --db october.duckdb --json",
		Args:    takesNoFiles,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runStatus(cmd.Context(), e.out, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.DB, "db", databaseName, "the database")
	f.StringVar(&o.Zone, "zone", "", "the zone of days (default that of the last report, else UTC)")
	f.StringVar(&o.Config, "config", "", "a retrytax.yaml, to see whether the verdicts were made with it")
	f.BoolVar(&o.JSON, "json", false, "print the result as JSON (retrytax.status/v1)")
	o.addFlag(f, "language of the summary: en or zh")
	return cmd
}

func runStatus(ctx context.Context, out io.Writer, o StatusOptions) error {
	if err := o.parse(); err != nil {
		return err
	}
	check := inputOptions{Zone: o.Zone}
	if err := check.validate(); err != nil {
		return err
	}
	var cfg *config.Config
	if o.Config != "" {
		var err error
		if cfg, err = loadConfig(o.Config); err != nil {
			return err
		}
	}
	x, err := pipeline.ReadStatus(ctx, store.Options{Path: o.DB}, o.Zone, cfg, o.Config)
	if err != nil {
		return err
	}
	return printStatus(out, o, x)
}

func printStatus(out io.Writer, o StatusOptions, x *report.Status) error {
	if !o.JSON {
		return ui.WriteStatus(out, x, terminalIn(out, o.lang))
	}
	b, err := x.JSON()
	if err == nil {
		_, err = out.Write(b)
	}
	return err
}
