package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/store"
)

// Kept is a database that an audit kept, open for reading only.
type Kept struct {
	store *store.Store
	path  string
	zone  *time.Location
	lives bool // it is reconciled night by night: the tables of a period are made when asked for
}

// NotKeptError says that a file is no database that an audit kept.
type NotKeptError struct{ Path, Found string }

func (e *NotKeptError) Error() string {
	return fmt.Sprintf("%s: found %s, expected a database kept by retrytax audit --db", e.Path, e.Found)
}

// Hint tells how to make one.
func (e *NotKeptError) Hint() string {
	return "make it with retrytax audit FILES… --db FILE, or name the log and the bill instead of a database"
}

// OpenKept opens a database that audit --db kept. The file is not changed, and the settings
// are those with which it was made; zone replaces the report's, unless it is empty.
func OpenKept(ctx context.Context, o store.Options, zone string) (*Kept, error) {
	switch st, err := os.Stat(o.Path); {
	case err != nil:
		return nil, &NotKeptError{o.Path, "no such file"}
	case st.IsDir():
		return nil, folderError(o.Path)
	}
	o.ReadOnly = true
	s, err := store.Open(ctx, o)
	if err != nil {
		if known := fileError(err); errors.As(known, new(*InUseError)) || errors.As(known, new(*DatabaseError)) {
			return nil, known
		}
		return nil, &NotKeptError{o.Path, "no DuckDB database, a damaged one, or one that cannot be read"}
	}
	k := &Kept{store: s, path: o.Path}
	if err := k.restore(ctx, o.Path, zone); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return k, nil
}

// restore sets the variables as the audit had them; DuckDB lists one without a value as NULL.
func (k *Kept) restore(ctx context.Context, path, zone string) error {
	if err := k.store.SpreadOverAll(ctx); err != nil {
		return err
	}
	n, err := k.store.Int(ctx, `SELECT count(*) FROM duckdb_tables() WHERE database_name = 'kept' AND table_name = 'src_settings'`)
	if err != nil {
		return err
	}
	if n == 0 {
		return &NotKeptError{path, "a database without settings"}
	}
	if version, err := schemaVersion(ctx, k.store); err != nil || version > SchemaVersion {
		return errors.Join(err, newerError(path, version))
	}
	v, err := settingsOf(ctx, k.store)
	if err != nil {
		return err
	}
	if k.lives = v["reconciled"] != ""; k.lives {
		v["over_database"] = "1"
	}
	if len(v) == 0 {
		return k.unfinished(ctx, path)
	}
	if zone == "" {
		zone = v["report_zone"]
	}
	if k.zone, err = time.LoadLocation(zone); err != nil {
		return fmt.Errorf("zone: found %q, expected a name such as Asia/Shanghai", zone)
	}
	return setVariables(ctx, k.store, v)
}

// unfinished says why a database has no verdicts: rows that wait for reconcile, or an
// audit that was killed.
func (k *Kept) unfinished(ctx context.Context, path string) error {
	n, err := k.store.Int(ctx, `SELECT count(*) FROM duckdb_tables() WHERE database_name = 'kept' AND table_name = 'src_changes'`)
	if err == nil && n > 0 {
		n, err = k.store.Int(ctx, "SELECT count(*) FROM src_changes")
	}
	switch {
	case err != nil:
		return err
	case n > 0:
		return unreconciledError(path, "")
	}
	return &NotKeptError{path, "an audit that did not end"}
}

// Explain reads all that the kept audit says of one id.
func (k *Kept) Explain(ctx context.Context, id string, o ExplainOptions) (*report.Explanation, error) {
	if k.lives {
		return explain(ctx, k.store, id, o, k.zone, aroundHits)
	}
	return explain(ctx, k.store, id, o, k.zone, nil)
}

// Close releases the database.
func (k *Kept) Close() error { return k.store.Close() }
