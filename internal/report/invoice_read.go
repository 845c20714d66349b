package report

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/store"
	"retrytax/internal/words"
)

// ratedLines is how many wrong lines of a currency JSON holds; prices.csv has all.
const ratedLines = 200

// ReadInvoice reads the tables of queries/75_invoice; every list is in a total order. What was asked for
// and how it was compared is the caller's to fill in.
func ReadInvoice(ctx context.Context, s *store.Store) (*Invoice, error) {
	r := &reader{ctx: ctx, s: s}
	v := &Invoice{Schema: InvoiceSchema, Inputs: []Input{}, Totals: []InvoiceTotal{}, Cells: []InvoiceCell{}, Shifts: []InvoiceShift{},
		Strangers: []InvoiceStranger{}, Money: []CurrencyTotal{}, Rules: []string{}, Warnings: []Warning{}}
	r.invoiceTotals(v)
	r.invoiceCells(v)
	r.invoiceShifts(v)
	r.currencies(v)
	r.rerated(v)
	r.againstLog(v)
	return v, r.err
}

func (r *reader) invoiceTotals(v *Invoice) {
	r.each(`SELECT provider, currency, money_text(invoiced), money_text(charged), money_text(difference), money_text(beside), money_text(tolerance), within, passes,
			invoice_lines, charges, unknown, listed, cells, rounded, differ, hiding
		FROM rpt_invoice_totals ORDER BY currency, provider <> 'all', provider`, func(q *sql.Rows) error {
		var t InvoiceTotal
		err := q.Scan(&t.Provider, &t.Currency, &t.Invoiced, &t.Charged, &t.Difference, &t.Beside, &t.Tolerance, &t.Within, &t.Passes,
			&t.InvoiceLines, &t.Charges, &t.Unknown, &t.Listed, &t.Cells, &t.Rounded, &t.Differing, &t.Hiding)
		v.Totals = append(v.Totals, t)
		return err
	})
	r.each(`SELECT provider, currency, charges, money_text(amount) FROM rpt_invoice_strangers ORDER BY provider, currency`, func(q *sql.Rows) error {
		var x InvoiceStranger
		err := q.Scan(&x.Provider, &x.Currency, &x.Charges, &x.Amount)
		v.Strangers = append(v.Strangers, x)
		return err
	})
}

// invoiceCells selects the places of the comparison, in the columns that scanCell reads.
const invoiceCells = `SELECT currency, kind, provider, coalesce(strftime(day, '%Y-%m-%d'), '') AS day, model_key, api_key, token_type, state, money_text(invoiced) AS invoiced, invoice_lines,
		money_text(charged) AS charged, charges, money_text(difference) AS difference, money_text(rounding) AS rounding, rows, coalesce(odd_row, '') AS odd_row, money_text(found) AS found, money_text(expected) AS expected, why,
		coalesce(strftime(other_day, '%Y-%m-%d'), '') AS other_day, coalesce(other_model, '') AS other_model, coalesce(other_key, '') AS other_key,
		money_text(per_million) AS per_million, coalesce(agree, 0) AS agree, coalesce(of_lines, 0) AS of_lines, charge_copies, invoice_copies, unknown, coalesce(odd_type, '') AS odd_type
	FROM rpt_invoice_cells`

func (r *reader) invoiceCells(v *Invoice) {
	r.each(invoiceCells+` WHERE state NOT IN ('equal', 'rounded', 'beside') ORDER BY currency, abs(rpt_invoice_cells.difference) DESC, kind, provider, day, model_key, api_key, token_type`, func(q *sql.Rows) error {
		var c InvoiceCell
		err := scanCell(q, &c)
		v.Cells = append(v.Cells, c)
		return err
	})
}

// scanCell reads a row of invoiceCells.
func scanCell(q *sql.Rows, c *InvoiceCell) error {
	w := &c.besides
	err := q.Scan(&c.Currency, &c.Kind, &c.Provider, &c.Day, &c.Model, &c.APIKey, &c.TokenType, &c.State, &c.Invoiced, &c.InvoiceLines,
		&c.Charged, &c.Charges, &c.Difference, &c.Rounding, &c.Rows, &c.OddRow, &c.Found, &c.Expected, &c.Why,
		&w.day, &w.model, &w.key, &w.perMillion, &w.agree, &w.lines, &w.chargeCopies, &w.invoiceCopies, &w.unknown, &w.oddType)
	c.Text = c.Said(words.English)
	return err
}

