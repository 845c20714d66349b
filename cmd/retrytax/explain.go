package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/internal/ui"
)

// ExplainOptions are the flags of retrytax explain.
type ExplainOptions struct {
	inputOptions
	DB        string
	JSON, All bool
	Call      int
	langOption
}

// toldCalls is how many calls of a reused id are told unless all are asked for.
const toldCalls = 10

func newExplainCommand(e env) *cobra.Command {
	var o ExplainOptions
	cmd := &cobra.Command{
		Use:   "explain ID [FILES… | --db FILE]",
		Short: "Show one call on a time line, and why each of its charges is what it is",
		Long: "ID is a request id, a charge id or a receipt, or the beginning of one. Its calls are drawn to\n" +
			"scale, attempts and charges on one time line, with each charge's verdict, the rule that gave it\n" +
			"and what would have changed it. FILES are read as audit reads them; --db opens a database that\n" +
			"audit --db kept. Nothing is written.\n\n" + ui.ExitHelp,
		Example: "  retrytax explain 9f2c7a1b4d6e8f03 app.log charges.csv\n  retrytax explain ch-77 --db october.duckdb --json",
		Args:    needsID,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runExplain(cmd.Context(), e, o, args[0], args[1:])
		},
	}
	f := cmd.Flags()
	o.addReadFlags(f)
	f.StringVar(&o.DB, "db", "", "read a database that retrytax audit --db kept, instead of files")
	f.IntVar(&o.Call, "call", 0, "of an id that stands for several calls, tell only this one")
	f.BoolVar(&o.All, "all", false, "of an id that stands for many calls, tell all")
	f.BoolVar(&o.JSON, "json", false, "print the result as JSON (retrytax.explain/v1)")
	o.langOption.addFlag(f, "language of the summary: en or zh")
	return cmd
}

func needsID(_ *cobra.Command, args []string) error {
	if len(args) > 0 && args[0] != "" {
		return nil
	}
	return &ui.Error{Code: ui.Usage, Msg: "found no id, expected a request id, a charge id or a receipt",
		Hint: "retrytax explain 9f2c7a1b4d6e8f03 app.log charges.csv"}
}

func runExplain(ctx context.Context, e env, o ExplainOptions, id string, args []string) error {
	if o.Call < 0 {
		return &ui.Error{Code: ui.Usage, Msg: "--call: found a negative number, expected 1 or more", Hint: "leave it out to see the calls and their numbers"}
	}
	if err := o.langOption.parse(); err != nil {
		return err
	}
	want := pipeline.ExplainOptions{Call: o.Call, Limit: toldCalls, Prefix: true}
	if !o.JSON { // what machines read is in English
		want.Lang = o.lang
	}
	if o.All {
		want.Limit = 0
	}
	x, err := o.read(ctx, e, id, args, want)
	if x == nil {
		return explainFailure(err)
	}
	if perr := printExplanation(e, o, x); perr != nil {
		return perr
	}
	return err
}

// read explains over the database or over the files. Where the checks fail, both the
// explanation and the error are returned.
func (o *ExplainOptions) read(ctx context.Context, e env, id string, args []string, want pipeline.ExplainOptions) (*report.Explanation, error) {
	if o.DB != "" {
		return o.fromDatabase(ctx, id, args, want)
	}
	files, opts, err := o.prepare(e, args)
	if err != nil {
		return nil, err
	}
	defer closeInputs(files)
	progress := progressOf(e.err)
	defer progress.Done()
	opts.Progress = progress.step
	s, err := store.Open(ctx, store.Options{Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	a, err := pipeline.Run(ctx, s, files, opts)
	if err != nil {
		return nil, err
	}
	x, err := a.Explain(ctx, id, want)
	if err != nil {
		return nil, err
	}
	return x, a.Check(ctx)
}

func (o *ExplainOptions) fromDatabase(ctx context.Context, id string, args []string, want pipeline.ExplainOptions) (*report.Explanation, error) {
	if len(args)+len(o.Attempts)+len(o.Charges) > 0 {
		return nil, &ui.Error{Code: ui.Usage, Msg: "found FILES and --db, expected one of them",
			Hint: "a kept database holds its files already"}
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	k, err := pipeline.OpenKept(ctx, store.Options{Path: o.DB, Threads: o.Threads}, o.Zone)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	return k.Explain(ctx, id, want)
}

// explainFailure gives errors of the look-up their exit codes and hints.
func explainFailure(err error) error {
	var call *pipeline.NoSuchCallError
	if errors.As(err, &call) {
		return &ui.Error{Code: ui.Usage, Msg: err.Error(), Hint: "leave out --call to see the calls and their numbers"}
	}
	return err
}

func printExplanation(e env, o ExplainOptions, x *report.Explanation) error {
	if !o.JSON {
		return ui.WriteExplanation(e.out, x, terminalIn(e.out, o.lang))
	}
	b, err := x.JSON()
	if err == nil {
		_, err = e.out.Write(b)
	}
	return err
}
