package report

import (
	"context"
	"database/sql"
	"time"

	"retrytax/internal/store"
)

// ReadWorkbook reads the sheets' rows beside an Audit that is complete. Times are in loc. Evidence and
// Exceptions are read from s when they are asked for, as there may be hundreds of thousands.
func ReadWorkbook(ctx context.Context, s *store.Store, a *Audit, loc *time.Location) (*Workbook, error) {
	r := &reader{ctx: ctx, s: s}
	wb := &Workbook{Audit: a}
	r.days(wb)
	r.models(wb)
	r.keys(wb)
	wb.Duplicated = r.duplicated(loc, "ORDER BY place")
	r.disputes(wb, loc)
	wb.Evidence = evidence(ctx, s, loc)
	wb.Exceptions = exceptions(ctx, s, loc)
	r.dear(wb, loc)
	return wb, r.err
}

// ReadDisputes reads of a workbook only what vendors should give back, with the states of the user's file.
func ReadDisputes(ctx context.Context, s *store.Store, a *Audit, loc *time.Location, states []Handled) (*Workbook, error) {
	r, wb := &reader{ctx: ctx, s: s}, &Workbook{Audit: a}
	r.disputes(wb, loc)
	wb.Handle(states)
	return wb, r.err
}

// Dearest reads the n calls with the largest excess in the paid book's main currency.
func Dearest(ctx context.Context, s *store.Store, n int, loc *time.Location) ([]DuplicatedRow, error) {
	r := &reader{ctx: ctx, s: s}
	rows := r.duplicated(loc, `WHERE book = getvariable('paid_book') ORDER BY place LIMIT `+itoa(n))
	return rows, r.err
}

// parts are the columns of Parts, and where they go.
const partColumns = `money_text(billed), money_text(delivered), money_text(excess), money_text(undelivered), money_text(orphan),
	money_text(unsettled), money_text(adjustments)`

func (p *Parts) fields() []any {
	return []any{&p.Billed, &p.Delivered, &p.Excess, &p.Undelivered, &p.Orphan, &p.Unsettled, &p.Adjustments}
}

// paidFirst orders by book and currency, the paid book first, as the Summary does.
const paidFirst = `book <> getvariable('paid_book'), book, currency`

func (r *reader) days(wb *Workbook) {
	at := map[string]int{}
	r.each(`SELECT book, currency, strftime(day, '%Y-%m-%d'), charges, `+partColumns+`, excess_share FROM rpt_days
		ORDER BY `+paidFirst+`, rpt_days.day`, func(q *sql.Rows) error {
		d := DayRow{ByVerdict: map[string]Money{}}
		err := q.Scan(append(append([]any{&d.Book, &d.Currency, &d.Day, &d.Charges}, d.Parts.fields()...), &d.ExcessShare)...)
		at[d.Book+" "+d.Currency+" "+d.Day] = len(wb.Days)
		wb.Days = append(wb.Days, d)
		return err
	})
	r.each(`SELECT book, currency, strftime(day, '%Y-%m-%d'), verdict, money_text(excess) FROM rpt_day_verdicts
		ORDER BY book, currency, rpt_day_verdicts.day, verdict`, func(q *sql.Rows) error {
		var book, currency, day, verdict string
		var excess Money
		err := q.Scan(&book, &currency, &day, &verdict, &excess)
		if i, ok := at[book+" "+currency+" "+day]; ok {
			wb.Days[i].ByVerdict[verdict] = excess
		}
		return err
	})
}

func (r *reader) models(wb *Workbook) {
	r.each(`SELECT provider, book, model, currency, charges, input_tokens, cached_tokens, output_tokens, `+partColumns+`, excess_share
		FROM rpt_models ORDER BY `+paidFirst+`, rpt_models.excess DESC, rpt_models.billed DESC, provider, model`, func(q *sql.Rows) error {
		var m ModelRow
		err := q.Scan(append(append([]any{&m.Provider, &m.Book, &m.Model, &m.Currency, &m.Charges, &m.InputTokens, &m.CachedTokens, &m.OutputTokens},
			m.Parts.fields()...), &m.ExcessShare)...)
		wb.Models = append(wb.Models, m)
		return err
	})
}

