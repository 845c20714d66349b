package pipeline

import (
	"context"
	"database/sql"
	"os"
	"time"

	"retrytax/internal/store"
	"retrytax/queries"
)

// NextRun is the number of the next run that changes the database.
func (l *Living) NextRun(ctx context.Context) (int64, error) {
	n, err := l.Store.Int(ctx, "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'src_runs'")
	if err != nil || n == 0 {
		return 1, fileError(err)
	}
	n, err = nextRun(ctx, l.Store)
	return n, fileError(err)
}

// ChangedMonths are the months, such as 2026-10, in zone, in which charges have changed since
// the last reconcile: their reports will read otherwise.
func (l *Living) ChangedMonths(ctx context.Context, zone string) (months []string, err error) {
	err = l.Store.Query(ctx, `SELECT DISTINCT strftime(timezone($1, timezone('UTC', row_at)), '%Y-%m') AS month
		FROM src_changes WHERE role = 'charges' AND row_at IS NOT NULL ORDER BY month`, scanText(&months), zone)
	return months, fileError(err)
}

// Night is what has come into a database since a run.
type Night struct {
	Files   []string // that have brought rows, by the names they had
	NextRun int64    // the number that the next run gets
	Worst   *Minute  // nil where no minute had enough attempts
}

// Minute is one minute of the log, in UTC.
type Minute struct {
	At               time.Time
	Attempts, Failed int64
}

// ReadNight reads what has come since two runs: files since the run filesFrom, and of the lines
// since linesFrom the minute with the highest share of failures among those with at least
// least attempts. The database is not changed.
func ReadNight(ctx context.Context, so store.Options, filesFrom, linesFrom, least int64) (n *Night, err error) {
	s, err := openReading(ctx, so)
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := s.Close(); err == nil {
			err = cerr
		}
	}()
	n = &Night{}
	if n.NextRun, err = nextRun(ctx, s); err != nil {
		return nil, fileError(err)
	}
	err = s.Query(ctx, "SELECT DISTINCT file FROM src_files WHERE run_no >= ? AND loaded > 0 ORDER BY file", scanText(&n.Files), filesFrom)
	if err != nil {
		return nil, fileError(err)
	}
	if err := setVariables(ctx, s, map[string]string{"night_run": number(linesFrom)}); err != nil {
		return nil, err
	}
	if err := runFolder(ctx, s, queries.Night); err != nil {
		return nil, fileError(err)
	}
	err = s.Query(ctx, `SELECT minute, attempts, failed FROM rpt_minutes WHERE attempts >= ?
		ORDER BY failed / attempts DESC, attempts DESC, minute LIMIT 1`, func(r *sql.Rows) error {
		var m Minute
		err := r.Scan(&m.At, &m.Attempts, &m.Failed)
		m.At = m.At.UTC()
		n.Worst = &m
		return err
	}, least)
	return n, fileError(err)
}

// CopyDatabase copies a database that nobody works on, with what a killed run has left beside
// it. One that is not there is no error.
func CopyDatabase(ctx context.Context, so store.Options, to string) error {
	if _, err := os.Stat(so.Path); os.IsNotExist(err) {
		return nil
	}
	s, err := openReading(ctx, so)
	if err != nil {
		return err
	}
	// Closed first: the system drops the lock of a file that its own process opens a second time.
	if err := s.Close(); err != nil {
		return err
	}
	if err := copyFile(so.Path, to); err != nil {
		return err
	}
	if _, err := os.Stat(so.Path + ".wal"); err == nil {
		return copyFile(so.Path+".wal", to+".wal")
	}
	return nil
}
