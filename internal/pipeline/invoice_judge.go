package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/prices"
	"retrytax/internal/report"
	"retrytax/internal/workbook"
)

// judge says what came of the invoice, and by which rules.
func (x *InvoiceAudit) judge(io InvoiceOptions) {
	r := x.Result
	r.Tolerance, r.Asked = "focus", io.Tolerant
	if io.Tolerance.Valid {
		r.Tolerance = io.Tolerance.Decimal.String()
	}
	r.Result, r.Accepted = report.InvoiceNothing, true
	for _, t := range r.Totals {
		if t.Provider != "all" || t.Cells == 0 {
			continue
		}
		switch {
		case t.Differing > 0:
			r.Result = report.InvoiceDiffers
			r.Accepted = r.Accepted && io.Tolerant && t.Passes
		case t.Rounded > 0 && r.Result != report.InvoiceDiffers:
			r.Result = report.InvoiceRounded
		case r.Result == report.InvoiceNothing:
			r.Result = report.InvoiceEqual
		}
	}
	switch s := r.Stated; {
	case r.SumUnheld():
		r.Accepted = false
		if r.Result != report.InvoiceNothing {
			r.Result = report.InvoiceDiffers
		}
	case s != nil && s.Lines != "" && s.Difference != "0":
		r.Result, r.Accepted = report.InvoiceDiffers, false
	}
	if r.Unread > 0 { // a tolerance is for what was read; nobody knows what the other lines say
		r.Accepted = false
		if r.Result != report.InvoiceDiffers && r.Result != report.InvoiceNothing {
			r.Result = report.InvoiceUnread
		}
	}
	r.Rules = x.rules(io)
}

// stated holds the sum that the user names against the lines of the invoice.
func (x *InvoiceAudit) stated(io InvoiceOptions) {
	if !io.Total.Valid {
		return
	}
	s := &report.StatedTotal{Currency: io.TotalCurrency, Stated: report.Money(io.Total.Decimal.String())}
	for _, t := range x.Result.Totals {
		if t.Provider == "all" && t.Currency == io.TotalCurrency && t.InvoiceLines > 0 && !x.noLines {
			lines, err := decimal.NewFromString(string(t.Invoiced))
			if err == nil {
				s.Lines, s.Difference = t.Invoiced, report.Money(io.Total.Decimal.Sub(lines).String())
			}
		}
	}
	x.Result.Stated = s
}

// rules says how was compared.
func (x *InvoiceAudit) rules(io InvoiceOptions) []string {
	rules := []string{
		"a line of the invoice agrees if it equals its charges, rounded to as many decimals as the invoice writes",
	}
	tolerance := "FOCUS's tolerance for the sum of a currency, max(100 × 0.01, √N × 0.005) with N charge lines (0.01 is the smallest unit of most currencies)"
	if io.Tolerance.Valid {
		tolerance = "a tolerance of " + io.Tolerance.Decimal.String() + " for the sum of a currency"
	}
	if io.Tolerant {
		return append(rules, tolerance+": differences are named, and accepted if the sum and each line by itself lie within it")
	}
	return append(rules, tolerance+" is stated; a line that differs is a difference all the same, unless --tolerance accepts it")
}

// convert fills in how money came into the report's currency.
func (x *InvoiceAudit) convert(rates *prices.Rates, io InvoiceOptions) {
	if rates == nil {
		return
	}
	c := &report.Conversion{Currency: io.ReportCurrency, File: rates.File, SHA256: rates.SHA256, Rates: len(rates.List), Days: int64(io.RateDays),
		Rounding: "each line at the rate of its day in the report's zone, rounded to 12 decimals, half away from zero; sums are sums of lines"}
	for _, s := range []struct {
		side string
		to   *report.Money
	}{{"charges", &c.Charges}, {"excess", &c.Excess}, {"invoice", &c.Invoice}} {
		sum, without := x.Result.Sum(s.side)
		*s.to = sum
		if s.side != "excess" {
			c.WithoutRate += without
		}
	}
	x.Result.Converted = c
}

// charges counts what the invoice can be held against.
func (x *InvoiceAudit) charges(ctx context.Context) (int64, error) {
	return x.Store.Int(ctx, "SELECT count(*) FROM fct_verdicts WHERE book = getvariable('paid_book')")
}

// forget drops a comparison with charges that are not there: without any nothing was compared, which is no difference.
func (x *InvoiceAudit) forget(ctx context.Context) error {
	n, err := x.charges(ctx)
	if n == 0 && err == nil {
		x.Result.Totals, x.Result.Cells = []report.InvoiceTotal{}, []report.InvoiceCell{}
		x.Result.Shifts, x.Result.Strangers = []report.InvoiceShift{}, []report.InvoiceStranger{}
	}
	return err
}