func (r *reader) keys(wb *Workbook) {
	r.each(`SELECT provider, api_key, book, currency, charges, `+partColumns+`, excess_share
		FROM rpt_keys ORDER BY `+paidFirst+`, rpt_keys.excess DESC, rpt_keys.billed DESC, provider, api_key`, func(q *sql.Rows) error {
		var k KeyRow
		err := q.Scan(append(append([]any{&k.Provider, &k.APIKey, &k.Book, &k.Currency, &k.Charges}, k.Parts.fields()...), &k.ExcessShare)...)
		wb.Keys = append(wb.Keys, k)
		return err
	})
}

func (r *reader) duplicated(loc *time.Location, tail string) (out []DuplicatedRow) {
	r.each(`SELECT place, coalesce(request_id, ''), call_no, provider, book, model, first_at, last_at, attempts, charges, layers, verdicts, currency,
		money_text(paid), money_text(due), money_text(excess), due_at_least, excess_at_least FROM (SELECT * FROM rpt_duplicated `+tail+`)`, func(q *sql.Rows) error {
		var d DuplicatedRow
		var first, last sql.NullTime
		err := q.Scan(&d.Place, &d.RequestID, &d.Call, &d.Provider, &d.Book, &d.Model, &first, &last, &d.Attempts, &d.Charges, &d.Layers, &d.Verdicts, &d.Currency,
			&d.Paid, &d.Due, &d.Excess, &d.DueAtLeast, &d.ExcessAtLeast)
		d.FirstAt, d.LastAt = first.Time.UTC().In(loc), last.Time.UTC().In(loc)
		out = append(out, d)
		return err
	})
	return out
}

func (r *reader) disputes(wb *Workbook, loc *time.Location) {
	r.each(`SELECT finding, vendor, charge_id, line_item, charged_at, model, request_id, api_key, input_tokens, output_tokens, currency,
		money_text(amount), money_text(excess), money_text(refunded), money_text(claim), verdict, reason, match, delivered_charge_id, idempotency_key,
		vendor_request_id, attempt_outcome, attempt_started, attempt_ended, source_file, source_line
		FROM rpt_disputes ORDER BY vendor, currency, charged_at, charge_id, line_item, finding`, func(q *sql.Rows) error {
		d := DisputeRow{State: StateOpen}
		var charged, started, ended sql.NullTime
		err := q.Scan(&d.Finding, &d.Vendor, &d.ChargeID, &d.LineItem, &charged, &d.Model, &d.RequestID, &d.APIKey, &d.InputTokens, &d.OutputTokens, &d.Currency,
			&d.Amount, &d.Excess, &d.Refunded, &d.Claim, &d.Verdict, &d.Reason, &d.Match, &d.DeliveredChargeID, &d.IdempotencyKey,
			&d.VendorRequestID, &d.AttemptOutcome, &started, &ended, &d.SourceFile, &d.SourceLine)
		d.ChargedAt = charged.Time.UTC().In(loc)
		d.AttemptStarted, d.AttemptEnded = inZone(started, loc), inZone(ended, loc)
		wb.Disputes = append(wb.Disputes, d)
		return err
	})
}

// rowsOf are rows of a query that is run each time they are asked for.
func rowsOf[R any](ctx context.Context, s *store.Store, query string, scan func(*sql.Rows, *R) error) Rows[R] {
	return func(each func(*R) error) error {
		return s.Query(ctx, query, func(q *sql.Rows) error {
			var row R
			if err := scan(q, &row); err != nil {
				return err
			}
			return each(&row)
		})
	}
}

func evidence(ctx context.Context, s *store.Store, loc *time.Location) Rows[EvidenceRow] {
	return rowsOf(ctx, s, evidenceQuery(""), scanEvidence(loc))
}

