package report

import (
	"context"
	"database/sql"
	"time"

	"retrytax/internal/store"
)

// SchemaName names the shape of audit.json.
const SchemaName = "retrytax.audit/v1"

// reader runs report queries and keeps the first error.
type reader struct {
	ctx context.Context
	s   *store.Store
	err error
}

// each scans every row of a query with scan; it does nothing after an error.
func (r *reader) each(query string, scan func(*sql.Rows) error) {
	if r.err == nil {
		r.err = r.s.Query(r.ctx, query, scan)
	}
}

// Read fills an Audit from the rpt_ tables. Inputs, Period and Checks are the caller's:
// they are facts of the run, not of a query. Every list is in a total order.
func Read(ctx context.Context, s *store.Store) (*Audit, error) {
	r := &reader{ctx: ctx, s: s}
	a := &Audit{
		Schema: SchemaName, Inputs: []Input{}, Totals: []Total{}, Verdicts: []Verdict{}, Tiers: []Tier{}, Bounds: []Bound{},
		Leads: []Lead{}, Calibration: []Calibration{}, Coverage: []Coverage{}, Warnings: []Warning{}, Checks: []Check{},
	}
	r.totals(a)
	r.findings(a)
	r.counts(a)
	r.method(a)
	return a, r.err
}

// ReadTotals reads the ledgers that rpt_totals holds.
func ReadTotals(ctx context.Context, s *store.Store) ([]Total, error) {
	r, a := &reader{ctx: ctx, s: s}, &Audit{}
	r.totals(a)
	return a.Totals, r.err
}

func (r *reader) totals(a *Audit) {
	r.each(`SELECT provider_book, currency, money_text(billed), money_text(delivered), money_text(excess), money_text(undelivered),
		money_text(orphan), money_text(unsettled), money_text(adjustments), money_text(excess_net), money_text(cache_effect),
		money_text(reroute_premium), money_text(cost_per_delivered), at_least
		FROM rpt_totals ORDER BY party <> 'all', party, book, currency`, func(q *sql.Rows) error {
		var t Total
		err := q.Scan(&t.ProviderBook, &t.Currency, &t.Billed, &t.Delivered, &t.Excess, &t.Undelivered, &t.Orphan, &t.Unsettled,
			&t.Adjustments, &t.ExcessNet, &t.CacheEffect, &t.ReroutePremium, &t.CostPerDelivered, &t.AtLeast)
		a.Totals = append(a.Totals, t)
		return err
	})
}

func (r *reader) findings(a *Audit) {
	r.each(`SELECT book, currency, verdict, recovery, charges, money_text(amount), money_text(excess)
		FROM rpt_verdict_totals ORDER BY book, currency, verdict, recovery`, func(q *sql.Rows) error {
		var v Verdict
		err := q.Scan(&v.Book, &v.Currency, &v.Verdict, &v.Recovery, &v.Charges, &v.Amount, &v.Excess)
		a.Verdicts = append(a.Verdicts, v)
		return err
	})
	r.each(`SELECT match, book, currency, charges, money_text(amount), money_text(excess) FROM rpt_tiers
		ORDER BY book, currency, array_position(['receipt', 'attempt', 'request', 'tokens', 'lead', 'none'], match)`, func(q *sql.Rows) error {
		var t Tier
		err := q.Scan(&t.Match, &t.Book, &t.Currency, &t.Charges, &t.Amount, &t.Excess)
		a.Tiers = append(a.Tiers, t)
		return err
	})
	r.each(`SELECT currency, money_text(lower), money_text(expected), money_text(upper) FROM rpt_bounds ORDER BY currency`, func(q *sql.Rows) error {
		var b Bound
		err := q.Scan(&b.Currency, &b.Lower, &b.Expected, &b.Upper)
		a.Bounds = append(a.Bounds, b)
		return err
	})
	r.each(`SELECT kind, calls, money_text(amount), currency FROM rpt_leads ORDER BY kind, currency`, func(q *sql.Rows) error {
		var l Lead
		err := q.Scan(&l.Kind, &l.Calls, &l.Amount, &l.Currency)
		a.Leads = append(a.Leads, l)
		return err
	})
}

func (r *reader) counts(a *Audit) {
	r.each(`SELECT total, succeeded, failed, unknown, duplicated FROM rpt_requests`, func(q *sql.Rows) error {
		return q.Scan(&a.Requests.Total, &a.Requests.Succeeded, &a.Requests.Failed, &a.Requests.Unknown, &a.Requests.Duplicated)
	})
	r.each(`SELECT timeout_rate, started_fraction, partial_fraction, executions_per_call, amplification, executions_per_delivered
		FROM rpt_rates`, func(q *sql.Rows) error {
		x := &a.Rates
		return q.Scan(&x.TimeoutRate, &x.StartedFraction, &x.PartialFraction, &x.ExecutionsPerCall, &x.Amplification, &x.ExecutionsPerDelivered)
	})
	r.each(`SELECT (SELECT count(*) FROM fct_unbilled), (SELECT count(*) FROM fct_log_faults WHERE kind = 'copy')`, func(q *sql.Rows) error {
		return q.Scan(&a.Unbilled.Calls, &a.Copies.Attempts)
	})
}

func (r *reader) method(a *Audit) {
	r.each(`SELECT book_provider, stamp, offset_ms, resolution_ms, pairs FROM rpt_calibrations ORDER BY book_provider, book`, func(q *sql.Rows) error {
		var c Calibration
		err := q.Scan(&c.Provider, &c.Stamp, &c.OffsetMS, &c.ResolutionMS, &c.Pairs)
		a.Calibration = append(a.Calibration, c)
		return err
	})
	r.each(`SELECT CAST(from_confidence AS DOUBLE), charges, claimed, right_share FROM rpt_claims ORDER BY from_confidence`, func(q *sql.Rows) error {
		var c Claim
		err := q.Scan(&c.From, &c.Charges, &c.Claimed, &c.Right)
		a.Claims = append(a.Claims, c)
		return err
	})
	r.each(`SELECT provider, api_key, strftime(day, '%Y-%m-%d'), charges, explained FROM rpt_coverage ORDER BY provider, api_key, day`, func(q *sql.Rows) error {
		var c Coverage
		err := q.Scan(&c.Provider, &c.APIKey, &c.Day, &c.Charges, &c.Explained)
		a.Coverage = append(a.Coverage, c)
		return err
	})
	r.each(`SELECT code, text FROM rpt_warnings ORDER BY place`, func(q *sql.Rows) error {
		var w Warning
		err := q.Scan(&w.Code, &w.Text)
		a.Warnings = append(a.Warnings, w)
		return err
	})
}

// inZone turns a UTC time of the database into the report's zone.
func inZone(t sql.NullTime, loc *time.Location) *time.Time {
	if !t.Valid {
		return nil
	}
	v := t.Time.UTC().In(loc)
	return &v
}
