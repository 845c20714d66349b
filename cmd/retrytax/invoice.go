package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/spf13/cobra"

	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/internal/ui"
)

// InvoiceOptions are the flags of retrytax invoice.
type InvoiceOptions struct {
	inputOptions
	Period, Out, DB, MemoryLimit string
	Total, Tolerance             string
	Rates, ReportCurrency        string
	RateDays                     int
	JSON, NoWorkbook             bool
	langOption
}

func newInvoiceCommand(e env) *cobra.Command {
	var o InvoiceOptions
	cmd := &cobra.Command{
		Use:   "invoice INVOICE [FILES…] --period 2026-10",
		Short: "Hold an invoice against the charges, and a bill of totals against the log",
		Long: "Ties the lines of an invoice to the charges by provider, model and day, down to the line that differs;\n" +
			"charges are those of a database (--db) or of billing exports among FILES. With a price list every charge is\n" +
			"priced again. A bill that tells only totals (by the day, key and model) is held against the log among FILES:\n" +
			"what the answers should have cost, hidden retries, and how many abandoned requests were billed.\n\n" +
			"INVOICE is read as totals by the day, key and model (retrytax formats retrytax-bills). With --total there may be none,\n" +
			"nor where --charges and --prices alone are to be held against each other.\n\n" + ui.ExitHelp,
		Example: "  retrytax invoice invoice.csv --db retrytax.duckdb --period 2026-10\n" +
			"  retrytax invoice charges.csv app.log --total 1234.56 --currency USD --period 2026-10\n" +
			"  retrytax invoice usage.csv app.log --prices prices.csv --period 2026-10",
		RunE: func(cmd *cobra.Command, args []string) error { return runInvoice(cmd.Context(), e, o, args) },
	}
	f := cmd.Flags()
	o.addFlags(f)
	f.StringVar(&o.Period, "period", "", "the month (2026-10), day or year of the invoice, or from..to, the end excluded")
	f.StringVar(&o.DB, "db", "", "the database that has the charges and the log")
	f.StringVar(&o.Out, "out", "", "write invoice.xlsx, invoice.json, invoice.csv, rejects.csv and, with a price list, prices.csv to this folder")
	f.StringVar(&o.Total, "total", "", "the sum of the invoice, in --currency; FILES may then hold no invoice")
	f.StringVar(&o.Tolerance, "tolerance", "", "accept differences within an amount (0.50) or focus: max(100 × 0.01, √N × 0.005)")
	f.StringVar(&o.Rates, "rates", "", "rates by the day (CSV: date, from, to, rate), for totals in one currency")
	f.StringVar(&o.ReportCurrency, "report-currency", "", "that currency, such as EUR")
	f.IntVar(&o.RateDays, "rate-days", 0, "let a day without a rate take the last one of so many days before; 0: it is unknown")
	addMemoryLimit(f, &o.MemoryLimit)
	f.BoolVar(&o.NoWorkbook, "no-workbook", false, "write no invoice.xlsx")
	f.BoolVar(&o.JSON, "json", false, "print the result as JSON (retrytax.invoice/v1)")
	o.langOption.addFlag(f, "language of workbook and summary: en or zh")
	return cmd
}

func runInvoice(ctx context.Context, e env, o InvoiceOptions, args []string) error {
	io, err := o.check()
	if err != nil {
		return err
	}
	// The first file is the invoice, whatever it looks like, unless its sum is named.
	if !io.Total.Valid && len(args) > 0 {
		o.Bills, args = append(o.Bills, args[0]), args[1:]
	}
	files, opts, err := o.read(e, args)
	if err != nil {
		return err
	}
	defer closeInputs(files)
	opts.Period = o.Period
	if _, _, err := pipeline.ParsePeriod(o.Period, opts.ReportZone()); err != nil {
		return &ui.Error{Code: ui.Usage, Msg: err.Error(), Hint: "name the month of the invoice: --period 2026-10"}
	}
	if o.Rates != "" {
		if io.Rates, err = openInput(e, o.Rates); err != nil {
			return err
		}
		defer io.Rates.Close()
	}
	if o.Out != "" {
		if err := pipeline.CheckFolder(o.Out); err != nil {
			return err
		}
	}
	progress := progressOf(e.err)
	opts.Progress = progress.step
	defer progress.Done()
	x, err := o.hold(ctx, files, opts, io)
	if err != nil {
		return err
	}
	defer x.Store.Close()
	var written []string
	if o.Out != "" {
		if written, err = x.Publish(ctx, o.Out, pipeline.PublishOptions{NoWorkbook: o.NoWorkbook, Version: version(), Lang: o.lang}); err != nil {
			return err
		}
	}
	progress.Done()
	if err := o.print(e.out, x.Result, written); err != nil {
		return unprinted(err, written)
	}
	return invoiceFound(x.Result, o.Out)
}

// hold audits files alone, or the invoice over a database.
func (o *InvoiceOptions) hold(ctx context.Context, files []pipeline.File, opts pipeline.Options, io pipeline.InvoiceOptions) (*pipeline.InvoiceAudit, error) {
	so := store.Options{Path: o.DB, Threads: o.Threads, MemoryLimit: o.MemoryLimit}
	if o.DB != "" {
		return pipeline.InvoiceOver(ctx, so, files, opts, io, o.Config != "")
	}
	s, err := store.Open(ctx, so)
	if err != nil {
		return nil, err
	}
	x, err := pipeline.RunInvoice(ctx, s, files, opts, io)
	if err != nil {
		_ = s.Close()
	}
	return x, err
}

