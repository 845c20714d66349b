package pipeline

import (
	"context"
	"fmt"
	"slices"

	"retrytax/internal/store"
	"retrytax/queries"
)

// derivedTable is a table that a living database keeps from one reconcile to the next.
type derivedTable struct {
	name string
	// key is the row of the log or of the bill on which a row of the table rests; sets names
	// the rows that are looked at anew, of which it is one.
	key, set string
}

// The rows that a scope run looks at anew, as relations of one column.
const (
	scopeAttempts = "SELECT row_id FROM int_scope_rows WHERE role = 'attempts'"
	scopeCharges  = "SELECT row_id FROM int_scope_rows WHERE role = 'charges'"
	scopeRequests = "SELECT id FROM int_scope_ids WHERE kind = 'request' UNION ALL SELECT '?' || row_id FROM int_scope_rows WHERE role = 'attempts'"
	// An attempt without a line rests on the line after it (30_match/28_int_executions).
	lineOfExec = "CASE WHEN exec_id < 0 THEN -exec_id // 32 ELSE exec_id END"
)

// keptByRow are replaced row by row: what rests on a row that is looked at anew goes, and
// what the scope run has made of it comes.
var keptByRow = []derivedTable{
	{"int_attempt_ids", "row_id", scopeAttempts},
	{"int_charge_ids", "row_id", scopeCharges},
	{"int_known_ids", "row_id", scopeCharges},
	{"int_candidate_pairs", "attempt_row", scopeAttempts},
	{"int_unnamed_pairs", "attempt_row", scopeAttempts},
	{"int_simple_pairs", "attempt_row", scopeAttempts},
	{"int_lines", "row_id", scopeAttempts},
	{"int_attempt_copies", "row_id", scopeAttempts},
	{"int_line_parents", "row_id", scopeAttempts},
	{"int_recoveries", "row_id", scopeAttempts},
	{"int_call_lines", "row_id", scopeAttempts},
	{"int_lost_lines", "next_row", scopeAttempts},
	{"int_calls", "request_key", scopeRequests},
	{"int_executions", lineOfExec, scopeAttempts},
	{"int_windows", lineOfExec, scopeAttempts},
	{"int_prompts", lineOfExec, scopeAttempts},
	{"int_lent_prompts", lineOfExec, scopeAttempts},
	{"int_call_books", "request_key", scopeRequests},
	{"int_charge_roles", "row_id", scopeCharges},
	{"int_charges", "charge_no", scopeCharges},
	{"int_strange_charges", "charge_no", scopeCharges},
	{"int_token_matches", "charge_no", scopeCharges},
	{"int_matches", "charge_no", scopeCharges},
	{"fct_charges", "charge_no", scopeCharges},
}

// measuredByDay hold facts of a day; a scope run measures the days that changed, and takes the
// others over.
var measuredByDay = []struct{ table, days string }{
	{"int_day_numbers", "SELECT day FROM int_scope_days WHERE role = 'attempts'"},
	{"int_day_timeouts", "SELECT day FROM int_scope_days WHERE role = 'attempts'"},
	{"int_log_days", "SELECT day FROM int_scope_days WHERE role = 'attempts'"},
	{"int_book_days", "SELECT day FROM int_scope_days WHERE role = 'charges'"},
	{"int_day_offsets", "SELECT day FROM int_scope_pair_days"},
	{"int_day_receipts", "SELECT day FROM int_scope_pair_days"},
}

// madeAnew are small and made from the facts of all days, every time.
var madeAnew = []string{"int_numberings", "int_timeouts", "int_highest_numbers", "int_calibrations", "int_known_claims", "int_token_books"}

// remembered are the measures whose change reopens what rests on them.
var remembered = []string{"int_day_receipts", "int_numberings", "int_timeouts", "int_highest_numbers", "int_calibrations"}

// keep puts what a scope run has made into the database. The caller wraps it in a transaction.
func (r *scopeRun) keep(ctx context.Context) error {
	for _, t := range keptByRow {
		if r.all {
			if err := r.copyOut(ctx, t.name); err != nil {
				return err
			}
			continue
		}
		for _, q := range []string{
			fmt.Sprintf("DELETE FROM %s WHERE %s IN (%s)", r.main(t.name), t.key, t.set),
			fmt.Sprintf("INSERT INTO %s SELECT * FROM %s", r.main(t.name), r.work(t.name)),
		} {
			if err := r.s.Exec(ctx, q); err != nil {
				return err
			}
		}
	}
	for _, t := range measuredByDay {
		if err := r.copyOut(ctx, t.table); err != nil {
			return err
		}
	}
	for _, t := range madeAnew {
		if err := r.copyOut(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func (r *scopeRun) copyOut(ctx context.Context, table string) error {
	return r.s.Exec(ctx, fmt.Sprintf("CREATE OR REPLACE TABLE %s AS SELECT * FROM %s", r.main(table), r.work(table)))
}

func (r *scopeRun) main(table string) string {
	return store.Ident(r.db) + ".main." + store.Ident(table)
}

func (r *scopeRun) work(table string) string { return workName + ".main." + store.Ident(table) }

// run executes query files of a folder by their names without the number, in this order.
func (r *scopeRun) run(ctx context.Context, folder string, names ...string) error {
	for _, name := range names {
		files := queries.In(folder)
		i := slices.IndexFunc(files, func(f queries.File) bool { return f.Name() == name })
		if i < 0 {
			return fmt.Errorf("no file %s in queries/%s", name, folder)
		}
		r.o.progress("reconciling: "+name, 0)
		if err := runFile(ctx, r.s, files[i]); err != nil {
			return err
		}
	}
	return nil
}
