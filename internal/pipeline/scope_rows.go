package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"retrytax/queries"
)

// findScope measures what changed and finds all rows that hang on it.
func (r *scopeRun) findScope(ctx context.Context) error {
	for _, step := range []func(context.Context) error{r.remember, r.seed, r.measureDays, r.widen, r.pair, r.remeasure, r.takeRows} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// remember keeps the measures as they were, to see which have changed.
func (r *scopeRun) remember(ctx context.Context) error {
	for _, t := range remembered {
		old := strings.Replace(t, "int_", "int_old_", 1)
		if err := r.s.Exec(ctx, "CREATE TABLE "+r.work(old)+" AS SELECT * FROM "+r.main(t)); err != nil {
			return err
		}
	}
	return nil
}

func (r *scopeRun) seed(ctx context.Context) error {
	return r.run(ctx, queries.Scope, "int_scope_rows", "int_scope_ids", "int_scope_days")
}

// measureDays measures the log and the bill of the days that changed.
func (r *scopeRun) measureDays(ctx context.Context) error {
	if err := r.takeDays(ctx, "src_attempts", "attempts", "started_at", "ended_at"); err != nil {
		return err
	}
	if err := r.takeDays(ctx, "src_charges", "charges", "charged_at", ""); err != nil {
		return err
	}
	if err := r.run(ctx, queries.Measure, "int_charge_lines", "int_day_numbers", "int_day_timeouts", "int_log_days", "int_book_days"); err != nil {
		return err
	}
	for _, t := range measuredByDay[:4] {
		if err := r.takeOver(ctx, t.table, t.days); err != nil {
			return err
		}
	}
	if err := r.dropRows(ctx); err != nil {
		return err
	}
	if err := r.run(ctx, queries.Measure, "int_numberings", "int_timeouts", "int_highest_numbers"); err != nil {
		return err
	}
	return r.add(ctx, "int_scope_rows_renumbered")
}

// takeDays copies the rows of the days that changed, by the time at; rows without it by the time instead, if there is such a column.
// The first and the last of the days let DuckDB skip the years before.
func (r *scopeRun) takeDays(ctx context.Context, table, role, at, instead string) error {
	from, to := "", ""
	err := r.s.Query(ctx, "SELECT CAST(min(day) AS VARCHAR), CAST(max(day) + 1 AS VARCHAR) FROM int_scope_days WHERE role = ? HAVING count(day) > 0",
		func(q *sql.Rows) error { return q.Scan(&from, &to) }, role)
	if err != nil {
		return err
	}
	if from == "" {
		return r.s.Exec(ctx, "CREATE TABLE "+r.work(table)+" AS SELECT * FROM "+r.main(table)+" LIMIT 0")
	}
	of := func(at string) string {
		return "SELECT * FROM " + r.main(table) + " WHERE " + at + " >= TIMESTAMP '" + from + "' AND " + at + " < TIMESTAMP '" + to + "'" +
			" AND day_of(" + at + ") IN (SELECT day FROM int_scope_days WHERE role = '" + role + "')"
	}
	query := of(at)
	if instead != "" {
		query += " UNION ALL " + of(instead) + " AND " + at + " IS NULL"
	}
	return r.s.Exec(ctx, "CREATE TABLE "+r.work(table)+" AS "+query)
}

// takeOver adds the facts of the days that did not change.
func (r *scopeRun) takeOver(ctx context.Context, table, days string) error {
	return r.s.Exec(ctx, fmt.Sprintf("INSERT INTO %s SELECT * FROM %s WHERE day NOT IN (%s)", r.work(table), r.main(table), days))
}

func (r *scopeRun) dropRows(ctx context.Context) error {
	for _, q := range []string{"DROP VIEW " + r.work("int_charge_lines"), "DROP TABLE " + r.work("src_attempts"), "DROP TABLE " + r.work("src_charges")} {
		if err := r.s.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// add runs a file that adds rows to the scope, and takes their ids along.
func (r *scopeRun) add(ctx context.Context, name string) error {
	if err := r.setRound(ctx, r.round); err != nil {
		return err
	}
	return r.run(ctx, queries.Scope, name, "int_scope_ids_widened")
}

func (r *scopeRun) setRound(ctx context.Context, n int64) error {
	r.round = n
	return setVariables(ctx, r.s, map[string]string{"scope_round": number(n)})
}

// widen follows ids until none is new.
func (r *scopeRun) widen(ctx context.Context) error {
	for {
		if err := r.add(ctx, "int_scope_rows_widened"); err != nil {
			return err
		}
		n, err := r.s.Int(ctx, "SELECT count(*) FROM int_scope_ids WHERE round > ?", r.round)
		if err != nil || n == 0 {
			return err
		}
		if err := r.setRound(ctx, r.round+1); err != nil {
			return err
		}
	}
}

// takeRows fills the src_ tables of the work with the rows of the scope, and pairs them.
func (r *scopeRun) takeRows(ctx context.Context) error {
	for _, q := range []string{
		"CREATE TABLE " + r.work("src_attempts") + " AS SELECT * FROM " + r.main("src_attempts") + " WHERE row_id IN (" + scopeAttempts + ")",
		"CREATE TABLE " + r.work("src_charges") + " AS SELECT * FROM " + r.main("src_charges") + " WHERE row_id IN (" + scopeCharges + ")",
	} {
		if err := r.s.Exec(ctx, q); err != nil {
			return err
		}
	}
	return r.run(ctx, queries.Measure, "int_charge_lines", "int_candidate_pairs", "int_unnamed_pairs", "int_usable_pairs")
}

// pair finds the pairs of the scope, and measures the days whose pairs changed.
func (r *scopeRun) pair(ctx context.Context) error {
	if err := r.takeRows(ctx); err != nil {
		return err
	}
	for _, q := range []string{
		"CREATE TABLE " + r.work("int_scope_pairs") + " AS SELECT * FROM " + r.work("int_candidate_pairs"),
		"DROP TABLE " + r.work("int_candidate_pairs"),
	} {
		if err := r.s.Exec(ctx, q); err != nil {
			return err
		}
	}
	if err := r.run(ctx, queries.Scope, "int_scope_pair_days"); err != nil {
		return err
	}
	err := r.s.Exec(ctx, "CREATE TABLE "+r.work("int_candidate_pairs")+" AS SELECT * FROM int_scope_pairs UNION ALL SELECT * FROM "+r.main("int_candidate_pairs")+
		" WHERE day IN (SELECT day FROM int_scope_pair_days) AND attempt_row NOT IN ("+scopeAttempts+")")
	if err != nil {
		return err
	}
	for _, t := range measuredByDay[4:] {
		if err := r.run(ctx, queries.Measure, t.table); err != nil {
			return err
		}
		if err := r.takeOver(ctx, t.table, t.days); err != nil {
			return err
		}
	}
	if err := r.s.Exec(ctx, "DROP TABLE "+r.work("int_candidate_pairs")); err != nil {
		return err
	}
	if err := r.dropRows(ctx); err != nil {
		return err
	}
	return r.run(ctx, queries.Measure, "int_calibrations")
}

// remeasure adds what rests on a measure that changed.
func (r *scopeRun) remeasure(ctx context.Context) error {
	if err := r.setRound(ctx, r.round+1); err != nil {
		return err
	}
	if err := r.add(ctx, "int_scope_rows_remeasured"); err != nil {
		return err
	}
	if err := r.setRound(ctx, r.round+1); err != nil {
		return err
	}
	return r.widen(ctx)
}
