package workbook

import (
	"context"
	"errors"
	"fmt"
	"io"

	"retrytax/internal/report"
)

// invoiceTitle is the name of the workbook of an invoice, and the title of the sheet Invoice.
const invoiceTitle = "The invoice against the charges"

// invoiceWidths are the columns of the sheet Invoice, which are those of the Summary but for the amounts'.
var invoiceWidths = []float64{38, 13, 18, 18, 18, 18, 62}

// WriteInvoice writes a workbook of an invoice alone: Invoice, Invoice lines, with a price list Re-rated lines, and Method.
func WriteInvoice(ctx context.Context, w io.Writer, x *report.InvoiceBook, opts Options) (err error) {
	if x == nil || x.Invoice == nil {
		return errors.New("workbook: no invoice to write")
	}
	a := &report.Audit{Period: x.Invoice.Period, Inputs: x.Invoice.Inputs}
	for _, t := range x.Invoice.Totals {
		a.Totals = append(a.Totals, report.Total{Currency: t.Currency})
	}
	b, err := newBuilder(ctx, &report.Workbook{Audit: a, Invoice: x, Method: x.Method}, opts)
	if err != nil {
		return fmt.Errorf("workbook: %w", err)
	}
	b.title = invoiceTitle
	defer func() { err = errors.Join(err, b.file.Close()) }()
	if err := b.writeInvoice(); err != nil {
		return fmt.Errorf("workbook: %w", err)
	}
	if err := b.writeInvoiceMethod(); err != nil {
		return fmt.Errorf("workbook: %w", err)
	}
	return b.finish(w, b.t(invoiceTitle)+", "+b.periodText())
}

// writeInvoice writes the sheets of the invoice, if there is one: what came of it first, then the tables that it is computed from.
func (b *builder) writeInvoice() error {
	x := b.wb.Invoice
	if x == nil {
		return nil
	}
	blocks, err := sumInvoice(x)
	if err != nil {
		return err
	}
	lines, err := b.newInvoiceLines(x, blocks)
	if err != nil {
		return err
	}
	sh, err := b.newSheet(layout{name: b.t("Invoice"), widths: invoiceWidths})
	if err != nil {
		return err
	}
	s := &invoiceSheet{summary: &summary{sheet: sh, t: b.t}, v: x.Invoice, lines: lines.ref}
	s.head()
	for _, block := range blocks {
		s.block(block)
	}
	s.prices()
	s.currencies()
	s.bill()
	s.notes()
	if s.err != nil {
		return s.err
	}
	if err := s.close(); err != nil {
		return err
	}
	if err := lines.write(b); err != nil || x.Rated == nil {
		return err
	}
	rated, err := b.newRatedLines(x)
	if err != nil {
		return err
	}
	return rated.write(b)
}

// writeInvoiceMethod writes how an invoice was compared, with the files and a box to sign.
func (b *builder) writeInvoiceMethod() error {
	sh, err := b.newSheet(layout{
		name: b.t("Method"), widths: methodWidths, portable: true,
		header: []value{textOf(kindTitle, b.t("How the numbers were made"))},
	})
	if err != nil {
		return err
	}
	m := &method{sheet: sh, t: b.t}
	m.about()
	m.closeOut()
	m.section("How the invoice was compared")
	for _, rule := range b.wb.Invoice.Invoice.Rules {
		m.put(0, text(b.opts.Lang.Of(rule)))
	}
	if c := b.wb.Invoice.Invoice.Converted; c != nil {
		m.section("Rates")
		m.put(0, id(c.File), text(b.t("Rates: %d", c.Rates)), blank, blank, blank, blank, blank, blank, id(c.SHA256))
		m.put(0, text(b.opts.Lang.Of(c.Rounding)))
	}
	m.inputs()
	m.rows()
	if m.err != nil {
		return m.err
	}
	return m.close()
}

// invoiceWords are what came of a place of the comparison, as finance would say it; a code that is not known stays as it is.
func invoiceWords(state string) string {
	switch state {
	case report.InvoiceEqual:
		return "equal"
	case report.InvoiceRounded:
		return "equal but for rounding"
	case report.InvoiceDiffers:
		return "differs"
	case "invoice_only":
		return "on the invoice only"
	case "charges_only":
		return "in the charges only"
	case "unknown":
		return "an amount is unknown"
	case "beside":
		return "tax, not checked"
	}
	return state
}
