package store

import (
	"context"
	"fmt"
	"runtime"
)

// RowGroup is how many rows DuckDB gives to a thread at a time.
// Source: https://duckdb.org/docs/stable/guides/performance/how_to_tune_workloads
const RowGroup = 122_880

// Spread sets the threads for work on so many rows, where none were asked for: one for what DuckDB
// does not divide, else as many as there are cores. While a thread works on the only row group there is, the
// one that waits for it asks again and again and takes a core for nothing.
func (s *Store) Spread(ctx context.Context, rows int64) error {
	if s.asked > 0 {
		return nil
	}
	n := runtime.GOMAXPROCS(0)
	if rows <= RowGroup {
		n = 1
	}
	return s.Exec(ctx, fmt.Sprintf("SET threads = %d", n))
}

// SpreadOverAll is Spread for work on the largest table that the database holds.
func (s *Store) SpreadOverAll(ctx context.Context) error {
	n, err := s.Int(ctx, "SELECT coalesce(max(estimated_size), 0) FROM duckdb_tables()")
	if err != nil {
		return err
	}
	return s.Spread(ctx, n)
}
