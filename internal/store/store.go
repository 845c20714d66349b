package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"os"

	"github.com/duckdb/duckdb-go/v2"
)

// Options say how DuckDB is opened. The zero value is a database in memory.
type Options struct {
	Path        string // a database file; "" keeps everything in memory
	ReadOnly    bool   // leave the file at Path as it is; new tables go to memory and are gone at the end
	Threads     int    // 0: as the work needs them (Spread), at most as many as there are cores
	MemoryLimit string // "8GB"; "" leaves DuckDB's own (80 % of the memory)
}

// Store is one connection to one database. Session variables and temporary tables live
// on a connection, so everything goes through this one; it is not safe for concurrent use.
type Store struct {
	db      *sql.DB
	conn    *sql.Conn
	scratch string // where DuckDB spills what memory does not hold
	path    string // of the database file, or ""
	limit   string // of memory, as it was given
	asked   int    // how many threads were asked for; 0: none were
	reads   bool   // the database is only read
	pages   func() // ends the asking for pages; nil: blocks of memory are not kept for the next step
}

// Open opens the database. Time zone is UTC; nothing is loaded or fetched from outside.
func Open(ctx context.Context, o Options) (*Store, error) {
	scratch, err := os.MkdirTemp("", "retrytax-spill-")
	if err != nil {
		return nil, &ResourceError{Kind: ErrNoTemp, Err: err}
	}
	s := &Store{scratch: scratch, path: o.Path, limit: o.MemoryLimit, asked: o.Threads, reads: o.ReadOnly}
	main := o.Path
	if o.ReadOnly {
		main = ""
	}
	connector, err := duckdb.NewConnector(main, func(e driver.ExecerContext) error {
		return boot(ctx, e, o, scratch)
	})
	if err != nil {
		s.Close()
		return nil, s.notOpened(err)
	}
	s.db = sql.OpenDB(connector)
	if s.conn, err = s.db.Conn(ctx); err != nil {
		s.Close()
		return nil, s.notOpened(err)
	}
	return s, nil
}

// disabledOptimizers: in_clause would turn each short list of words (x IN (”, 'none', …)) into
// a join of its own, dozens in one query; a small file then costs a fifth of a second.
const disabledOptimizers = "in_clause"

// Landing runs f, which gives the rows of a file their types. A join is done there as it is written,
// with the second table looked up: of text that streams in, DuckDB knows no number of rows, and
// it would hold all of a file in a hash table to look up a handful of providers in it.
func (s *Store) Landing(ctx context.Context, f func() error) error {
	return s.without(ctx, "build_side_probe_side", f)
}

// without runs f with more optimizers disabled.
func (s *Store) without(ctx context.Context, optimizers string, f func() error) error {
	if err := s.Exec(ctx, "SET disabled_optimizers = "+Literal(disabledOptimizers+","+optimizers)); err != nil {
		return err
	}
	err := f()
	if rerr := s.Exec(context.WithoutCancel(ctx), "SET disabled_optimizers = "+Literal(disabledOptimizers)); err == nil {
		err = rerr
	}
	return err
}

// boot sets what must hold on every connection.
func boot(ctx context.Context, e driver.ExecerContext, o Options, scratch string) error {
	settings := []string{
		"SET TimeZone = 'UTC'",
		"SET temp_directory = " + Literal(scratch),
		"SET autoinstall_known_extensions = false",
		"SET autoload_known_extensions = false",
		"SET preserve_insertion_order = false",
		"SET enable_progress_bar = false",
		"SET disabled_optimizers = " + Literal(disabledOptimizers),
		fmt.Sprintf("SET threads = %d", max(o.Threads, 1)),
	}
	if o.MemoryLimit != "" {
		settings = append(settings, "SET memory_limit = "+Literal(o.MemoryLimit))
	}
	if o.ReadOnly {
		// What is made goes to the first of the path, what is read is sought in both.
		settings = append(settings, "ATTACH "+Literal(o.Path)+" AS kept (READ_ONLY)", "SET search_path = 'memory,kept'")
	}
	for _, q := range settings {
		if _, err := e.ExecContext(ctx, q, nil); err != nil {
			return err
		}
	}
	return nil
}

// Close releases the database and removes the spilled files.
func (s *Store) Close() error {
	var first error
	keep := func(err error) {
		if err != nil && first == nil {
			first = err
		}
	}
	if s.pages != nil {
		s.pages()
	}
	if s.conn != nil {
		keep(s.conn.Close())
	}
	if s.db != nil {
		keep(s.db.Close())
	}
	keep(os.RemoveAll(s.scratch))
	return first
}
