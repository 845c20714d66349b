package pipeline

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/queries"
)

// workName is the database in memory in which a reconcile works. The database that lives is
// read beside it and written once, at the end.
const workName = "retrytax_work"

// scopeRun is one reconcile of a database that lives: the queries of an audit, run over the rows that
// can have come out otherwise since the last one. In the database "work" the src_ tables
// hold these rows alone; whatever is not made there is read from the database itself.
type scopeRun struct {
	s     *store.Store
	o     Options
	db    string // the database that lives
	all   bool   // everything is looked at anew
	id    string // what a known id is as a number; another version of DuckDB may number otherwise
	round int64
	out   *report.Reconciled
}

// Reconcile brings what is derived in s up to date with its rows, in one transaction. It equals
// a reconcile of everything (all), which is what the first one is, and what follows a change of
// the configuration or of the rules.
//
//  1. measure: the facts of the days that changed, and what follows from them for all days;
//  2. widen: the rows that changed, the rows of days that were measured otherwise, and all that share an id with
//     them (queries/22_scope);
//  3. match and judge them (queries/30_match and 40_verdicts);
//  4. keep: what was derived from these rows goes, the new comes, and the changes are seen.
//
// Killed at any instant, the database is as before or as after.
func Reconcile(ctx context.Context, l *Living, o Options, all bool) (*report.Reconciled, error) {
	o.lives = true
	r := &scopeRun{s: l.Store, o: o, all: all, out: &report.Reconciled{Schema: report.ReconcileSchema, Database: l.Path, Warnings: l.Notes, ConfigFile: o.ConfigFile}}
	if err := r.reconcile(ctx); err != nil {
		return nil, fileError(err)
	}
	return r.out, fileError(l.Store.Checkpoint(ctx))
}

func (r *scopeRun) reconcile(ctx context.Context) error {
	s := r.s
	// Outside: the tables of the profiles are this run's, and the queries read them.
	if err := s.InTransaction(ctx, func() error { return r.begin(ctx) }); err != nil {
		return err
	}
	if !r.all && r.out.Changes == 0 {
		return nil
	}
	if err := r.attach(ctx); err != nil {
		return err
	}
	err := r.derive(ctx)
	if err == nil {
		err = s.InTransaction(ctx, func() error { return r.end(ctx) })
	}
	return r.detach(err)
}

// begin decides whether what is there can be gone on with.
func (r *scopeRun) begin(ctx context.Context) error {
	if err := prepare(ctx, r.s, r.o); err != nil {
		return err
	}
	if err := sameLoading(ctx, r.s, r.out.Database, r.o.Config); err != nil {
		return err
	}
	honoured := ""
	if n, err := r.s.Int(ctx, "SELECT count(*) FROM src_providers WHERE idempotency = 'honoured'"); err != nil {
		return err
	} else if n > 0 {
		honoured = "1"
	}
	if err := setVariables(ctx, r.s, map[string]string{"keys_honoured": honoured}); err != nil {
		return err
	}
	view := queries.Get(queries.Measure + "/10_int_charge_lines.sql")
	if err := r.s.Run(ctx, view.Path, view.SQL); err != nil {
		return err
	}
	if err := r.s.Query(ctx, "SELECT CAST(id_number('request', 'one') AS VARCHAR)", scanOne(&r.id)); err != nil {
		return err
	}
	n, err := r.s.Int(ctx, `SELECT count(*) FROM src_settings WHERE name = 'reconciled' AND value = ?
		AND EXISTS (FROM duckdb_tables() WHERE table_name = 'int_lines')`, r.rules())
	if err != nil {
		return err
	}
	differ, err := otherConfig(ctx, r.s, r.o.Config)
	if err != nil {
		return err
	}
	if len(differ) > 0 {
		r.out.Warnings = append(r.out.Warnings, "the configuration is another than that of the last reconcile, so everything is judged anew: "+shortList(differ))
	}
	r.all = r.all || n == 0 || len(differ) > 0
	r.out.Everything = r.all
	if r.out.Changes, err = r.s.Int(ctx, "SELECT count(*) FROM src_changes"); err != nil {
		return err
	}
	if r.out.Run, err = nextRun(ctx, r.s); err != nil {
		return err
	}
	return r.s.Spread(ctx, r.out.Changes)
}

// hadTokenBooks says whether there were bills that do not know the caller's ids. What tier 4 weighs hangs on
// more than the rows that a night touches, so with such a bill everything is looked at anew, and once more
// when it has become one that does.
func (r *scopeRun) hadTokenBooks(ctx context.Context) (bool, error) {
	n, err := r.s.Int(ctx, "SELECT count(*) FROM "+r.main("int_token_books"))
	return n > 0, err
}

// hasTokenBooks says whether there are such bills, now that the scope is known.
func (r *scopeRun) hasTokenBooks(ctx context.Context) (bool, error) {
	if err := r.run(ctx, queries.Measure, "int_known_ids"); err != nil {
		return false, err
	}
	if err := r.s.Exec(ctx, "CREATE VIEW "+r.work("int_old_known_ids")+" AS SELECT * FROM "+r.main("int_known_ids")); err != nil {
		return false, err
	}
	if err := r.run(ctx, queries.Scope, "int_book_ids_recounted"); err != nil {
		return false, err
	}
	if err := r.run(ctx, queries.Measure, "int_token_books"); err != nil {
		return false, err
	}
	n, err := r.s.Int(ctx, "SELECT count(*) FROM "+r.work("int_token_books"))
	return n > 0, err
}

