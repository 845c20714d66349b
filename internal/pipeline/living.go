package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"retrytax/internal/store"
)

// SchemaVersion is the version of the src_ tables that this retrytax reads and writes.
const SchemaVersion = 4

// Living is a database that lives, open for a run that changes it.
type Living struct {
	Store *store.Store
	Path  string
	Notes []string // what opening it has done, in sentences

	fresh bool // nothing was in it
	found bool // the file was there
}

// LivingOptions say how a living database is opened.
type LivingOptions struct {
	store.Options
	Command string // who opens it, as whoever finds it in use is told
	Create  bool   // make it if there is none
	Now     time.Time
	Wait    time.Duration // how long to wait for another run
}

// DatabaseError says why a file is not a database to go on with.
type DatabaseError struct {
	Path, Found, Expected, Advice string
	Err                           error
}

func (e *DatabaseError) Error() string {
	return fmt.Sprintf("%s: found %s, expected %s", e.Path, e.Found, e.Expected)
}

// Hint says what to do about it.
func (e *DatabaseError) Hint() string { return e.Advice }

func (e *DatabaseError) Unwrap() error { return e.Err }

// OpenLiving opens a database for a run that changes it. One of an older version is brought
// to this one, with a copy of the file put aside; one of a newer version, a foreign or
// a damaged file are refused (*DatabaseError), one that is in use as well (*InUseError).
func OpenLiving(ctx context.Context, o LivingOptions) (*Living, error) {
	l := &Living{Path: o.Path}
	st, err := os.Stat(o.Path)
	switch {
	case err == nil && st.IsDir():
		return nil, folderError(o.Path)
	case err == nil:
		l.found = true
	case !o.Create:
		return nil, noDatabase(o.Path)
	}
	if err := l.open(ctx, o); err != nil {
		return nil, err
	}
	if err := l.ready(ctx, o); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if err := l.tidy(ctx, o); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// tidyEvery is how many reconciles pass until one joins what all of them have written: a week of nights.
const tidyEvery = 7

// tidy lets this run rewrite older rows for the sake of order: once in a while where nights are small, and when rows
// go anyway. The others cost what their own rows do. Of large nights the pieces are large, too.
func (l *Living) tidy(ctx context.Context, o LivingOptions) error {
	if l.fresh {
		return nil // nothing is older
	}
	n, err := l.Store.Int(ctx, "SELECT count(*) + 1 FROM src_runs WHERE command = 'reconcile'")
	if err != nil {
		return fileError(err)
	}
	rows, err := l.Store.Int(ctx, fmt.Sprintf(`SELECT coalesce(sum(loaded), 0) FROM src_files WHERE run_no > coalesce((
		SELECT run_no FROM src_runs WHERE command = 'reconcile' ORDER BY run_no DESC LIMIT 1 OFFSET %d), 0)`, tidyEvery-1))
	if err != nil {
		return fileError(err)
	}
	return l.Store.Tidy(ctx, n%tidyEvery == 0 && rows < 4*store.RowGroup || o.Command == "prune")
}

func folderError(path string) error {
	return &DatabaseError{Path: path, Found: "a folder", Expected: "a database", Advice: "name a file with --db"}
}

func noDatabase(path string) error {
	return &DatabaseError{Path: path, Found: "no such file", Expected: "a database",
		Advice: "retrytax ingest FILES… --db " + path + " makes one"}
}

// open waits a moment for a database in use: a short look at it should not end a night's run.
func (l *Living) open(ctx context.Context, o LivingOptions) error {
	for end := time.Now().Add(o.Wait); ; {
		s, err := store.Open(ctx, o.Options)
		if err == nil {
			l.Store = s
			claim(o.Path, o.Command, o.Now)
			return nil
		}
		err = fileError(err)
		if o.Create && errors.Is(err, errUnfinished) {
			if err := os.Remove(o.Path); err != nil {
				return err
			}
			l.found, o.Create = false, false // once
			continue
		}
		if !errors.As(err, new(*InUseError)) || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// fileError says what an error of opening or reading a database means to the user.
func fileError(err error) error {
	var machine *store.ResourceError
	if errors.As(err, &machine) {
		machine.Lives = true
	}
	var f *store.FileError
	if !errors.As(err, &f) {
		return err
	}
	e := &DatabaseError{Path: f.Path, Expected: "a database of retrytax", Err: err}
	switch f.Kind {
	case store.ErrInUse:
		return inUse(f)
	case store.ErrForeign:
		e.Found, e.Advice = "a file that is no database", "name another file with --db; this one is left as it is"
	case store.ErrNewer:
		e.Found, e.Advice = "a file that a newer DuckDB has written", "use the newer retrytax that has written it; this one leaves it as it is"
	default:
		e.Found = "a damaged file"
		e.Advice = "put back the last copy of it, or move it and its .wal away and ingest the logs and bills again: the same files give the same books"
	}
	if f.Kind != store.ErrNewer && unfinished(f.Path) {
		e.Found = "the beginning of a file, into which nothing was loaded: the run that made it was cut off"
		e.Advice = "retrytax ingest FILES… --db " + f.Path + " makes it anew"
		e.Err = errors.Join(errUnfinished, err)
	}
	return e
}

// ready finds out what is in the database and brings it to this version.
func (l *Living) ready(ctx context.Context, o LivingOptions) error {
	tables, err := l.Store.Int(ctx, "SELECT count(*) FROM duckdb_tables() WHERE NOT internal")
	if err != nil {
		return fileError(err)
	}
	if tables == 0 {
		if !o.Create {
			return noDatabase(o.Path)
		}
		l.fresh = true
		return nil
	}
	v, err := schemaVersion(ctx, l.Store)
	switch {
	case err != nil:
		return fileError(err)
	case v == 0:
		return &DatabaseError{Path: o.Path, Found: "a database of something else", Expected: "one of retrytax",
			Advice: "name another file with --db; this one is left as it is"}
	case v > SchemaVersion:
		return newerError(o.Path, v)
	case v < SchemaVersion:
		return l.migrate(ctx, o, v)
	}
	return nil
}

// Close releases the database. One that was made for a run that failed before anything was
// in it is removed again.
func (l *Living) Close() error {
	var err error
	if l.Store != nil {
		err = l.Store.Close()
		l.Store = nil
	}
	release(l.Path)
	if l.fresh && !l.found {
		_ = os.Remove(l.Path)
		_ = os.Remove(l.Path + ".wal")
	}
	return err
}

// filled notes that something was committed to a database that was empty.
func (l *Living) filled() { l.fresh = false }

// copyFile copies a file aside and renames the copy when it is whole and on the disk.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), ".retrytax-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(out.Name())
		}
	}()
	_, err = out.ReadFrom(in)
	if serr := out.Sync(); err == nil {
		err = serr
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}
