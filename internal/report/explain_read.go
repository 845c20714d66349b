package report

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"retrytax/internal/store"
	"retrytax/internal/words"
)

// chargeFacts are the columns of rpt_explained_charges on which the sentences rest.
type chargeFacts struct {
	role                                                             string
	copyOf, deliveringExec                                           *int64
	orders, hidden, own, finished, lostRace, delivered, standIn, ran bool
	inner, lost, lead, cancelled, cutShort                           bool
	fewTokens                                                        *bool
	appRan, deliveredOutput, floorMS                                 *int64
	partialPct                                                       int64
	outcome, stage                                                   string
	opens, closes                                                    *time.Time
	key, idempotency, twin                                           string
	keyLifetimeMS, gapMS                                             *int64
	newest, settlesAt                                                *time.Time
	endless, doubtful                                                bool
	refunded, applied                                                Money
	fits                                                             fitFacts
}

// fitFacts are the columns of rpt_explained_fits.
type fitFacts struct {
	attempts, model, input, key, ran, time, vacant, spans int64
	loggedModel                                           string
	loggedInput                                           *int64
	opens, closes, logSince, logUntil                     *time.Time
}

// ReadExplanation reads what the rpt_explained_ tables hold and says why, in a language. Times are in loc.
// Schema, ids, zone and notes are the caller's.
func ReadExplanation(ctx context.Context, s *store.Store, loc *time.Location, lang words.Lang) (*Explanation, error) {
	r := &explainReader{reader: reader{ctx: ctx, s: s}, loc: loc, byPlace: map[int64]*ExplainedCall{}}
	x := &Explanation{Schema: ExplainSchemaName, As: []string{}, Notes: []string{}, Calls: []ExplainedCall{}, lang: lang}
	r.calls(x)
	for i := range x.Calls {
		r.byPlace[x.Calls[i].Number] = &x.Calls[i]
	}
	r.attempts()
	r.charges()
	r.lines()
	r.callTotals()
	if r.err != nil {
		return nil, r.err
	}
	for i := range x.Calls {
		x.Calls[i].lang = lang
		x.Calls[i].explain()
	}
	return x, nil
}

type explainReader struct {
	reader
	loc     *time.Location
	byPlace map[int64]*ExplainedCall
}

func (r *explainReader) at(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	v := t.UTC().In(r.loc)
	return &v
}

func (r *explainReader) calls(x *Explanation) {
	r.each(`SELECT way FROM (SELECT DISTINCT way FROM rpt_explained_hits) ORDER BY array_position(['request', 'charge', 'receipt'], way)`,
		func(q *sql.Rows) error {
			var way string
			err := q.Scan(&way)
			x.As = append(x.As, way)
			return err
		})
	r.each(`SELECT count(*) FROM rpt_explained_calls`, func(q *sql.Rows) error { return q.Scan(&x.Named) })
	r.each(`SELECT place, CASE WHEN left(request_key, 1) IN ('?', '!') AND NOT EXISTS (FROM src_attempts a WHERE a.request_id = request_key)
				AND NOT EXISTS (FROM int_charge_lines l WHERE l.request_id = request_key) THEN '' ELSE request_key END,
			coalesce(by_request, false), coalesce(by_charge, false), coalesce(by_receipt, false), coalesce(state, ''), first_at, last_at, unbilled
		FROM rpt_explained_calls WHERE told ORDER BY place`, func(q *sql.Rows) error {
		c := ExplainedCall{NamedAs: []string{}, Layers: []string{}, Totals: []CallTotal{}, Attempts: []ExplainedAttempt{}, Charges: []ExplainedCharge{}}
		var request, charge, receipt bool
		var first, last time.Time
		err := q.Scan(&c.Number, &c.RequestID, &request, &charge, &receipt, &c.State, &first, &last, &c.Unbilled)
		for _, way := range []struct {
			is   bool
			name string
		}{{request, "request"}, {charge, "charge"}, {receipt, "receipt"}} {
			if way.is {
				c.NamedAs = append(c.NamedAs, way.name)
			}
		}
		c.FirstAt, c.LastAt = *r.at(&first), *r.at(&last)
		x.Calls = append(x.Calls, c)
		return err
	})
}

