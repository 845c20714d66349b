package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/internal/ui"
)

// PruneOptions are the flags of retrytax prune.
type PruneOptions struct {
	DB, Config, Zone, Before, MemoryLimit string
	Threads                               int
	JSON                                  bool
}

func newPruneCommand(e env) *cobra.Command {
	var o PruneOptions
	cmd := &cobra.Command{
		Use:   "prune --before DATE",
		Short: "Take old rows out of a database; the reports and findings of their months stay",
		Long: "Takes the rows of calls before DATE, the first of a month, out of a database. Of every month\n" +
			"before it the report is made and kept first, with its findings. What is not settled, or not\n" +
			"reconciled, is not taken out. What is left is reconciled at the end.\n\n" + ui.ExitHelp,
		Example: "  retrytax prune --before 2026-01-01",
		Args:    takesNoFiles,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runPrune(cmd.Context(), e, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.DB, "db", databaseName, "the database")
	f.StringVar(&o.Before, "before", "", "the first day that stays: the first of a month, such as 2026-01-01")
	f.StringVar(&o.Config, "config", "", "the retrytax.yaml with which the database is reconciled")
	f.StringVar(&o.Zone, "zone", "", "the zone of months (default the configuration's, else UTC)")
	addThreads(f, &o.Threads)
	addMemoryLimit(f, &o.MemoryLimit)
	f.BoolVar(&o.JSON, "json", false, "print the result as JSON (retrytax.prune/v1)")
	return cmd
}

func runPrune(ctx context.Context, e env, o PruneOptions) error {
	check := inputOptions{Zone: o.Zone, Threads: o.Threads}
	if err := errors.Join(check.validate(), checkMemoryLimit(o.MemoryLimit)); err != nil {
		return err
	}
	if o.Before == "" {
		return pruneFailure(&pipeline.PeriodError{}, o.Before)
	}
	cfg, err := loadConfig(o.Config)
	if err != nil {
		return err
	}
	now, err := e.now()
	if err != nil {
		return err
	}
	progress := progressOf(e.err)
	defer progress.Done()
	opts := pipeline.Options{Config: cfg, ConfigFile: o.Config, Now: now, Clock: e.now, Version: version(), Zone: o.Zone, Threads: o.Threads, Progress: progress.step}
	l, err := pipeline.OpenLiving(ctx, pipeline.LivingOptions{Options: store.Options{Path: o.DB, Threads: o.Threads, MemoryLimit: o.MemoryLimit},
		Command: "prune", Now: now, Wait: lookWait})
	if err != nil {
		return err
	}
	r, err := pipeline.Prune(ctx, l, o.Before, opts, o.Config != "")
	pruned := err == nil
	if pruned {
		err = pipeline.SettlePruned(ctx, l, opts, o.Config != "", r)
	}
	if cerr := l.Close(); err == nil {
		err = cerr
	}
	progress.Done()
	if !pruned {
		return pruneFailure(err, o.Before)
	}
	// The rows are gone: what was done is told, whatever became of the rest.
	if perr := o.print(e.out, r); err == nil {
		err = perr
	} else if ctx.Err() != nil {
		err = &ui.Error{Code: ui.Failed, Msg: "interrupted after the rows were taken out", Hint: "retrytax reconcile --db " + ui.Clean(o.DB) + ui.ConfigFlag(r.ConfigFile) + " does the rest"}
	}
	return err
}

func (o *PruneOptions) print(w io.Writer, r *report.Pruned) error {
	if !o.JSON {
		return ui.WritePruned(w, r, terminal(w))
	}
	b, err := r.JSON()
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// pruneFailure says of a day that is none what was expected.
func pruneFailure(err error, day string) error {
	if errors.As(err, new(*pipeline.PeriodError)) {
		return &ui.Error{Code: ui.Usage, Msg: "--before: found \"" + ui.Clean(day) + "\", expected the first day of a month such as 2026-01-01",
			Hint: "whole months go, since their reports are kept"}
	}
	return err
}
