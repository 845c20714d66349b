package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"retrytax/internal/config"
	"retrytax/internal/demo"
	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/internal/ui"
)

// DemoOptions are the flags of retrytax demo.
type DemoOptions struct {
	demo.Options
	MonthText, MemoryLimit string
	Threads                int
	JSON                   bool
}

func newDemoCommand(e env) *cobra.Command {
	var o DemoOptions
	cmd := &cobra.Command{
		Use:   "demo DIR",
		Short: "Make a labelled month of a made-up company, audit it, and score the audit",
		Long: "Simulates a month: services that retry, vendors that bill. Writes their logs and bills to DIR, in\n" +
			"formats of their own, with the truth in labels.csv; audits them as retrytax audit does, and says how\n" +
			"much of it was right. DIR must be new or empty. The same flags give the same bytes.\n\n" + ui.ExitHelp,
		Example: "  retrytax demo month\n  retrytax demo month --requests 1000000 --files-only",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return runDemo(cmd.Context(), e, o, args[0]) },
	}
	f := cmd.Flags()
	f.Uint64Var(&o.Seed, "seed", 1, "another seed is another month")
	f.IntVar(&o.Requests, "requests", 20_000, "how many requests the month has, about")
	f.StringVar(&o.MonthText, "month", "2026-10", "which month it is")
	f.BoolVar(&o.Plain, "plain", false, "one pair of files in the canonical columns, attempts.jsonl and charges.csv")
	f.BoolVar(&o.FilesOnly, "files-only", false, "write the files and the truth, audit nothing")
	f.BoolVar(&o.JSON, "json", false, "print the scores as JSON (retrytax.demo/v1) instead of the summary")
	f.BoolVar(&o.NoWorkbook, "no-workbook", false, "write no report.xlsx")
	addThreads(f, &o.Threads)
	addMemoryLimit(f, &o.MemoryLimit)
	return cmd
}

func runDemo(ctx context.Context, e env, o DemoOptions, dir string) error {
	if err := o.validate(); err != nil {
		return err
	}
	progress := progressOf(e.err)
	defer progress.Done()
	progress.step("simulating", 0)
	r, err := demo.Make(ctx, dir, o.Options, func(in demo.Inputs) (*report.Audit, error) { return auditDemo(ctx, o, in, progress) })
	progress.Done()
	if err != nil {
		return err
	}
	if !o.JSON {
		return r.WriteText(e.out)
	}
	b, err := r.JSON()
	if err == nil {
		_, err = e.out.Write(b)
	}
	return err
}

func (o *DemoOptions) validate() (err error) {
	if o.Month, err = time.Parse("2006-01", o.MonthText); err != nil || o.Month.Year() < 2015 || o.Month.Year() > 2100 {
		return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--month: found %q, expected a month such as 2026-10", o.MonthText),
			Hint: "leave out --month for October 2026"}
	}
	if o.Requests < 1 || o.Requests > 100_000_000 {
		return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--requests: found %d, expected 1 to 100000000", o.Requests),
			Hint: "leave out --requests for a month that takes a few seconds"}
	}
	if o.Threads < 0 {
		return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--threads: found %d, expected 1 or more", o.Threads), Hint: "leave it out to use all"}
	}
	return checkMemoryLimit(o.MemoryLimit)
}

// auditDemo is retrytax audit over the files of a demo, which have not their final names yet.
func auditDemo(ctx context.Context, o DemoOptions, in demo.Inputs, progress *progressBar) (*report.Audit, error) {
	cfg, err := config.Load(in.Config)
	if err != nil {
		return nil, err
	}
	var files []pipeline.File
	for _, f := range in.Files {
		input, err := source.NewInput(f.Path, nil)
		if err != nil {
			return nil, err
		}
		input.Name = f.Name
		files = append(files, pipeline.File{Input: input})
	}
	defer closeInputs(files)
	s, err := store.Open(ctx, store.Options{Threads: o.Threads, MemoryLimit: o.MemoryLimit})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	a, err := pipeline.Run(ctx, s, files, pipeline.Options{Config: cfg, Now: in.Now, Threads: o.Threads, Progress: progress.step})
	if err != nil {
		return nil, err
	}
	r, err := a.Report(ctx)
	if err != nil {
		return nil, err
	}
	_, err = a.Publish(ctx, r, in.Out, pipeline.PublishOptions{NoWorkbook: o.NoWorkbook, Version: version()})
	return r, err
}
