package report

import (
	"context"
	"database/sql"
	"time"

	"retrytax/internal/store"
)

// InvoiceBook is what the workbook shows of an invoice beyond Invoice.
type InvoiceBook struct {
	Invoice *Invoice
	Cells   Rows[InvoiceCell] // every place of the comparison: by currency, what differs first, by most
	Rated   Rows[RatedRow]    // every charge line that the price list does not make; nil without a list
	Method  []MethodRow
}

// RatedRow is a charge line whose amount is not the list's, with the tokens that were priced.
type RatedRow struct {
	RatedLine
	At                              *time.Time // report zone
	Input, Cached, Output, Reasoned *int64
	LoggedInput, LoggedOutput       *int64 // of the answer in the log
}

// ReadInvoiceBook gives v the rows of its sheets, which are read from s when they are asked for. Times are in loc.
func ReadInvoiceBook(ctx context.Context, s *store.Store, v *Invoice, loc *time.Location) *InvoiceBook {
	b := &InvoiceBook{Invoice: v}
	b.Cells = rowsOf(ctx, s, invoiceCells+` ORDER BY currency, state IN ('equal', 'rounded', 'beside'), CASE WHEN state IN ('equal', 'rounded', 'beside') THEN 0 ELSE abs(rpt_invoice_cells.difference) END DESC,
		kind, provider, rpt_invoice_cells.day, model_key, api_key, token_type`, func(q *sql.Rows, c *InvoiceCell) error {
		err := scanCell(q, c)
		c.markUnread(v)
		return err
	})
	if v.Prices == nil {
		return b
	}
	b.Rated = rowsOf(ctx, s, `SELECT file, source_line, provider, model_key, coalesce(charge_id, ''), charged_at, currency, money_text(amount), money_text(expected), money_text(difference), state,
			input, cached, output, reasoned, logged_input, logged_output
		FROM rpt_rated_lines ORDER BY currency, abs(rpt_rated_lines.difference) DESC, file, source_line, row_id`, func(q *sql.Rows, l *RatedRow) error {
		var at sql.NullTime
		err := q.Scan(&l.File, &l.Line, &l.Provider, &l.Model, &l.ChargeID, &at, &l.Currency, &l.Amount, &l.Expected, &l.Difference, &l.State,
			&l.Input, &l.Cached, &l.Output, &l.Reasoned, &l.LoggedInput, &l.LoggedOutput)
		l.At = inZone(at, loc)
		return err
	})
	return b
}