func (r *explainReader) attempts() {
	r.each(`SELECT place, CASE WHEN lost THEN 'lost' WHEN is_copy THEN 'copy' WHEN kind = 'query' THEN 'query' WHEN parent_row IS NOT NULL THEN 'inner' ELSE 'attempt' END,
			attempt, layer, CASE WHEN start_known THEN t0 END, t1, outcome, coalesce(stage, ''), coalesce(reason, ''), http_status, coalesce(provider, ''),
			coalesce(model, ''), coalesce(receipt, ''), input_tokens, output_tokens, ran, delivering, cached, recovered_at, coalesce(file, ''), source_line,
			row_id, top_row, coalesce(parent_row, 0), coalesce(copy_of, 0), refused_late, NOT never_connected
		FROM (SELECT *, coalesce(min(t0) FILTER (WHERE row_id = top_row) OVER (PARTITION BY place, top_row), t0) AS top_t0 FROM rpt_explained_attempts)
		ORDER BY place, top_t0, top_row, depth, is_copy, t0, n, file, source_line, row_id`, func(q *sql.Rows) error {
		var place int64
		var a ExplainedAttempt
		err := q.Scan(&place, &a.Role, &a.Number, &a.Layer, &a.StartedAt, &a.EndedAt, &a.Outcome, &a.Stage, &a.Reason, &a.Status, &a.Provider,
			&a.Model, &a.Receipt, &a.InputTokens, &a.OutputTokens, &a.Ran, &a.Delivers, &a.Cached, &a.RecoveredAt, &a.SourceFile, &a.SourceLine,
			&a.row, &a.top, &a.parent, &a.copyOf, &a.refusedLate, &a.connected)
		if err != nil {
			return err
		}
		a.StartedAt, a.EndedAt, a.RecoveredAt = r.at(a.StartedAt), r.at(a.EndedAt), r.at(a.RecoveredAt)
		c := r.byPlace[place]
		c.Attempts = append(c.Attempts, a)
		if a.Role != RoleQuery && a.Role != RoleLost && !contains(c.Layers, a.Layer) {
			c.Layers = append(c.Layers, a.Layer)
		}
		return nil
	})
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (r *explainReader) charges() {
	r.each(`SELECT place, charge_no, coalesce(exec_id, 0), coalesce(charge_id, ''), coalesce(request_id, ''), coalesce(receipt, ''), coalesce(provider, ''), book,
			charged_at, coalesce(CASE WHEN measurable THEN drawn_at END, charged_at), coalesce(resolution_ms, 0), coalesce(model, ''), input_tokens,
			cached_input_tokens, output_tokens, coalesce(finish_reason, ''), kind, money_text(amount), currency, money_text(excess), coalesce(verdict, ''),
			coalesce(reason, ''), coalesce(recovery, ''), coalesce(rerouted, false), coalesce(match, ''), money_text(confidence), coalesce(settled, false),
			coalesce(leads, ''), coalesce(stamp, ''), coalesce(offset_ms, 0), coalesce(measurable, false), coalesce(pairs, 0),
			coalesce(role, 'item'), copy_of, delivering_exec, coalesce(orders, true), hidden, own, coalesce(finished, finished(lower(finish_reason))), lost_race, delivered, stand_in, ran,
			inner_line, lost, lead, cancelled, cut_short, few_tokens, app_ran, delivered_output, floor_ms, partial_pct, coalesce(outcome, ''),
			coalesce(stage, ''), opens, closes, coalesce(key, ''), coalesce(idempotency, ''), coalesce(twin_charge_id, ''), key_lifetime_ms, gap_ms,
			newest, settles_at, coalesce(endless, false), coalesce(doubtful, false), money_text(refunded), money_text(applied),
			coalesce(attempts, 0), coalesce(model_fits, 0), coalesce(input_fits, 0), coalesce(key_fits, 0), coalesce(ran_fits, 0), coalesce(time_fits, 0),
			coalesce(vacant_fits, 0), coalesce(spans, 0), coalesce(logged_model, ''), logged_input, fit_opens, fit_closes, log_since, log_until
		FROM rpt_explained_charges ORDER BY place, charged_at, charge_id, charge_no`, func(q *sql.Rows) error {
		var place int64
		var leads string
		c := ExplainedCharge{Unsettled: []string{}, Leads: []string{}, Changes: []Change{}, Lines: []BillLine{}}
		f, t := &c.facts, &c.facts.fits
		err := q.Scan(&place, &c.no, &c.exec, &c.ChargeID, &c.RequestID, &c.Receipt, &c.Provider, &c.Book,
			&c.ChargedAt, &c.DrawnAt, &c.ResolutionMS, &c.Model, &c.InputTokens,
			&c.CachedTokens, &c.OutputTokens, &c.FinishReason, &c.Kind, &c.Amount, &c.Currency, &c.Excess, &c.Verdict,
			&c.Reason, &c.Recovery, &c.Rerouted, &c.Match, &c.Confidence, &c.Settled,
			&leads, &c.Stamp.At, &c.Stamp.OffsetMS, &c.Stamp.Measured, &c.Stamp.Pairs,
			&f.role, &f.copyOf, &f.deliveringExec, &f.orders, &f.hidden, &f.own, &f.finished, &f.lostRace, &f.delivered, &f.standIn, &f.ran,
			&f.inner, &f.lost, &f.lead, &f.cancelled, &f.cutShort, &f.fewTokens, &f.appRan, &f.deliveredOutput, &f.floorMS, &f.partialPct, &f.outcome,
			&f.stage, &f.opens, &f.closes, &f.key, &f.idempotency, &f.twin, &f.keyLifetimeMS, &f.gapMS,
			&f.newest, &f.settlesAt, &f.endless, &f.doubtful, &f.refunded, &f.applied,
			&t.attempts, &t.model, &t.input, &t.key, &t.ran, &t.time,
			&t.vacant, &t.spans, &t.loggedModel, &t.loggedInput, &t.opens, &t.closes, &t.logSince, &t.logUntil)
		if err != nil {
			return err
		}
		c.ChargedAt, c.DrawnAt = *r.at(&c.ChargedAt), *r.at(&c.DrawnAt)
		for _, p := range []**time.Time{&f.opens, &f.closes, &f.newest, &f.settlesAt, &t.opens, &t.closes, &t.logSince, &t.logUntil} {
			*p = r.at(*p)
		}
		if leads != "" {
			c.Leads = strings.Split(leads, ",")
		}
		r.byPlace[place].Charges = append(r.byPlace[place].Charges, c)
		return nil
	})
}

func (r *explainReader) lines() {
	charges := map[int64]*ExplainedCharge{}
	for _, c := range r.byPlace {
		for i := range c.Charges {
			charges[c.Charges[i].no] = &c.Charges[i]
		}
	}
	r.each(`SELECT charge_no, file, source_line, coalesce(line_item, ''), money_text(amount), row_id FROM rpt_explained_parts
		ORDER BY charge_no, file, source_line, row_id`, func(q *sql.Rows) error {
		var no int64
		var l BillLine
		err := q.Scan(&no, &l.SourceFile, &l.SourceLine, &l.LineItem, &l.Amount, &l.row)
		if c := charges[no]; c != nil && err == nil {
			c.Lines = append(c.Lines, l)
		}
		return err
	})
}

func (r *explainReader) callTotals() {
	r.each(`SELECT place, book, currency, money_text(paid), money_text(due), money_text(excess), money_text(undelivered), money_text(unsettled),
			money_text(orphan), money_text(adjustments), money_text(refunded), at_least
		FROM rpt_explained_totals ORDER BY place, book, currency`, func(q *sql.Rows) error {
		var place int64
		var t CallTotal
		err := q.Scan(&place, &t.Book, &t.Currency, &t.Paid, &t.Due, &t.Excess, &t.Undelivered, &t.Unsettled,
			&t.Orphan, &t.Adjustments, &t.Refunded, &t.AtLeast)
		if c := r.byPlace[place]; c != nil {
			c.Totals = append(c.Totals, t)
		}
		return err
	})
}
