package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/prices"
	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/queries"
)

// InvoiceOptions is what an invoice audit depends on besides files and Options; Options.Period must be set.
type InvoiceOptions struct {
	Total          decimal.NullDecimal // the sum that the user names
	TotalCurrency  string
	Tolerance      decimal.NullDecimal // an amount in place of FOCUS's
	Tolerant       bool                // differences within the tolerance are accepted
	Rates          *source.Input       // nil: no conversion
	ReportCurrency string
	RateDays       int // how many days old a rate may be
}

// InvoiceAudit is a finished invoice audit: the database still open for what is written.
type InvoiceAudit struct {
	Store  *store.Store
	Result *report.Invoice
	opts   Options
	// noLines: there is a sum and no line with an amount, and one line stands for it.
	noLines bool
	taken   []takenFor
	// named: the user has said which files are the invoice; else it is what totals there are.
	named bool
}

// takenFor is what a file of totals was taken for.
type takenFor struct {
	no     string   // of the file, among those that were loaded with it
	dated  bool     // a column tells the period
	single bool     // it has ids of single requests, as a billing export has
	unread []string // columns
}

// listen takes note of what files of totals are taken for.
func (x *InvoiceAudit) listen(o *Options) {
	o.recognised = func(rec source.Recognised, v map[string]string) {
		if rec.Role == source.Bills {
			x.taken = append(x.taken, takenFor{v["file_no"], rec.Vendor() != nil || rec.Reads("period_start"), rec.SingleCharges(), rec.Unused})
		}
	}
}

// RunInvoice loads an invoice, charges, logs and price lists into s and holds them against each other:
//
//  1. land and judge all files, as an audit does (Run).
//  2. hold the invoice against the charges, the charges against the price lists, and totals against the log
//     (queries/75_invoice).
//
// It fails with a *NothingError where neither an invoice can be compared with charges nor totals with a log.
func RunInvoice(ctx context.Context, s *store.Store, files []File, o Options, io InvoiceOptions) (*InvoiceAudit, error) {
	from, to, err := ParsePeriod(o.Period, o.zone())
	if err != nil {
		return nil, err
	}
	if err := setVariables(ctx, s, invoicePeriod(from, to)); err != nil {
		return nil, err
	}
	x := &InvoiceAudit{Store: s}
	x.listen(&o)
	a, err := Run(ctx, s, files, o)
	if err != nil {
		return nil, err
	}
	if err := a.Check(ctx); err != nil {
		return nil, err
	}
	x.opts, x.named = a.opts, true
	return x, x.hold(ctx, a, 0, io)
}

// invoicePeriod is the period of lines that tell none.
func invoicePeriod(from, to time.Time) map[string]string {
	return map[string]string{"bill_from": stamp(from), "bill_to": stamp(to)}
}

// InvoiceOver does the same over a database that lives, which is not changed: files are the invoice and price lists. Without
// an invoice among them the totals of the database are it.
func InvoiceOver(ctx context.Context, so store.Options, files []File, o Options, io InvoiceOptions, told bool) (x *InvoiceAudit, err error) {
	dir, err := os.MkdirTemp("", "retrytax-invoice-")
	if err != nil {
		return nil, &store.ResourceError{Kind: store.ErrNoTemp, Err: err}
	}
	defer os.RemoveAll(dir)
	x = &InvoiceAudit{}
	aside := filepath.Join(dir, "invoice.duckdb")
	x.listen(&o)
	notes, err := landAside(ctx, aside, files, o)
	if err != nil {
		return nil, err
	}
	s, err := openReading(ctx, so)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = s.Close()
		}
	}()
	a := &Audit{Store: s, opts: o}
	if err := refusePruned(ctx, s, so.Path, o); err != nil {
		return nil, err
	}
	if err := a.askOver(ctx, so.Path, told, queries.Period); err != nil {
		return nil, err
	}
	a.Notes = append(a.Notes, notes...)
	first, err := joinAside(ctx, s, aside)
	if err != nil {
		return nil, err
	}
	// It is made by every reconcile and not kept.
	if err := runFile(ctx, s, queries.Get(queries.Match+"/29_int_call_inputs.sql")); err != nil {
		return nil, err
	}
	x.Store, x.opts, x.named = s, a.opts, first > 0
	return x, x.hold(ctx, a, first, io)
}

