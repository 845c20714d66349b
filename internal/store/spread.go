package store

import (
	"context"
	"fmt"
	"math"
	"runtime"
)

// RowGroup is how many rows DuckDB gives to a thread at a time.
// Source: https://duckdb.org/docs/stable/guides/performance/how_to_tune_workloads
const RowGroup = 122_880

// bytesKept is less than what a database in memory takes for a row of the log or the bill, derived tables included.
const bytesKept = 500

// Spread sets the threads for work on so many rows, where none were asked for: one for what DuckDB
// does not divide, else as many as there are cores. While a thread works on the only row group there is, the
// one that waits for it asks again and again and takes a core for nothing.
func (s *Store) Spread(ctx context.Context, rows int64) error {
	if rows > RowGroup && rows < math.MaxInt64 {
		if err := s.keepMemory(ctx, rows); err != nil {
			return err
		}
	}
	if s.asked > 0 {
		return nil
	}
	n := runtime.GOMAXPROCS(0)
	if rows <= RowGroup {
		n = 1
	}
	return s.Exec(ctx, fmt.Sprintf("SET threads = %d", n))
}

// keepMemory lets DuckDB keep a part of its memory for blocks, once it has had them from the system. Else
// every step of a run gives its blocks back and the next one asks for them anew, page by page, which is
// a third of the time where pages are dear (virtual machines). For few rows it costs more than it saves.
// What is kept may stand idle above the limit of memory: so it is less where the user gave one, or where
// the tables lie in a file.
// Source: https://github.com/duckdb/duckdb/pull/19678
func (s *Store) keepMemory(ctx context.Context, rows int64) error {
	if s.pages != nil {
		return nil
	}
	share, first := "25%", int64(0)
	if s.path == "" && s.limit == "" {
		share, first = "45%", rows*bytesKept
	}
	if err := s.Exec(ctx, "SET block_allocator_memory = '"+share+"'"); err != nil {
		return err
	}
	s.pages = wholePages(first)
	return nil
}

// SpreadOverAll is Spread for work on the largest table that the database holds.
func (s *Store) SpreadOverAll(ctx context.Context) error {
	n, err := s.Int(ctx, "SELECT coalesce(max(estimated_size), 0) FROM duckdb_tables()")
	if err != nil {
		return err
	}
	return s.Spread(ctx, n)
}
