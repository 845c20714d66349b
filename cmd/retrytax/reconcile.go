package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/internal/ui"
)

// databaseOptions are the flags of every command that works on a database and reads no files.
type databaseOptions struct {
	Config, DB, MemoryLimit string
	Threads                 int
	JSON                    bool
}

func (o *databaseOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.Config, "config", "", "a retrytax.yaml with provider profiles, model aliases and thresholds")
	f.StringVar(&o.DB, "db", databaseName, "the database")
	addMemoryLimit(f, &o.MemoryLimit)
	addThreads(f, &o.Threads)
	f.BoolVar(&o.JSON, "json", false, "print the result as JSON")
}

// takesNoFiles refuses arguments of a command that works on a database: they are files that were meant
// to be read, or a database without its flag.
func takesNoFiles(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("%s: found %q, expected no argument: it works on a database", cmd.Name(), ui.Clean(args[0])),
		Hint: "--db FILE names the database; retrytax ingest FILES… loads files into it, retrytax audit FILES… reads them without one"}
}

// prepare reads the configuration and the clock.
func (o *databaseOptions) prepare(e env) (opts pipeline.Options, err error) {
	if err := checkMachine(o.MemoryLimit, o.Threads); err != nil {
		return opts, err
	}
	cfg, err := loadConfig(o.Config)
	if err != nil {
		return opts, err
	}
	now, err := e.now()
	return pipeline.Options{Config: cfg, ConfigFile: o.Config, Now: now, Clock: e.now, Version: version(), Threads: o.Threads}, err
}

func (o *databaseOptions) store() store.Options {
	return store.Options{Path: o.DB, Threads: o.Threads, MemoryLimit: o.MemoryLimit}
}

func newReconcileCommand(e env) *cobra.Command {
	var o databaseOptions
	var all bool
	cmd := &cobra.Command{
		Use:   "reconcile",
		Short: "Match and judge what has come into a database since the last time",
		Long: "Gives every charge of the database its verdict, in one transaction. Only what changed, and\n" +
			"what hangs on it, is looked at; the result is that of a reconcile of everything. Late charges\n" +
			"and late lines of the log reopen the calls that they belong to.\n\n" + ui.ExitHelp,
		Example: "  retrytax reconcile\n  retrytax reconcile --db october.duckdb --config retrytax.yaml",
		Args:    takesNoFiles,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runReconcile(cmd.Context(), e, o, all) },
	}
	o.addFlags(cmd.Flags())
	cmd.Flags().BoolVar(&all, "all", false, "look at everything anew; the result is the same")
	return cmd
}

func runReconcile(ctx context.Context, e env, o databaseOptions, all bool) error {
	opts, err := o.prepare(e)
	if err != nil {
		return err
	}
	progress := progressOf(e.err)
	opts.Progress = progress.step
	defer progress.Done()
	l, err := pipeline.OpenLiving(ctx, pipeline.LivingOptions{Options: o.store(), Command: "reconcile", Now: opts.Now, Wait: lookWait})
	if err != nil {
		return err
	}
	r, err := pipeline.Reconcile(ctx, l, opts, all)
	if cerr := l.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	progress.Done()
	return printReconciled(e.out, o.JSON, r)
}

func printReconciled(out io.Writer, asJSON bool, r *report.Reconciled) error {
	if !asJSON {
		return ui.WriteReconciled(out, r)
	}
	b, err := r.JSON()
	if err == nil {
		_, err = out.Write(b)
	}
	return err
}