// anything fails where nothing could be held against anything.
func (x *InvoiceAudit) anything(ctx context.Context) error {
	if x.compared() {
		return nil
	}
	lines, err := x.Store.Int(ctx, "SELECT count(*) FROM int_invoice_lines")
	if err != nil {
		return err
	}
	charges, err := x.charges(ctx)
	if err != nil {
		return err
	}
	within := (&Audit{opts: x.opts}).within()
	switch {
	case lines == 0:
		return &NothingError{"no line of an invoice" + within, "an invoice of that period", "name it first: retrytax invoice INVOICE … --period " + x.opts.Period + ", or its sum with --total 1234.56 --currency USD"}
	case charges == 0 && x.Result.Bill != nil:
		return &NothingError{"no charges" + within + ", and no tokens or requests on the invoice to hold against the log", "a billing export, or totals that count something",
			"name the export as well: retrytax invoice INVOICE charges.csv app.log; amounts alone can be held against the log with a price list, --prices FILE"}
	case charges == 0 && slices.ContainsFunc(x.taken, func(t takenFor) bool { return t.single }):
		return &NothingError{"no charges" + within + ": the first file, which was read as the invoice, has the columns of a billing export", "an invoice and a billing export",
			"retrytax invoice --charges EXPORT --prices FILE prices an export again without an invoice; with one, name the invoice first"}
	case charges == 0:
		return &NothingError{"no charges and no attempts" + within + " to hold the invoice against", "a billing export, a log, or a database that has them",
			"name them: retrytax invoice INVOICE charges.csv app.log, or --db FILE"}
	}
	return nil
}

// compared tells whether totals stand beside a log that says something of the same, or charges beside a price list.
func (x *InvoiceAudit) compared() bool {
	if p := x.Result.Prices; p != nil && len(p.Models) > 0 {
		return true
	}
	b := x.Result.Bill
	return b != nil && slices.ContainsFunc(b.Models, func(m report.BillModel) bool {
		return m.Requests != nil || m.Input != nil || m.Output != nil || m.Logged > 0 && m.Amount != "" && m.AnsweredCost != ""
	})
}

// inputs are the files that the result rests on.
func (x *InvoiceAudit) inputs(ctx context.Context, first int64) ([]report.Input, error) {
	out := []report.Input{}
	err := x.Store.Query(ctx, `SELECT file, sha256, role, format, read, loaded, known, ignored, rejected FROM src_files
		WHERE getvariable('over_database') IS NULL OR role = 'prices' OR ($1 > 0 AND file_no >= $1)
		   OR (loaded > 0 AND (role <> 'bills' OR $1 = 0) AND first_at < CAST(getvariable('period_to') AS TIMESTAMP) AND last_at >= CAST(getvariable('period_from') AS TIMESTAMP))
		ORDER BY role, file, sha256, file_no`, func(r *sql.Rows) error {
		var in report.Input
		err := r.Scan(&in.File, &in.SHA256, &in.Role, &in.Format, &in.Rows, &in.Loaded, &in.Known, &in.Ignored, &in.Rejected)
		out = append(out, in)
		return err
	}, first)
	return out, err
}

// meets is the condition that a span has a part in the period.
func meets(from, to string) string {
	return from + " < CAST(getvariable('period_to') AS TIMESTAMP) AND " + to + " > CAST(getvariable('period_from') AS TIMESTAMP)"
}