func evidenceQuery(where string) string {
	return `SELECT place, charged_at, coalesce(provider, ''), book, coalesce(charge_id, ''), coalesce(line_item, ''), coalesce(request_id, ''), attempt,
		coalesce(model, ''), verdict, recovery, rerouted, input_tokens, cached_tokens, output_tokens, coalesce(finish_reason, ''),
		money_text(amount), currency, money_text(excess), match, money_text(confidence), coalesce(delivered_charge_id, ''),
		coalesce(idempotency_key, ''), coalesce(vendor_request_id, ''), reason, attempt_started, attempt_ended,
		coalesce(attempt_outcome, ''), coalesce(stage, ''), source_file, source_line
		FROM rpt_evidence ` + where + ` ORDER BY place NULLS LAST, charged_at, provider, charge_id, line_item, source_file, source_line`
}

func scanEvidence(loc *time.Location) func(*sql.Rows, *EvidenceRow) error {
	return func(q *sql.Rows, e *EvidenceRow) error {
		var charged, started, ended sql.NullTime
		err := q.Scan(&e.Place, &charged, &e.Provider, &e.Book, &e.ChargeID, &e.LineItem, &e.RequestID, &e.Attempt, &e.Model, &e.Verdict, &e.Recovery,
			&e.Rerouted, &e.InputTokens, &e.CachedTokens, &e.OutputTokens, &e.FinishReason, &e.Amount, &e.Currency, &e.Excess, &e.Match,
			&e.Confidence, &e.DeliveredChargeID, &e.IdempotencyKey, &e.VendorRequestID, &e.Reason, &started, &ended,
			&e.AttemptOutcome, &e.Stage, &e.SourceFile, &e.SourceLine)
		e.ChargedAt = charged.Time.UTC().In(loc)
		e.AttemptStarted, e.AttemptEnded = inZone(started, loc), inZone(ended, loc)
		return err
	}
}

func exceptions(ctx context.Context, s *store.Store, loc *time.Location) Rows[ExceptionRow] {
	return rowsOf(ctx, s, `SELECT kind, coalesce(reason, ''), "at", coalesce(provider, ''), coalesce(book, ''), coalesce(charge_id, ''), coalesce(request_id, ''),
		coalesce(model, ''), money_text(amount), coalesce(currency, ''), coalesce(source_file, ''), source_line
		FROM rpt_exceptions ORDER BY array_position(['unsettled', 'lead', 'orphan', 'unbilled', 'unapplied_refund', 'reject'], kind),
			"at", provider, charge_id, request_id, source_file, source_line, reason`, func(q *sql.Rows, e *ExceptionRow) error {
		var at sql.NullTime
		err := q.Scan(&e.Kind, &e.Reason, &at, &e.Provider, &e.Book, &e.ChargeID, &e.RequestID, &e.Model, &e.Amount, &e.Currency, &e.SourceFile, &e.SourceLine)
		e.At = inZone(at, loc)
		return err
	})
}

// dearCalls is how many calls get a time line: as many as rpt_dear_attempts has.
const dearCalls = 25

// dear reads the time lines of the first calls. It ends the reading of the evidence when it has theirs.
func (r *reader) dear(wb *Workbook, loc *time.Location) {
	for _, d := range wb.Duplicated[:min(len(wb.Duplicated), dearCalls)] {
		wb.Dear = append(wb.Dear, DearCall{DuplicatedRow: d})
	}
	at := func(place int64) *DearCall {
		if place < 1 || place > int64(len(wb.Dear)) {
			return nil
		}
		return &wb.Dear[place-1]
	}
	r.each(`SELECT place, attempt, layer, outcome, t0, t1, succeeded FROM rpt_dear_attempts ORDER BY place, t0, layer, attempt, row_id`, func(q *sql.Rows) error {
		var place int64
		var a DearAttempt
		var start, end sql.NullTime
		err := q.Scan(&place, &a.Number, &a.Layer, &a.Outcome, &start, &end, &a.Success)
		a.Start, a.End = start.Time.UTC().In(loc), inZone(end, loc)
		if c := at(place); c != nil && start.Valid {
			c.Attempts = append(c.Attempts, a)
		}
		return err
	})
	if r.err != nil || len(wb.Dear) == 0 {
		return
	}
	r.err = rowsOf(r.ctx, r.s, evidenceQuery(`WHERE place <= `+itoa(dearCalls)), scanEvidence(loc))(func(e *EvidenceRow) error {
		if c := at(*e.Place); c != nil {
			c.Lines = append(c.Lines, *e)
		}
		return nil
	})
}