// rules names all that the derived tables rest on besides the rows: the queries, the settings, and how ids are numbered.
func (r *scopeRun) rules() string {
	h := sha256.New()
	fmt.Fprintln(h, r.id)
	for _, folder := range []string{queries.Schema, queries.Scope, queries.Measure, queries.Match, queries.Verdicts} {
		for _, f := range queries.In(folder) {
			fmt.Fprintln(h, f.Path, f.SQL)
		}
	}
	v := settings(r.o)
	for _, name := range []string{"copy_window_ms", "layer_grace_ms", "read_timeouts_ms", "connect_timeout_ms", "partial_output_pct", "careful", "confidence", "by_tokens"} {
		fmt.Fprintln(h, name, v[name])
	}
	for _, p := range r.o.Config.ProviderRows() {
		fmt.Fprintf(h, "%+v %v\n", p, r.o.Config.Provider(p.Provider).CachedTokens)
	}
	for _, m := range r.o.Config.ModelRows() {
		fmt.Fprintf(h, "%+v\n", m)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func (r *scopeRun) attach(ctx context.Context) error {
	err := r.s.Query(ctx, "SELECT current_database()", scanOne(&r.db))
	if err != nil {
		return err
	}
	if err := r.s.Exec(ctx, "ATTACH ':memory:' AS "+workName); err != nil {
		return err
	}
	return r.s.Exec(ctx, "SET search_path = "+store.Literal(workName+".main,"+store.Ident(r.db)+".main"))
}

// detach drops the work; it must work when the caller's context has ended.
func (r *scopeRun) detach(err error) error {
	ctx := context.Background()
	for _, q := range []string{"USE " + store.Ident(r.db) + ".main", "DETACH " + workName} {
		if derr := r.s.Exec(ctx, q); err == nil {
			err = derr
		}
	}
	return err
}

// derive makes the derived tables of the scope in the work database; last those of the ids, in which
// the scope is looked up.
func (r *scopeRun) derive(ctx context.Context) error {
	if err := r.measure(ctx); err != nil {
		return err
	}
	for _, folder := range []string{queries.Match, queries.Verdicts} {
		if err := reconcileFolder(ctx, r.s, folder, r.o); err != nil {
			return err
		}
	}
	return r.run(ctx, queries.Scope, "int_attempt_ids", "int_charge_ids")
}

// measure finds the scope and measures it, or everything where a part does not do.
func (r *scopeRun) measure(ctx context.Context) error {
	whole := r.all
	var err error
	if !whole {
		if whole, err = r.hadTokenBooks(ctx); err != nil {
			return err
		}
	}
	if !whole {
		if err := r.findScope(ctx); err != nil {
			return err
		}
		if whole, err = r.hasTokenBooks(ctx); err != nil || !whole {
			return err
		}
		if err := r.startAnew(ctx); err != nil {
			return err
		}
	}
	r.all, r.out.Everything = true, true
	if err := r.s.SpreadOverAll(ctx); err != nil {
		return err
	}
	return reconcileFolder(ctx, r.s, queries.Measure, r.o)
}

// startAnew empties the work database: what the scope hides is read again.
func (r *scopeRun) startAnew(ctx context.Context) error {
	if err := r.detach(nil); err != nil {
		return err
	}
	return r.attach(ctx)
}

// end writes what was made, and what it was made with. Changes that came meanwhile cannot be:
// a database has one run at a time.
func (r *scopeRun) end(ctx context.Context) error {
	if err := r.keep(ctx); err != nil {
		return err
	}
	for _, c := range []struct {
		into  *int64
		query string
	}{{&r.out.Attempts, "SELECT count(*) FROM src_attempts"}, {&r.out.Charges, "SELECT count(*) FROM int_charge_lines"}} {
		n, err := r.s.Int(ctx, c.query) // of the scope: it hides those of the database
		if err != nil {
			return err
		}
		*c.into = n
	}
	if err := noteRun(ctx, r.s, r.out.Run, "reconcile", r.o, strings.Join(r.out.Warnings, "\n")); err != nil {
		return err
	}
	for _, q := range []string{
		"DELETE FROM " + r.main("src_changes"),
		"DELETE FROM " + r.main("src_settings") + " WHERE name <> '" + loadedWith + "'",
		"INSERT INTO " + r.main("src_settings") + " SELECT name, value FROM duckdb_variables() ORDER BY name",
		"INSERT INTO " + r.main("src_settings") + " VALUES ('reconciled', " + store.Literal(r.rules()) + "), ('" + judgedWith + "', " + store.Literal(noted(r.o.Config)) +
			"), ('" + configFile + "', " + store.Literal(r.o.ConfigFile) + ")",
	} {
		if err := r.s.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}
