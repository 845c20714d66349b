package report

import (
	"context"
	"database/sql"
	"time"

	"retrytax/internal/store"
)

// ReadWorkbook reads the sheets' rows beside an Audit that is complete. Times are in loc.
func ReadWorkbook(ctx context.Context, s *store.Store, a *Audit, loc *time.Location) (*Workbook, error) {
	r := &reader{ctx: ctx, s: s}
	wb := &Workbook{Audit: a}
	r.models(wb)
	wb.Duplicated = r.duplicated(loc, "ORDER BY excess DESC, first_at, unit, book, currency")
	r.evidence(wb, loc)
	r.exceptions(wb, loc)
	return wb, r.err
}

// Dearest reads the n calls with the largest excess in the paid book's main currency.
func Dearest(ctx context.Context, s *store.Store, n int, loc *time.Location) ([]DuplicatedRow, error) {
	r := &reader{ctx: ctx, s: s}
	rows := r.duplicated(loc, `WHERE book = getvariable('paid_book') ORDER BY excess DESC, first_at, unit, currency LIMIT `+itoa(n))
	return rows, r.err
}

func (r *reader) models(wb *Workbook) {
	r.each(`SELECT provider, book, model, currency, charges, input_tokens, cached_tokens, output_tokens,
		money_text(billed), money_text(delivered), money_text(excess), money_text(undelivered), excess_share
		FROM rpt_models ORDER BY book, currency, rpt_models.excess DESC, rpt_models.billed DESC, provider, model`, func(q *sql.Rows) error {
		var m ModelRow
		err := q.Scan(&m.Provider, &m.Book, &m.Model, &m.Currency, &m.Charges, &m.InputTokens, &m.CachedTokens, &m.OutputTokens,
			&m.Billed, &m.Delivered, &m.Excess, &m.Undelivered, &m.ExcessShare)
		wb.Models = append(wb.Models, m)
		return err
	})
}

func (r *reader) duplicated(loc *time.Location, tail string) (out []DuplicatedRow) {
	r.each(`SELECT coalesce(request_id, ''), call_no, provider, book, model, first_at, last_at, attempts, charges, verdicts, currency,
		money_text(paid), money_text(due), money_text(excess) FROM (SELECT * FROM rpt_duplicated `+tail+`)`, func(q *sql.Rows) error {
		var d DuplicatedRow
		var first, last sql.NullTime
		err := q.Scan(&d.RequestID, &d.Call, &d.Provider, &d.Book, &d.Model, &first, &last, &d.Attempts, &d.Charges, &d.Verdicts, &d.Currency,
			&d.Paid, &d.Due, &d.Excess)
		d.FirstAt, d.LastAt = first.Time.UTC().In(loc), last.Time.UTC().In(loc)
		out = append(out, d)
		return err
	})
	return out
}

func (r *reader) evidence(wb *Workbook, loc *time.Location) {
	r.each(`SELECT charged_at, coalesce(provider, ''), book, coalesce(charge_id, ''), coalesce(line_item, ''), coalesce(request_id, ''), attempt,
		coalesce(model, ''), verdict, recovery, rerouted, input_tokens, cached_tokens, output_tokens, coalesce(finish_reason, ''),
		money_text(amount), currency, money_text(excess), match, money_text(confidence), coalesce(delivered_charge_id, ''),
		coalesce(idempotency_key, ''), coalesce(vendor_request_id, ''), reason, attempt_started, attempt_ended,
		coalesce(attempt_outcome, ''), coalesce(stage, ''), source_file, source_line
		FROM rpt_evidence ORDER BY charged_at, provider, charge_id, line_item, source_file, source_line`, func(q *sql.Rows) error {
		var e EvidenceRow
		var charged, started, ended sql.NullTime
		err := q.Scan(&charged, &e.Provider, &e.Book, &e.ChargeID, &e.LineItem, &e.RequestID, &e.Attempt, &e.Model, &e.Verdict, &e.Recovery,
			&e.Rerouted, &e.InputTokens, &e.CachedTokens, &e.OutputTokens, &e.FinishReason, &e.Amount, &e.Currency, &e.Excess, &e.Match,
			&e.Confidence, &e.DeliveredChargeID, &e.IdempotencyKey, &e.VendorRequestID, &e.Reason, &started, &ended,
			&e.AttemptOutcome, &e.Stage, &e.SourceFile, &e.SourceLine)
		e.ChargedAt = charged.Time.UTC().In(loc)
		e.AttemptStarted, e.AttemptEnded = inZone(started, loc), inZone(ended, loc)
		wb.Evidence = append(wb.Evidence, e)
		return err
	})
}

func (r *reader) exceptions(wb *Workbook, loc *time.Location) {
	r.each(`SELECT kind, coalesce(reason, ''), "at", coalesce(provider, ''), coalesce(book, ''), coalesce(charge_id, ''), coalesce(request_id, ''),
		coalesce(model, ''), money_text(amount), coalesce(currency, ''), coalesce(source_file, ''), source_line
		FROM rpt_exceptions ORDER BY array_position(['unsettled', 'lead', 'orphan', 'unbilled', 'unapplied_refund', 'reject'], kind),
			"at", provider, charge_id, request_id, source_file, source_line, reason`, func(q *sql.Rows) error {
		var e ExceptionRow
		var at sql.NullTime
		err := q.Scan(&e.Kind, &e.Reason, &at, &e.Provider, &e.Book, &e.ChargeID, &e.RequestID, &e.Model, &e.Amount, &e.Currency, &e.SourceFile, &e.SourceLine)
		e.At = inZone(at, loc)
		wb.Exceptions = append(wb.Exceptions, e)
		return err
	})
}
