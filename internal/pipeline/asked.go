package pipeline

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/queries"
)

// ReportOver opens a database that lives, for reading only, and makes the report of the period, zone and scope of o
// from what was reconciled. told is whether the user named a configuration: its paid book then counts, and what it says of
// thresholds, models and profiles must be what the reconcile went by (*ConfigError).
func ReportOver(ctx context.Context, so store.Options, o Options, told bool) (*Audit, error) {
	s, err := openReading(ctx, so)
	if err != nil {
		return nil, err
	}
	a := &Audit{Store: s, opts: o}
	if err := a.askOver(ctx, so.Path, told, queries.Period, queries.Reports); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return a, nil
}

// askOver sets what the reconcile had set and what is asked for, and makes the tables of the folders.
func (a *Audit) askOver(ctx context.Context, path string, told bool, folders ...string) error {
	v, err := settingsOf(ctx, a.Store)
	if err != nil {
		return err
	}
	if v["reconciled"] == "" {
		return unreconciledError(path, a.opts.ConfigFile)
	}
	then := judgedParameters(v)
	delete(v, "reconciled")
	delete(v, judgedWith)
	delete(v, configFile)
	if differ := differing(a.opts.Config.Parameters(), then); told && then != nil && len(differ) > 0 {
		return &ConfigError{path, a.opts.ConfigFile, differ}
	}
	mine := settings(a.opts)
	names := []string{"now", "report_zone", "scope_provider", "scope_model", "scope_api_key"}
	if told {
		names = append(names, "paid_book", "repeat_window_ms")
	} else {
		a.judged = then
		if v["paid_book"] != "" {
			a.opts.Config.PaidBook.Value = v["paid_book"]
		}
	}
	for _, n := range names {
		v[n] = mine[n]
	}
	v["over_database"] = "1"
	if err := setVariables(ctx, a.Store, v); err != nil {
		return err
	}
	if err := setPeriod(ctx, a.Store, a.opts); err != nil {
		return err
	}
	n, err := unseen(ctx, a.Store, path, a.opts.ConfigFile)
	if err != nil {
		return err
	}
	if n > 0 {
		a.Notes = append(a.Notes, source.Counted(n, "change of a row has", "changes of rows have")+
			" come since the last reconcile and not into this report; retrytax reconcile takes in what is new")
	}
	if a.opts.CheckClaims {
		if err := checkClaimsOver(ctx, a.Store, a.opts); err != nil {
			return err
		}
	}
	return makeTables(ctx, a.Store, a.opts, folders...)
}

func unreconciledError(path, configFile string) error {
	return &NothingError{"a database whose rows are not reconciled", "verdicts", "retrytax reconcile --db " + path + withConfig(configFile) + " gives every charge its verdict"}
}

// unseen counts the changes that reconcile has not seen. Of charge lines of the period it
// refuses them (*NothingError): the last verdicts are of another bill. Changes of the log, and
// outside the period, leave the last verdicts as they are.
func unseen(ctx context.Context, s *store.Store, path, configFile string) (all int64, err error) {
	var here int64
	err = s.Query(ctx, `SELECT count(*), count(*) FILTER (WHERE role = 'charges'
		AND row_at >= CAST(getvariable('period_from') AS TIMESTAMP) AND row_at < CAST(getvariable('period_to') AS TIMESTAMP)) FROM src_changes`,
		func(r *sql.Rows) error { return r.Scan(&all, &here) })
	if err == nil && here > 0 {
		err = &NothingError{source.Counted(here, "change", "changes") + " of this period's bill that reconcile has not seen", "verdicts of every line",
			"retrytax reconcile --db " + path + withConfig(configFile) + ", then the same command again"}
	}
	return all, err
}

// settingsOf reads what the tables of a database were made with.
func settingsOf(ctx context.Context, s *store.Store) (map[string]string, error) {
	v := map[string]string{}
	err := s.Query(ctx, "SELECT name, nullif(value, 'NULL') FROM src_settings WHERE name <> '"+loadedWith+"'", func(r *sql.Rows) error {
		var name string
		var value sql.NullString
		err := r.Scan(&name, &value)
		v[name] = value.String
		return err
	})
	return v, err
}

// aroundHits makes the tables of the time about an id: a database that lives has none of
// all its years.
func aroundHits(ctx context.Context, s *store.Store) error {
	for name, q := range map[string]string{
		"period_from": "min(moment) - INTERVAL 1 DAY", "period_to": "max(moment) + INTERVAL 1 DAY",
	} {
		err := s.Exec(ctx, "SET VARIABLE "+store.Ident(name)+" = (SELECT CAST("+q+` AS VARCHAR) FROM (
			SELECT coalesce(a.started_at, a.ended_at) AS moment FROM `+hitsTable+` h JOIN src_attempts a ON a.row_id = h.attempt_row
			UNION ALL SELECT c.charged_at FROM `+hitsTable+` h JOIN src_charges c ON c.row_id = h.charge_row))`)
		if err != nil {
			return err
		}
	}
	if err := setVariables(ctx, s, map[string]string{"period_asked": "", "scope_provider": "", "scope_model": "", "scope_api_key": ""}); err != nil {
		return err
	}
	return runFolder(ctx, s, queries.Period)
}

// verdictsOfAll makes the verdicts of all times, if the database is reconciled night by night.
func verdictsOfAll(ctx context.Context, s *store.Store, zone string) error {
	v, err := settingsOf(ctx, s)
	if err != nil || v["reconciled"] == "" {
		return err
	}
	for _, n := range []string{"scope_provider", "scope_model", "scope_api_key"} {
		v[n] = ""
	}
	v["over_database"], v["report_zone"] = "1", zone
	if err := setVariables(ctx, s, v); err != nil {
		return err
	}
	if err := setPeriod(ctx, s, Options{Zone: zone}); err != nil {
		return err
	}
	needed := []string{"int_books", "int_log_spans", "int_outsiders", "fct_verdicts"}
	for _, f := range queries.In(queries.Period) {
		if slices.Contains(needed, f.Name()) {
			if err := s.Run(ctx, f.Path, f.SQL); err != nil {
				return err
			}
		}
	}
	return nil
}