// cellWords is what the explanation of a cell names besides.
type cellWords struct {
	day, model, key, oddType             string
	perMillion                           Money
	agree, lines                         int64
	chargeCopies, invoiceCopies, unknown int64
	unread                               bool // lines of the invoice could not be read, and one of them could be of this cell
}

// CouldNotRead takes note of n lines of the invoice that could not be read: a charge that the invoice does not show may be on one of them.
func (v *Invoice) CouldNotRead(n int64) {
	v.Unread = n
	for i := range v.Cells {
		v.Cells[i].markUnread(v)
	}
}

// markUnread has the words of the cell fit an invoice of which lines could not be read.
func (c *InvoiceCell) markUnread(v *Invoice) {
	c.besides.unread = v.Unread > 0
	c.Text = c.Said(words.English)
}

// Said says in a sentence what makes the difference of a cell, or what is known of it.
func (c *InvoiceCell) Said(l words.Lang) string {
	w := c.besides
	switch c.Why {
	case "unknown_amounts":
		return l.T("%d of its charges name no amount: it cannot be compared", w.unknown)
	case "charges_twice":
		return l.T("the billing export has %d of these lines twice, and the invoice once", w.chargeCopies)
	case "invoice_twice":
		return l.T("the invoice has %d of these lines twice", w.invoiceCopies)
	case "moved":
		where := []string{}
		for _, x := range []struct{ name, here, there string }{{l.T("day %s", cmp.Or(w.day, l.T("(none)"))), c.Day, w.day},
			{l.T("model %s", cmp.Or(w.model, l.T("(none)"))), c.Model, w.model}, {l.T("key %s", cmp.Or(w.key, l.T("(none)"))), c.APIKey, w.key}} {
			if x.here != x.there {
				where = append(where, x.name)
			}
		}
		return l.T("the same amount is on the other side under %s", strings.Join(where, ", "))
	case "line_price":
		return l.T("%s says %s for %s, expected %s: %d of %d such lines cost %s a million", c.OddRow, c.Found, w.oddType, c.Expected, w.agree, w.lines, w.perMillion)
	}
	switch {
	case c.State == "charges_only" && c.Kind == "usage" && w.unread:
		return l.T("charged, and on no line of the invoice that could be read")
	case c.State == "charges_only" && c.Kind == "usage":
		return l.T("charged, and on no line of the invoice")
	case c.State == "charges_only":
		return l.T("a %s among the charges that the invoice does not show", l.Of(c.Kind))
	case c.State == "invoice_only" && c.Kind == "usage":
		return l.T("on the invoice, and no charge for it")
	case c.State == "invoice_only":
		return l.T("a %s on the invoice that no charge shows", l.Of(c.Kind))
	}
	return ""
}

func (r *reader) invoiceShifts(v *Invoice) {
	type shift struct {
		InvoiceShift
		minutes, own, cells int64
	}
	best := map[string]*shift{}
	own := map[string]int64{}
	var order []string
	r.each(`SELECT currency, offset_minutes, money_text(difference), differ, cells, CAST(epoch(timezone(getvariable('report_zone'), timezone('UTC', CAST(getvariable('period_from') AS TIMESTAMP)))
			- CAST(getvariable('period_from') AS TIMESTAMP)) AS BIGINT) // 60
		FROM rpt_invoice_shifts ORDER BY currency, differ, abs(difference), abs(offset_minutes), offset_minutes`, func(q *sql.Rows) error {
		var x shift
		if err := q.Scan(&x.Currency, &x.minutes, &x.Difference, &x.Differing, &x.cells, &x.own); err != nil {
			return err
		}
		if best[x.Currency] == nil {
			best[x.Currency] = &x
			order = append(order, x.Currency)
		}
		if x.minutes == x.own {
			own[x.Currency] = x.Differing
		}
		return nil
	})
	for _, c := range order {
		x := best[c]
		if before := own[c]; before > 0 && x.minutes != x.own && x.Differing*10 <= before {
			x.Before = before
			sign, m := "+", x.minutes
			if m < 0 {
				sign, m = "-", -m
			}
			x.Offset = fmt.Sprintf("%s%02d:%02d", sign, m/60, m%60)
			v.Shifts = append(v.Shifts, x.InvoiceShift)
		}
	}
}