// warn says what qualifies the numbers.
func (x *InvoiceAudit) warn(ctx context.Context) error {
	for _, q := range []struct{ code, query, text string }{
		{"rejected_rows", "SELECT coalesce(sum(rejected), 0) FROM src_files WHERE role = 'attempts' AND getvariable('over_database') IS NULL", "lines of the log that could not be read and are in no count: %d"},
		{"rejected_rows", "SELECT coalesce(sum(rejected), 0) FROM src_files WHERE role = 'charges' AND getvariable('over_database') IS NULL", "charge lines that could not be read and are in no sum: %d"},
		{"other_exports", `SELECT count(*) FROM src_bills b JOIN src_files f USING (file_no) WHERE getvariable('invoice_named') IS NULL AND b.superseded_by IS NULL AND b.amount IS NOT NULL
			AND b.row_id NOT IN (SELECT row_id FROM int_invoice_lines) AND ` + meets("b.period_start", "b.period_end") + `
			AND EXISTS (SELECT 1 FROM int_invoice_lines l JOIN src_bills o ON o.row_id = l.row_id JOIN src_files g ON g.file_no = o.file_no
				WHERE l.provider = coalesce(b.provider, '') AND l.amount IS NOT NULL AND g.format <> f.format)`, "totals of another export of the same provider, which were not added: %d"},
		{"other_periods", `SELECT count(*) FROM src_bills WHERE getvariable('invoice_named') IS NOT NULL AND file_no >= coalesce(setting('invoice_from'), 0) AND (superseded_by IS NULL OR superseded_by < coalesce(setting('invoice_from'), 0)) AND
			row_id NOT IN (SELECT row_id FROM int_invoice_lines)`, "lines of the invoice that belong to another period, provider, model or key and were left out: %d"},
		{"overlapping_periods", `SELECT count(*) FROM (SELECT period_start < max(period_end) OVER (PARTITION BY format, provider, api_key, model, token_type
				ORDER BY period_start, period_end DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS within
			FROM (SELECT DISTINCT f.format, b.provider, b.api_key, b.model, b.token_type, b.period_start, b.period_end FROM src_bills b JOIN src_files f USING (file_no)
				WHERE b.superseded_by IS NULL AND b.kind = 'usage' AND (getvariable('invoice_named') IS NOT NULL OR ` + meets("b.period_start", "b.period_end") + `))) WHERE within`, "periods of totals within others of the same key, model and kind of token: %d; an hour and its day, or a day and its month, are both counted"},
		{"overlapping_periods", `SELECT count(*) FROM (SELECT since < max(until) OVER (PARTITION BY provider, model_key ORDER BY since, until DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS shares
			FROM int_bill_totals) WHERE shares`, "periods of totals that overlap others of the same model: %d; what the log has of such a time is counted in each of them"},
		{"no_amounts", "SELECT count(*) FROM int_invoice_lines WHERE amount IS NULL AND (SELECT count(amount) FROM int_invoice_lines) = 0", "lines of totals that name no amount, and were held against the log, not against charges: %d"},
	} {
		n, err := x.Store.Int(ctx, q.query)
		if err != nil {
			return err
		}
		if n > 0 {
			x.Result.Warnings = append(x.Result.Warnings, report.Warning{Code: q.code, Text: fmt.Sprintf(q.text, n)})
		}
	}
	return nil
}

// invoiceBook is the name of an invoice's workbook.
const invoiceBook = "invoice.xlsx"

// ratedFile has the charge lines that are wrong by a price list. A price list of the user is often called so, too.
const ratedFile = "prices.csv"

// Publish writes invoice.json, invoice.csv, rejects.csv, with a price list prices.csv, and unless o leaves it out the workbook
// invoice.xlsx to dir, as WriteFolder does. Of o only version, language and NoWorkbook count.
func (x *InvoiceAudit) Publish(ctx context.Context, dir string, o PublishOptions) (paths []string, err error) {
	// An invoice is often called invoice.csv, and some are workbooks.
	a := &Audit{Store: x.Store, opts: x.opts}
	if err := a.spareInputs(ctx, dir, []string{"invoice.csv", ratedFile, "rejects.csv", "invoice.json", invoiceBook}); err != nil {
		return nil, err
	}
	paths, err = x.write(ctx, a, dir, o)
	// What is older would contradict what was just written.
	if err == nil && o.NoWorkbook {
		err = removeOlder(dir, invoiceBook)
	}
	if err == nil && x.Result.Prices == nil && report.IsRerated(filepath.Join(dir, ratedFile)) {
		err = removeOlder(dir, ratedFile)
	}
	if err != nil {
		return nil, err
	}
	return paths, nil
}

// write writes the files aside and renames them.
func (x *InvoiceAudit) write(ctx context.Context, a *Audit, dir string, o PublishOptions) ([]string, error) {
	return publishAside(ctx, dir, func(aside string) ([]string, error) {
		names := []string{"invoice.csv", "rejects.csv"}
		if err := report.WriteInvoice(ctx, x.Store, filepath.Join(aside, names[0])); err != nil {
			return nil, err
		}
		if err := report.WriteInvoiceRejects(ctx, x.Store, filepath.Join(aside, names[1])); err != nil {
			return nil, err
		}
		if x.Result.Prices != nil {
			names = append(names, ratedFile)
			if err := report.WriteRerated(ctx, x.Store, filepath.Join(aside, ratedFile)); err != nil {
				return nil, err
			}
		}
		if !o.NoWorkbook {
			book := report.ReadInvoiceBook(ctx, x.Store, x.Result, a.Location())
			book.Method = a.Method(o.Version)
			err := createFile(filepath.Join(aside, invoiceBook), func(f io.Writer) error {
				return workbook.WriteInvoice(ctx, f, book, workbook.Options{Version: o.Version, Created: x.opts.Now.UTC().Truncate(time.Second), Zone: a.Location(), Lang: o.Lang})
			})
			if err != nil {
				return nil, err
			}
			names = append(names, invoiceBook)
		}
		b, err := x.Result.JSON()
		if err != nil {
			return nil, err
		}
		return append(names, "invoice.json"), writeFile(filepath.Join(aside, "invoice.json"), b)
	}, nil)
}
