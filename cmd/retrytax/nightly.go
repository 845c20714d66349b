package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"retrytax/internal/alert"
	"retrytax/internal/config"
	"retrytax/internal/nightly"
	"retrytax/internal/pipeline"
	"retrytax/internal/ui"
	"retrytax/internal/words"
)

// NightlyOptions are the flags of retrytax nightly.
type NightlyOptions struct {
	Config, MemoryLimit string
	Lang                string
	Threads             int
	DryRun              bool
}

func newNightlyCommand(e env) *cobra.Command {
	var o NightlyOptions
	cmd := &cobra.Command{
		Use:   "nightly",
		Short: "Load, judge, report and tell, for cron",
		Long: "Loads what the sources of a retrytax.yaml name, reconciles, reports on the last day and on every\n" +
			"month that has changed, and tells the channels of alerts what alerts.when asks for, at most\n" +
			"once a condition and night. Prints the result as one line of JSON (retrytax.nightly/v1). Killed\n" +
			"or run again, it goes on where it was.\n\n" + ui.ExitHelp,
		Example: "  retrytax nightly --config /srv/retrytax/retrytax.yaml\n  retrytax nightly --dry-run",
		Args:    nightlyTakesNoFiles,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runNightly(cmd.Context(), e, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.Config, "config", configName, "the retrytax.yaml with sources, nightly and alerts")
	addMemoryLimit(f, &o.MemoryLimit)
	f.StringVar(&o.Lang, "lang", "", "language of the reports: en or zh (default alerts.language)")
	addThreads(f, &o.Threads)
	f.BoolVar(&o.DryRun, "dry-run", false, "work on a copy of the database, publish and send nothing, print what would be sent")
	return cmd
}

// nightlyTakesNoFiles refuses arguments: a night's files are those of the configuration.
func nightlyTakesNoFiles(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("nightly: found %q, expected no argument: a night reads what the configuration's sources name", ui.Clean(args[0])),
		Hint: "--config FILE names the configuration; retrytax ingest FILES… loads files by hand"}
}

// prepare reads the configuration and the clock.
func (o *NightlyOptions) prepare(e env) (cfg *config.Config, lang words.Lang, now time.Time, err error) {
	if now, err = e.now(); err != nil {
		return nil, lang, time.Time{}, err
	}
	if err = checkMachine(o.MemoryLimit, o.Threads); err != nil {
		return nil, lang, now, err
	}
	if cfg, err = loadConfig(o.Config); err != nil {
		return nil, lang, now, err
	}
	if len(cfg.NightlySources()) == 0 {
		return nil, lang, now, &ui.Error{Code: ui.Failed, Msg: o.Config + ": found no source with files, expected what a night reads",
			Hint: `under sources: write - files: "logs/app-*.jsonl" for each pattern`}
	}
	lang, ok := words.Parse(cmp.Or(o.Lang, cfg.Alerts.Language.Value))
	if !ok {
		err = &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--lang: found %q, expected en or zh", o.Lang), Hint: "leave it out to have the reports in the language of the alerts"}
	}
	return cfg, lang, now, err
}

func runNightly(ctx context.Context, e env, o NightlyOptions) error {
	code := func(err error) int { return exitCode(explain(ctx, err)) }
	cfg, lang, now, err := o.prepare(e)
	if err != nil {
		if perr := printNight(e, nightly.NotBegun(now, o.DryRun, err, code)); perr != nil {
			return errors.Join(err, perr)
		}
		return err
	}
	progress := progressOf(e.err)
	defer progress.Done()
	r, err := nightly.Run(ctx, nightly.Options{Config: cfg, ConfigFile: o.Config, Now: now, Clock: e.now, Version: version(), Threads: o.Threads, MemoryLimit: o.MemoryLimit, Lang: lang, Wait: lookWait,
		DryRun: o.DryRun, Shown: e.out, Lookup: os.LookupEnv, Progress: progress.step,
		Open:   func(name string) ([]pipeline.File, error) { return openOne(e, cfg, name) },
		Sender: func() *alert.Sender { return senderOf(cfg) },
		Code:   code})
	progress.Done()
	if perr := printNight(e, r); err == nil {
		return perr
	}
	return &nightError{code: r.Exit, errs: explained(ctx, err)}
}

// printNight prints the line that a scheduler reads.
func printNight(e env, r *nightly.Result) error {
	line, err := r.Line()
	if err == nil {
		_, err = e.out.Write(line)
	}
	if err != nil {
		return unprinted(err, nil)
	}
	return nil
}

// nightError is all that went wrong in a night, and the code that its result names.
type nightError struct {
	code int
	errs []error
}

func (e *nightError) Error() string { return errors.Join(e.errs...).Error() }

// Unwrap lets each be printed with its hint.
func (e *nightError) Unwrap() []error { return e.errs }

// explained says in the user's words what each error means. What a night had done when it was interrupted stays.
func explained(ctx context.Context, err error) (out []error) {
	list := []error{err}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		list = many.Unwrap()
	}
	for _, one := range list {
		said := explain(ctx, one)
		if said == errInterrupted {
			said = &ui.Error{Code: ui.Failed, Msg: "interrupted; what was loaded and written until then stays", Hint: "the next retrytax nightly goes on from here"}
		}
		out = append(out, said)
	}
	return out
}

// openOne opens a file whose role and columns its content or the configuration tells, as the
// commands do that are given files; an archive or a workbook is several.
func openOne(e env, cfg *config.Config, name string) (files []pipeline.File, err error) {
	o := inputOptions{cfg: cfg}
	ins, err := o.openAll(e, name, "")
	for _, in := range ins {
		files = append(files, pipeline.File{Input: in})
	}
	return files, err
}

func senderOf(cfg *config.Config) *alert.Sender {
	return &alert.Sender{Clock: alert.WallClock{}, Timeout: cfg.Alerts.Timeout.Value, Attempts: int(cfg.Alerts.Attempts.Value)}
}