func (r *reader) currencies(v *Invoice) {
	r.each(`SELECT side, currency, n, money_text(amount), unknown, money_text(converted), without_rate, money_text(unknown_converted), coalesce(days_without, '')
		FROM rpt_currencies ORDER BY CASE side WHEN 'invoice' THEN 0 WHEN 'charges' THEN 1 ELSE 2 END, currency`, func(q *sql.Rows) error {
		var c CurrencyTotal
		err := q.Scan(&c.Side, &c.Currency, &c.Lines, &c.Amount, &c.Unknown, &c.Converted, &c.WithoutRate, &c.NotIn, &c.Days)
		v.Money = append(v.Money, c)
		return err
	})
}

// Sum adds what a side has in the report's currency; "" where nothing of it is known in that.
func (v *Invoice) Sum(side string) (sum Money, withoutRate int64) {
	d, any := decimal.Zero, false
	for _, c := range v.Money {
		if c.Side != side {
			continue
		}
		withoutRate += c.WithoutRate
		if c.Converted != "" {
			d, any = d.Add(decimalOf(c.Converted)), true
		}
	}
	if !any {
		return "", withoutRate
	}
	return Money(d.String()), withoutRate
}

// unpricedStates are those of lines that the list does not tell of.
var unpricedStates = map[string]string{
	"no_tokens":            "no tokens are told",
	"parts_beyond_whole":   "more cached or written tokens than input, or more reasoning tokens than output",
	"unpriced_model":       "the list does not have the model",
	"unpriced_tier_or_day": "the list does not have the tier, the day or the currency for the model",
	"unpriced_tokens":      "a kind of token has no price in the list",
	"lists_disagree":       "the lists disagree",
}

// wrongStates are what can be wrong with a charge, in words.
var wrongStates = map[string]string{
	"quantity":                   "other tokens than the log has for the answer",
	"cached_twice":               "cached tokens are counted twice, as cached and within the whole input",
	"cached_in_full":             "cached tokens are asked the full price",
	"reasoning_twice":            "reasoning tokens are counted twice, as reasoning and within the output",
	"cached_and_reasoning_twice": "cached and reasoning tokens are counted twice",
	"cache_write_twice":          "tokens written to the cache are counted twice",
	"cached_left_out":            "cached tokens are left out",
	"reasoning_left_out":         "reasoning tokens are left out",
	"input_and_output_swapped":   "input is asked the price of output, and the reverse",
	"other_day":                  "the price is that of another day",
	"other_tier":                 "the price is that of another tier",
	"other_size":                 "the price is that of another size of prompt",
	"other_price":                "the list does not have the price",
}

// RatedState is what the price list says of a charge, in words.
func RatedState(l words.Lang, state string) string {
	return l.T(cmp.Or(wrongStates[state], unpricedStates[state], "as the list says"))
}

// Said is what the list says of a model's charges, with the prices that they imply.
func (m *RatedModel) Said(l words.Lang) string {
	text := RatedState(l, m.State)
	if m.State == "unpriced_model" && m.billed != "" {
		text += l.T(" under its name on the bill, %s", m.billed)
	}
	if m.tier != "" {
		text += " (" + m.tier + ")"
	}
	if m.ImpliedInput != "" || m.ImpliedOutput != "" {
		text += l.T("; it is %s a million tokens of input and %s of output", cmp.Or(m.ImpliedInput, "?"), cmp.Or(m.ImpliedOutput, "?"))
	}
	return text
}

