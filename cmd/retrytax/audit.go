package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"retrytax/internal/config"
	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/internal/ui"
	"retrytax/internal/words"
)

// AuditOptions are the flags of retrytax audit.
type AuditOptions struct {
	inputOptions
	Period, Out, DB, FailOver string
	JSON, NoWorkbook, Parquet bool
	MemoryLimit               string
	output                    outputOptions
	Over                      string // no flag: the database of a report, for the suggestion at its end
}

func newAuditCommand(e env) *cobra.Command {
	var o AuditOptions
	cmd := &cobra.Command{
		Use:   "audit FILES…",
		Short: "Reconcile logs and bills in one shot, and report",
		Long: "Recognises each file by its content, gives every charge its verdict, proves the books and\n" +
			"reports. FILES are paths, globs or - for standard input; .gz and .zst are read as they are.\n\n" + ui.ExitHelp,
		Example: "  retrytax audit app.log charges.csv --out report\n  retrytax audit logs/*.jsonl bill.csv --period 2026-10 --zone Asia/Shanghai",
		RunE:    func(cmd *cobra.Command, args []string) error { return runAudit(cmd.Context(), e, o, args) },
	}
	f := cmd.Flags()
	o.addFlags(f)
	f.StringVar(&o.Period, "period", "", "report on a month (2026-10), a day, a year or from..to, the end excluded")
	f.StringVar(&o.Out, "out", "", "write audit.json, verdicts.csv, rejects.csv, report.xlsx, report.html and letters to vendors to this folder")
	f.StringVar(&o.DB, "db", "", "keep the DuckDB database of this audit in a new file")
	o.output.addFlags(f)
	f.StringVar(&o.FailOver, "fail-over", "", "exit with 3 if the excess is above an amount (12.50) or a share of the bill (2%)")
	f.BoolVar(&o.JSON, "json", false, "print audit.json on standard output instead of the summary")
	f.BoolVar(&o.NoWorkbook, "no-workbook", false, "write no report.xlsx")
	f.BoolVar(&o.Parquet, "parquet", false, "write attempts.parquet, charges.parquet and verdicts.parquet to the folder of --out as well")
	addMemoryLimit(f, &o.MemoryLimit)
	return cmd
}

func runAudit(ctx context.Context, e env, o AuditOptions, args []string) (err error) {
	limit, err := parseLimit(o.FailOver)
	if err != nil {
		return err
	}
	if err := o.output.validate(o.Out); err != nil {
		return err
	}
	if err := checkMemoryLimit(o.MemoryLimit); err != nil {
		return err
	}
	if o.Parquet && o.Out == "" {
		return &ui.Error{Code: ui.Usage, Msg: "--parquet: found no --out, expected the folder to write to", Hint: "--parquet --out report"}
	}
	files, opts, err := o.prepare(e, args)
	if err != nil {
		return err
	}
	defer closeInputs(files)
	opts.Period = o.Period
	if _, _, err := pipeline.ParsePeriod(o.Period, opts.ReportZone()); err != nil {
		return &ui.Error{Code: ui.Usage, Msg: err.Error(), Hint: "leave --period out to report on all that the bill holds"}
	}
	if o.Out != "" {
		if err := pipeline.CheckFolder(o.Out); err != nil {
			return err
		}
	}
	progress := progressOf(e.err)
	opts.Progress = progress.step
	s, remove, err := openStore(ctx, o)
	if err != nil {
		return err
	}
	defer func() {
		progress.Done()
		_ = s.Close()
		if err != nil && exitCode(err) != ui.Found {
			remove()
		}
	}()
	a, err := pipeline.Run(ctx, s, files, opts)
	if err != nil {
		return err
	}
	return finish(ctx, e, o, a, limit, progress)
}

// finish proves, publishes and prints.
func finish(ctx context.Context, e env, o AuditOptions, a *pipeline.Audit, limit *failLimit, progress *progressBar) error {
	r, err := a.Report(ctx)
	if err != nil {
		return err
	}
	if len(o.output.StatesFiles) > 0 {
		wb, err := report.ReadDisputes(ctx, a.Store, r, a.Location(), o.output.states)
		if err != nil {
			return err
		}
		r.Disputes = wb.Claims()
	}
	if o.DB != "" {
		if err := a.Store.Checkpoint(ctx); err != nil {
			return err
		}
	}
	var written []string
	if o.Out != "" {
		if written, err = a.Publish(ctx, r, o.Out, o.output.publishOptions(o.NoWorkbook, o.Parquet)); err != nil {
			return err
		}
	}
	progress.Done()
	// What is published is done: an interrupt that comes now must not call it a failure.
	if err := show(context.WithoutCancel(ctx), e.out, o, a, r, written); err != nil {
		return unprinted(err, written)
	}
	return limit.check(r, a.PaidBook())
}