// read opens the files; over a database there need be none.
func (o *InvoiceOptions) read(e env, args []string) ([]pipeline.File, pipeline.Options, error) {
	if o.DB == "" || len(args)+len(o.Bills)+len(o.Prices)+len(o.Charges)+len(o.Attempts) > 0 {
		return o.prepare(e, args)
	}
	d := databaseOptions{Config: o.Config, DB: o.DB, Threads: o.Threads}
	opts, err := d.prepare(e)
	if err == nil {
		err = o.validate()
	}
	opts.Zone, opts.Scope = o.Zone, pipeline.Scope{Provider: o.Provider, Model: o.Model, APIKey: o.APIKey}
	return nil, opts, err
}

// check reads the flags that are numbers and finds what does not go together.
func (o *InvoiceOptions) check() (io pipeline.InvoiceOptions, err error) {
	if err := checkMemoryLimit(o.MemoryLimit); err != nil {
		return io, err
	}
	usage := func(msg, hint string) error { return &ui.Error{Code: ui.Usage, Msg: msg, Hint: hint} }
	if err := o.langOption.parse(); err != nil {
		return io, err
	}
	if o.Period == "" {
		return io, usage("--period: found none, expected the month of the invoice", "--period 2026-10")
	}
	if o.Total != "" {
		if io.Total.Decimal, err = amountFlag("--total", o.Total); err != nil {
			return io, err
		}
		if o.Currency == "" {
			return io, usage("--total: found no --currency beside it, expected the currency of the sum", "--total "+o.Total+" --currency USD")
		}
		io.Total.Valid, io.TotalCurrency = true, strings.ToUpper(o.Currency)
	}
	switch {
	case o.Tolerance == "focus":
		io.Tolerant = true
	case o.Tolerance != "":
		if io.Tolerance.Decimal, err = amountFlag("--tolerance", o.Tolerance); err != nil {
			return io, err
		}
		if io.Tolerance.Decimal.IsNegative() {
			return io, usage("--tolerance: found "+o.Tolerance+", expected 0 or more", "--tolerance 0.50, or --tolerance focus")
		}
		io.Tolerance.Valid, io.Tolerant = true, true
	}
	if (o.Rates == "") != (o.ReportCurrency == "") {
		return io, usage("found one of --rates and --report-currency, expected both or none", "--rates rates.csv --report-currency EUR")
	}
	if c := strings.ToUpper(o.ReportCurrency); c != "" {
		if len(c) != 3 || strings.Trim(c, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return io, usage(fmt.Sprintf("--report-currency: found %q, expected three letters such as EUR", o.ReportCurrency), "--report-currency EUR")
		}
		io.ReportCurrency = c
	}
	if o.RateDays < 0 || o.RateDays > 366 {
		return io, usage("--rate-days: found "+strconv.Itoa(o.RateDays)+", expected 0 to 366", "--rate-days 3 lets a weekend take Friday's rate")
	}
	io.RateDays = o.RateDays
	return io, nil
}

// amountFlag reads money from a flag: a plain number of at most 12 decimals.
func amountFlag(flag, v string) (decimal.Decimal, error) {
	d, err := decimal.NewFromString(v)
	if err != nil || len(v) > 30 || strings.ContainsAny(v, "eE") || !d.Equal(d.Truncate(12)) || d.Abs().GreaterThanOrEqual(decimal.New(1, 15)) {
		return d, &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("%s: found %.40q, expected a plain number such as 1234.56", flag, v),
			Hint: "a decimal point, at most 12 decimals, no separators, no currency sign"}
	}
	return d, nil
}

func (o *InvoiceOptions) print(w io.Writer, r *report.Invoice, written []string) error {
	if !o.JSON {
		return ui.WriteInvoice(w, r, written, terminalIn(w, o.lang))
	}
	b, err := r.JSON()
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// invoiceFound is the exit of a run that is done: an invoice that differs, or charges that the price list
// does not make.
func invoiceFound(r *report.Invoice, out string) error {
	// write tells where a list is, or how to have it written.
	write := func(what, file string) string {
		if out == "" {
			return "--out DIR writes " + what + " to " + file
		}
		return filepath.Join(out, file) + " has " + what
	}
	if r.SumUnheld() {
		return sumUnheld(r)
	}
	if r.Unread > 0 {
		msg := "lines of the invoice could not be read, so it is not shown to agree"
		if r.Result == report.InvoiceDiffers {
			msg = "the invoice differs from the charges, and lines of it could not be read"
		}
		return &ui.Error{Code: ui.Found, Msg: msg, Hint: write("them", "rejects.csv") + "; mend them, or say with --map how they are written"}
	}
	if !r.Accepted {
		msg := "the invoice differs from the charges"
		if n, _ := r.Differing(); n == 0 {
			msg = "the lines of the invoice do not add up to the sum that was named"
		}
		return &ui.Error{Code: ui.Found, Msg: msg, Hint: write("every line of the comparison", "invoice.csv")}
	}
	if n := r.Prices.WrongPrices(); n > 0 {
		return &ui.Error{Code: ui.Found, Msg: strconv.FormatInt(n, 10) + " charge lines do not cost what the price list says", Hint: write("all of them", "prices.csv")}
	}
	return nil
}

// sumUnheld is the exit where a sum was named that nothing could be held against.
func sumUnheld(r *report.Invoice) error {
	hint := "name the billing export of the period as well, or an invoice whose lines name amounts"
	for _, m := range r.Money {
		if m.Side == "invoice" && m.Currency != r.Stated.Currency {
			hint = "the lines of the invoice are in " + m.Currency + ": --currency " + m.Currency + " names the currency of the sum"
		}
	}
	return &ui.Error{Code: ui.Found, Msg: "the sum that was named was held against nothing: no line of the invoice is in " + r.Stated.Currency, Hint: hint}
}