func (r *reader) rerated(v *Invoice) {
	p := &Rerated{Lists: []string{}, Models: []RatedModel{}, Lines: []RatedLine{}}
	r.each(`SELECT file FROM src_files WHERE role = 'prices' ORDER BY file`, func(q *sql.Rows) error {
		var f string
		err := q.Scan(&f)
		p.Lists = append(p.Lists, f)
		return err
	})
	if len(p.Lists) == 0 {
		return
	}
	r.each(`SELECT provider, model_key, currency, state, n, money_text(amount), money_text(expected), money_text(difference), money_text(implied_input), money_text(implied_output), coalesce(list_tier, ''), coalesce(billed_names, '')
		FROM rpt_rated_models ORDER BY currency, provider, model_key, state`, func(q *sql.Rows) error {
		var m RatedModel
		var tier string
		err := q.Scan(&m.Provider, &m.Model, &m.Currency, &m.State, &m.Lines, &m.Amount, &m.Expected, &m.Difference, &m.ImpliedInput, &m.ImpliedOutput, &tier, &m.billed)
		m.tier = tier
		m.Text = m.Said(words.English)
		switch {
		case m.State == "right":
			p.Right += m.Lines
		case unpricedStates[m.State] != "":
			p.Open += m.Lines
		default:
			p.Wrong += m.Lines
		}
		p.Models = append(p.Models, m)
		return err
	})
	// By currency: a yen is no dollar, and the dearest of one would push out all of another.
	r.each(fmt.Sprintf(`SELECT file, source_line, provider, model_key, coalesce(charge_id, ''), time_text(charged_at), currency, money_text(amount), money_text(expected), money_text(difference), state
		FROM rpt_rated_lines QUALIFY row_number() OVER (PARTITION BY currency ORDER BY abs(rpt_rated_lines.difference) DESC, file, source_line, row_id) <= %d
		ORDER BY currency, abs(rpt_rated_lines.difference) DESC, file, source_line, row_id`, ratedLines), func(q *sql.Rows) error {
		var l RatedLine
		err := q.Scan(&l.File, &l.Line, &l.Provider, &l.Model, &l.ChargeID, &l.ChargedAt, &l.Currency, &l.Amount, &l.Expected, &l.Difference, &l.State)
		p.Lines = append(p.Lines, l)
		return err
	})
	v.Prices = p
}

// WrongPrices counts lines whose formula or price is wrong. A quantity that differs from the log's is not
// among them: it may be the log that is wrong.
func (p *Rerated) WrongPrices() (n int64) {
	if p == nil {
		return 0
	}
	for _, m := range p.Models {
		if wrongStates[m.State] != "" && m.State != "quantity" {
			n += m.Lines
		}
	}
	return n
}

// WriteInvoice writes every cell of the comparison to path, as CSV.
func WriteInvoice(ctx context.Context, s *store.Store, path string) error {
	return copyCSV(ctx, s, `SELECT currency, kind, cell_text(provider) AS provider, day, cell_text(model_key) AS model, cell_text(api_key) AS api_key, cell_text(token_type) AS token_type, state, invoiced, invoice_lines,
		charged, charges, difference, rounding, cell_text(rows) AS rows, cell_text(odd_row) AS odd_row, found, expected, why
		FROM (`+invoiceCells+`) ORDER BY currency, kind, provider, day, model_key, api_key, token_type`, path)
}

// WriteInvoiceRejects writes the lines of all files that could not be read to path, as CSV.
func WriteInvoiceRejects(ctx context.Context, s *store.Store, path string) error {
	return copyCSV(ctx, s, `SELECT `+rejectColumns+` FROM (
			SELECT cell_text(f.file) AS source_file, r.source_line, r.reject_column AS "column", cell_text(r.reason) AS reason, cell_text(r.raw) AS raw
			FROM src_rejects r JOIN src_files f USING (file_no))
		ORDER BY source_file, source_line, "column", reason`, path)
}

// ratedColumns is how the header of what WriteRerated writes begins.
const ratedColumns = "source_file,source_line,provider,model,charge_id,charged_at,currency,input_tokens,cached_input_tokens,output_tokens"

// IsRerated tells whether path is a file that WriteRerated wrote, and not a price list of the user or anything else.
func IsRerated(path string) bool {
	if i, err := os.Lstat(path); err != nil || !i.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(ratedColumns))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == ratedColumns
}

// WriteRerated writes every charge line that is wrong by the price list to path, as CSV.
func WriteRerated(ctx context.Context, s *store.Store, path string) error {
	return copyCSV(ctx, s, `SELECT cell_text(file) AS source_file, source_line, cell_text(provider) AS provider, cell_text(model_key) AS model, cell_text(charge_id) AS charge_id, time_text(charged_at) AS charged_at, currency,
		input AS input_tokens, cached AS cached_input_tokens, output AS output_tokens, reasoned AS reasoning_tokens, logged_input, logged_output, money_text(amount) AS amount, money_text(expected) AS expected,
		money_text(difference) AS difference, state
		FROM rpt_rated_lines ORDER BY file, source_line, row_id`, path)
}
