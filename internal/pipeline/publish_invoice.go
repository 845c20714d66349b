package pipeline

import (
	"context"
	"errors"

	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/queries"
)

// invoice holds the totals that came with the files, or that the database has, against the charges, for the sheets of the
// invoice in report.xlsx. It is nil where no period was asked for, as an invoice is one of a month, where none of the
// totals belongs to it, where nothing of them can be compared, and where two files contradict each other: a report does not
// fail for what retrytax invoice explains.
func (a *Audit) invoice(ctx context.Context, version string) (*report.InvoiceBook, error) {
	if a.opts.Period == "" {
		return nil, nil
	}
	n, err := a.Store.Int(ctx, "SELECT count(*) FROM src_bills WHERE amount IS NOT NULL AND "+meets("period_start", "period_end"))
	if err != nil || n == 0 {
		return nil, err
	}
	// A reconcile makes it and does not keep it.
	if err := runFile(ctx, a.Store, queries.Get(queries.Match+"/29_int_call_inputs.sql")); err != nil {
		return nil, err
	}
	x, own := &InvoiceAudit{Store: a.Store, opts: a.opts}, *a
	own.Notes = nil // the report says them
	if err := x.hold(ctx, &own, 0, InvoiceOptions{}); err != nil {
		if errors.As(err, new(*NothingError)) || errors.As(err, new(*source.Error)) {
			err = nil
		}
		return nil, err
	}
	book := report.ReadInvoiceBook(ctx, a.Store, x.Result, a.Location())
	book.Method = a.Method(version)
	return book, nil
}