// unprinted says that standard output took nothing, and what is there all the same.
func unprinted(err error, written []string) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err
	}
	hint := "--out DIR writes the report to files"
	if written != nil {
		hint = "the report was written all the same: " + strings.Join(written, ", ")
	}
	return &ui.Error{Code: ui.Failed, Msg: "standard output: found no way to write (" + p.Err.Error() + "), expected a file or a terminal", Hint: hint}
}

// show prints audit.json or the summary.
func show(ctx context.Context, out io.Writer, o AuditOptions, a *pipeline.Audit, r *report.Audit, written []string) error {
	if o.JSON {
		b, err := r.JSON()
		if err == nil {
			_, err = out.Write(b)
		}
		return err
	}
	rows, err := report.Dearest(ctx, a.Store, 5, a.Location())
	if err != nil {
		return err
	}
	x := ui.Extra{Written: written, Command: commandOf(o), PaidBook: a.PaidBook(), Next: nextStep(o), Kept: cmp.Or(o.DB, o.Over)}
	for _, d := range rows {
		x.See = true
		x.Dearest = append(x.Dearest, ui.DearCall{RequestID: d.RequestID, Model: d.Model, Attempts: d.Attempts, Charges: d.Charges,
			Excess: d.Excess, Currency: d.Currency, Verdicts: d.Verdicts, FirstAt: d.FirstAt})
	}
	return ui.WriteSummary(out, r, x, terminalIn(out, o.output.lang))
}

// commandOf is what made the report: the head of its summary says so.
func commandOf(o AuditOptions) string {
	if o.Over != "" {
		return "report"
	}
	return "audit"
}

// nextStep is the one line of advice at the end.
func nextStep(o AuditOptions) string {
	switch {
	case o.Out == "":
		return "--out DIR writes every charge's verdict and the workbook for finance"
	case o.NoWorkbook:
		return "verdicts.csv has every charge with its verdict and its line in the bill"
	}
	return "the sheet Evidence of report.xlsx has every charge that should not have been paid"
}

// terminalIn is terminal, speaking a language.
func terminalIn(out io.Writer, lang words.Lang) ui.Options {
	o := terminal(out)
	o.Lang = lang
	return o
}

// terminal tells width and colour of the output.
func terminal(out io.Writer) ui.Options {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return ui.Options{}
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		w = 0
	}
	_, plain := os.LookupEnv("NO_COLOR")
	return ui.Options{Width: w, Color: !plain}
}

// openStore opens the database; remove deletes a file that was made for a run that failed.
func openStore(ctx context.Context, o AuditOptions) (s *store.Store, remove func(), err error) {
	remove = func() {}
	if o.DB != "" {
		if st, err := os.Stat(o.DB); err == nil {
			found := "a file"
			if st.IsDir() {
				found = "a folder"
			}
			return nil, remove, &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--db %s: found %s, expected a new file", o.DB, found),
				Hint: "name a file that does not exist; an audit does not add to a database"}
		}
		remove = func() { _ = os.Remove(o.DB); _ = os.Remove(o.DB + ".wal") }
	}
	s, err = store.Open(ctx, store.Options{Path: o.DB, Threads: o.Threads, MemoryLimit: o.MemoryLimit})
	if err != nil {
		remove()
		if errors.As(err, new(*store.ResourceError)) {
			return nil, func() {}, err
		}
		return nil, remove, &ui.Error{Code: ui.Failed, Msg: "cannot open the database",
			Hint: "check --db, --memory-limit and the room for temporary files", Err: err}
	}
	return s, remove, nil
}

// loadConfig reads --config, or the defaults without one.
func loadConfig(path string) (*config.Config, error) {
	if path == "" {
		return config.Default(), nil
	}
	c, err := config.Load(path)
	if err != nil && os.IsNotExist(err) {
		return nil, &ui.Error{Code: ui.Failed, Msg: fmt.Sprintf("%s: found no such file, expected a configuration", path),
			Hint: "retrytax init writes one"}
	}
	if st, serr := os.Stat(path); err != nil && serr == nil && st.IsDir() {
		return nil, &ui.Error{Code: ui.Failed, Msg: fmt.Sprintf("%s: found a folder, expected a configuration", path), Hint: "--config " + filepath.Join(path, configName) + " names a file in it"}
	}
	return c, err
}