// refusePruned fails where rows of the period are gone: what is left would be held against the whole invoice.
func refusePruned(ctx context.Context, s *store.Store, path string, o Options) error {
	from, to, err := ParsePeriod(o.Period, o.zone())
	if err != nil {
		return err
	}
	before, kept := "", ""
	err = s.Query(ctx, `SELECT time_text(pruned_before), coalesce((SELECT max_by(period || CASE WHEN zone = 'UTC' THEN '' ELSE ' --zone ' || zone END, row(created_at, report_no)) FROM pub_reports
			WHERE period_from = CAST($1 AS TIMESTAMP) AND period_to = CAST($2 AS TIMESTAMP)), '')
		FROM src_meta WHERE pruned_before > CAST($1 AS TIMESTAMP)`, func(r *sql.Rows) error { return r.Scan(&before, &kept) }, stamp(from), stamp(to))
	if err != nil || before == "" {
		return err
	}
	e := &NothingError{"a period whose rows were pruned (those before " + before + ")", "charges of all of it", "hold the invoice against the billing exports: retrytax invoice INVOICE charges.csv app.log --period " + o.Period}
	if kept != "" {
		e.Advice = "the report that was kept has its total: retrytax report --db " + path + " --period " + kept + "; or " + e.Advice
	}
	return e
}

// hold makes the tables, reads them and judges.
func (x *InvoiceAudit) hold(ctx context.Context, a *Audit, first int64, io InvoiceOptions) error {
	x.opts.progress("holding the invoice against the charges", 0)
	rates, err := x.rates(ctx, io)
	if err != nil {
		return err
	}
	if err := x.tables(ctx, first, io); err != nil {
		return err
	}
	r, err := report.ReadInvoice(ctx, x.Store)
	if err != nil {
		return err
	}
	x.Result = r
	x.stated(io) // before what is forgotten without charges: the lines of the invoice have a sum all the same
	if err := x.forget(ctx); err != nil {
		return err
	}
	if r.Period, err = a.period(ctx); err != nil {
		return err
	}
	if r.Inputs, err = x.inputs(ctx, first); err != nil {
		return err
	}
	for _, n := range a.Notes {
		r.Warnings = append(r.Warnings, report.Warning{Code: "input", Text: n})
	}
	if err := x.unread(ctx); err != nil {
		return err
	}
	if err := x.undated(ctx, first); err != nil {
		return err
	}
	if err := x.replaced(ctx); err != nil {
		return err
	}
	if err := x.warn(ctx); err != nil {
		return err
	}
	x.convert(rates, io)
	x.judge(io)
	return x.anything(ctx)
}

// rates lands the rates, if there are any.
func (x *InvoiceAudit) rates(ctx context.Context, io InvoiceOptions) (*prices.Rates, error) {
	step := queries.Get(queries.Invoice + "/05_src_rates.sql")
	if err := x.Store.Run(ctx, step.Path, step.SQL); err != nil || io.Rates == nil {
		return nil, err
	}
	r, err := prices.ReadRates(io.Rates)
	if err != nil {
		return nil, err
	}
	for list := r.List; len(list) > 0; {
		n := min(len(list), 500)
		rows := make([]string, n)
		for i, q := range list[:n] {
			rows[i] = fmt.Sprintf("(DATE '%s', %s, %s, %s)", q.Day.Format(time.DateOnly), text(q.Base), text(q.Quote), money(&q.Rate))
		}
		if err := x.Store.Exec(ctx, "INSERT INTO src_rates VALUES "+strings.Join(rows, ", ")); err != nil {
			return nil, err
		}
		list = list[n:]
	}
	return r, nil
}

// totalFile is the number of the file that a sum without lines is said to stand in.
const totalFile = 1 << 22

// tables sets what is asked for and makes the tables of queries/75_invoice.
func (x *InvoiceAudit) tables(ctx context.Context, first int64, io InvoiceOptions) error {
	v := map[string]string{"invoice_from": number(first), "invoice_tolerance": "", "report_currency": io.ReportCurrency, "rate_days": number(int64(io.RateDays)), "invoice_total": "", "invoice_named": ""}
	if x.named {
		v["invoice_named"] = "1"
	}
	if io.Tolerance.Valid {
		v["invoice_tolerance"] = io.Tolerance.Decimal.String()
	}
	lines, err := x.Store.Int(ctx, "SELECT count(*) FROM src_bills WHERE file_no >= ? AND amount IS NOT NULL", first)
	if err != nil {
		return err
	}
	if x.noLines = io.Total.Valid && lines == 0; x.noLines {
		v["invoice_total"], v["invoice_from"] = "1", number(totalFile)
		if err := x.Store.Exec(ctx, `INSERT INTO src_bills SELECT ? * 1099511627776, ?, 0, NULL, NULL, NULL, NULL, CAST(getvariable('period_from') AS TIMESTAMP), CAST(getvariable('period_to') AS TIMESTAMP),
			NULL, NULL, CAST(? AS DECIMAL(38,12)), ?, 'usage', NULL, NULL, NULL, NULL, NULL, NULL`, totalFile, totalFile, io.Total.Decimal.String(), io.TotalCurrency); err != nil {
			return err
		}
	}
	if err := setVariables(ctx, x.Store, v); err != nil {
		return err
	}
	for _, f := range queries.In(queries.Invoice) {
		if f.Name() == "src_rates" {
			continue
		}
		x.opts.progress("holding the invoice against the charges: "+f.Name(), 0)
		if err := runFile(ctx, x.Store, f); err != nil {
			return err
		}
	}
	return nil
}
