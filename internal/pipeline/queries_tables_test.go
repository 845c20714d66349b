package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"retrytax/internal/config"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/queries"
)

// bench is a database in which all tables exist with their real types and hold nothing.
type bench struct {
	ctx      context.Context
	s        *store.Store
	settings map[string]string   // what the variables hold where a case does not say otherwise
	tables   map[string][]column // of every table and view
}

type column struct{ name, kind string }

// table is a CSV file: its names and its rows.
type table struct {
	cols []string
	rows [][]string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{ctx: context.Background(), tables: map[string][]column{}}
	o := Options{Config: config.Default(), Now: testClock, Threads: 1}
	s, err := store.Open(b.ctx, store.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	b.s, b.settings = s, settings(o)
	for n, v := range fileSettings(1, File{Input: source.BytesInput("file.csv", nil)}, o, source.Recognised{}) {
		b.settings[n] = v
	}
	for _, n := range []string{"explained_id", "explained_call", "explained_limit"} {
		b.settings[n] = ""
	}
	b.settings["scope_round"], b.settings["keys_honoured"] = "0", ""
	b.settings["period_from"], b.settings["period_to"] = "2026-11-01 00:00:00", "2026-12-01 00:00:00"
	for _, step := range []func() error{
		func() error { _, err := Run(b.ctx, s, nil, o); return err },
		func() error { return runFolder(b.ctx, s, queries.Reports) },
		func() error { return runFolder(b.ctx, s, queries.Explain) },
		func() error { return scopeTables(b.ctx, s) },
		func() error { return runFolder(b.ctx, s, queries.Status) },
		func() error { return runFolder(b.ctx, s, queries.Cost) },
		func() error { return runFolder(b.ctx, s, queries.Invoice) },
		func() error { return s.Run(b.ctx, "", "DELETE FROM src_providers WHERE provider <> ''") },
		func() error { _, err := priceCharges(b.ctx, s, 1); return err },
		func() error { return compareFiles(b.ctx, s) },
		func() error { return lendIDs(b.ctx, s) },
		func() error { return s.Run(b.ctx, "", queries.Get(queries.Formats+"/56_src_missing.sql").SQL) },
		func() error { return s.Run(b.ctx, "", queries.Get(queries.Prune+"/10_src_pruned.sql").SQL) },
		func() error { return setVariables(b.ctx, s, b.settings) },
		b.readTables,
	} {
		if err := step(); err != nil {
			s.Close()
			t.Fatal(err)
		}
	}
	return b
}

// scopeTables makes those that a reconcile has only while it works.
func scopeTables(ctx context.Context, s *store.Store) error {
	for _, name := range append(slices.Clone(remembered), "int_known_ids") {
		old := strings.Replace(name, "int_", "int_old_", 1)
		if err := s.Exec(ctx, "CREATE TABLE "+old+" AS SELECT * FROM "+name+" LIMIT 0"); err != nil {
			return err
		}
	}
	if err := s.Exec(ctx, "CREATE TABLE int_scope_pairs AS SELECT * FROM int_candidate_pairs"); err != nil {
		return err
	}
	if err := s.Run(ctx, "", "SET VARIABLE scope_round = '0'"); err != nil {
		return err
	}
	return runFolder(ctx, s, queries.Scope)
}

// readTables notes the columns of every table and view, and of those that a decoder lands.
func (b *bench) readTables() error {
	for name, role := range map[string]source.Role{"raw_attempts": source.Attempts, "raw_charges": source.Charges, "raw_bills": source.Bills, "raw_retries": source.Retries} {
		cols := []column{{"source_line", "BIGINT"}, {"record_no", "BIGINT"}}
		for _, c := range source.ColumnsOf(role) {
			cols = append(cols, column{c, "VARCHAR"})
		}
		b.tables[name] = cols
	}
	b.tables["raw_traces"] = []column{{"record_no", "BIGINT"}, {"trace_id", "VARCHAR"}, {"name", "VARCHAR"}}
	return b.s.Query(b.ctx, `SELECT table_name, column_name, data_type FROM duckdb_columns()
		WHERE schema_name = 'main' AND NOT internal ORDER BY table_name, column_index`, func(r *sql.Rows) error {
		var name string
		var c column
		err := r.Scan(&name, &c.name, &c.kind)
		b.tables[name] = append(b.tables[name], c)
		return err
	})
}

// arrange puts the rows of a case in place of the tables that it names. A table that is
// created where there is none starts from nothing, unless the case holds its rows.
func (b *bench) arrange(dir string, files []queries.File) error {
	given, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil {
		return err
	}
	writes, held := head(files[0].SQL).writes(), false
	for _, path := range given {
		name := strings.TrimSuffix(filepath.Base(path), ".csv")
		if name == "settings" || strings.HasPrefix(name, "expect") {
			continue
		}
		if b.tables[name] == nil {
			return fmt.Errorf("%s: no such table", path)
		}
		held = held || name == writes
		if err := b.replace(path, name); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, name := range head(files[len(files)-1].SQL).tables("Reads") {
		if strings.HasPrefix(name, "raw_") {
			if err := b.replace(filepath.Join(dir, name+".csv"), name); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
	}
	if strings.HasPrefix(files[0].Path, queries.Schema) && !held {
		return b.s.Exec(b.ctx, "DROP TABLE "+store.Ident(writes))
	}
	return nil
}

// replace makes a table, or what was a view, anew with the rows of a CSV file.
func (b *bench) replace(path, name string) error {
	what := "TABLE"
	if strings.HasPrefix(name, "raw_") {
		what = "TEMP TABLE"
	} else if err := b.drop(name); err != nil {
		return err
	}
	cols := b.tables[name]
	if err := b.create(what, name, cols); err != nil {
		return err
	}
	if name == "src_providers" {
		if err := b.s.Exec(b.ctx, "INSERT INTO src_providers "+defaultProvider); err != nil {
			return err
		}
	}
	t, err := readTable(path)
	if err != nil {
		return err
	}
	return b.fill(name, cols, t, standIns(name))
}

func (b *bench) drop(name string) error {
	views, err := b.s.Int(b.ctx, "SELECT count(*) FROM duckdb_views() WHERE view_name = ?", name)
	if err != nil {
		return err
	}
	kind := "TABLE"
	if views > 0 {
		kind = "VIEW"
	}
	return b.s.Exec(b.ctx, "DROP "+kind+" "+store.Ident(name))
}

// create makes an empty table without constraints: a case may leave out what it does not need.
func (b *bench) create(what, name string, cols []column) error {
	list := make([]string, len(cols))
	for i, c := range cols {
		list[i] = store.Ident(c.name) + " " + c.kind
	}
	return b.s.Exec(b.ctx, "CREATE OR REPLACE "+what+" "+store.Ident(name)+" ("+strings.Join(list, ", ")+")")
}

// describe returns the names and types of a query's columns.
func (b *bench) describe(query string) (cols []column, err error) {
	err = b.s.Query(b.ctx, "SELECT column_name, column_type FROM (DESCRIBE "+query+")", func(r *sql.Rows) error {
		var c column
		err := r.Scan(&c.name, &c.kind)
		cols = append(cols, c)
		return err
	})
	return cols, err
}
