package pipeline

import (
	"context"
	"fmt"

	"retrytax/internal/store"
	"retrytax/queries"
)

func newerError(path string, v int64) error {
	return &DatabaseError{Path: path, Found: fmt.Sprintf("a database of version %d, which a newer retrytax has made", v),
		Expected: fmt.Sprintf("at most version %d", SchemaVersion), Advice: "use the newer retrytax; this one leaves it as it is"}
}

// schemaVersion is that of the src_ tables, or 0 where there are none.
func schemaVersion(ctx context.Context, s *store.Store) (int64, error) {
	n, err := s.Int(ctx, "SELECT count(*) FROM duckdb_columns() WHERE table_name = 'src_meta' AND column_name = 'schema_version'")
	if err != nil || n == 0 {
		return 0, err
	}
	return s.Int(ctx, "SELECT coalesce(max(schema_version), 0) FROM src_meta")
}

// migrate puts a copy of the file aside and brings the tables to this version, in one
// transaction.
func (l *Living) migrate(ctx context.Context, o LivingOptions, from int64) error {
	if err := l.Store.Checkpoint(ctx); err != nil {
		return err
	}
	// Closed, since the system drops the lock of a file that its own process opens a second time.
	if err := l.Store.Close(); err != nil {
		return err
	}
	l.Store = nil
	backup := fmt.Sprintf("%s.v%d.bak", o.Path, from)
	if err := copyFile(o.Path, backup); err != nil {
		return &DatabaseError{Path: o.Path, Found: fmt.Sprintf("a database of version %d that cannot be copied to %s (%v)", from, backup, err),
			Expected: "room for a copy before it is brought to this version", Advice: "make room, or move the database to a disk with more", Err: err}
	}
	if err := l.open(ctx, o); err != nil {
		return err
	}
	if v, err := schemaVersion(ctx, l.Store); err != nil || v != from {
		return err // another run has done it meanwhile
	}
	err := l.Store.InTransaction(ctx, func() error {
		if from == 1 {
			return fromVersion1(ctx, l.Store)
		}
		return addTables(ctx, l.Store)
	})
	if err != nil {
		return err
	}
	l.Notes = append(l.Notes, fmt.Sprintf("%s was of version %d and is of version %d now; a copy of it as it was is in %s", o.Path, from, SchemaVersion, backup))
	return nil
}

// addTables adds the tables that this version has more than versions 2 and 3. What was derived stays,
// and so do the profiles with which it was.
func addTables(ctx context.Context, s *store.Store) error {
	for _, path := range []string{queries.Schema + "/05_macros.sql", queries.Schema + "/23_src_bills.sql", queries.Schema + "/24_src_retries.sql",
		queries.Schema + "/25_src_names.sql", queries.Schema + "/26_src_nameless.sql", queries.Migrations + "/04_version.sql"} {
		f := queries.Get(path)
		if err := s.Run(ctx, f.Path, f.SQL); err != nil {
			return err
		}
	}
	return nil
}

// fromVersion1 puts the tables of version 1 aside, makes those of this one and moves the rows.
func fromVersion1(ctx context.Context, s *store.Store) error {
	if err := dropDerived(ctx, s); err != nil {
		return err
	}
	aside, rows := queries.Get(queries.Migrations+"/02_aside.sql"), queries.Get(queries.Migrations+"/03_rows.sql")
	if err := s.Run(ctx, aside.Path, aside.SQL); err != nil {
		return err
	}
	if err := runFolder(ctx, s, queries.Schema); err != nil {
		return err
	}
	return s.Run(ctx, rows.Path, rows.SQL)
}

// dropDerived drops what the next reconcile makes anew.
func dropDerived(ctx context.Context, s *store.Store) error {
	var drops []string
	err := s.Query(ctx, `SELECT 'DROP VIEW ' || view_name FROM duckdb_views() WHERE NOT internal
		UNION ALL SELECT 'DROP TABLE ' || table_name FROM duckdb_tables() WHERE regexp_matches(table_name, '^(int|fct|rpt)_') OR table_name = 'src_known'
		ORDER BY 1 DESC`, scanText(&drops))
	if err != nil {
		return err
	}
	for _, d := range drops {
		if err := s.Exec(ctx, d); err != nil {
			return err
		}
	}
	return nil
}
