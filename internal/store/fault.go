package store

import (
	"fmt"
	"regexp"
	"strconv"
)

// FileError says why a file is not a database that can be used. Kind is one of the Err…
// values below.
type FileError struct {
	Kind error
	Path string
	PID  int // of the process that holds it, where DuckDB tells; else 0
	Err  error
}

// What a database file can be, other than one that can be used.
var (
	ErrInUse   = fmt.Errorf("held by another process")
	ErrForeign = fmt.Errorf("no DuckDB database")
	ErrNewer   = fmt.Errorf("written by a newer DuckDB")
	ErrDamaged = fmt.Errorf("damaged")
)

func (e *FileError) Error() string {
	return fmt.Sprintf("%s: found a database that is %v, expected one that can be used", e.Path, e.Kind)
}

// Unwrap lets errors.Is find the kind and the cause.
func (e *FileError) Unwrap() []error { return []error{e.Kind, e.Err} }

// faults are what DuckDB says of a file, and what that means; the first that holds.
var faults = []struct {
	kind error
	says []string
}{
	{ErrInUse, []string{"could not set lock on file", "conflicting lock"}},
	{ErrNewer, []string{"trying to read a database file with version number", "was written with a newer version", "storage version"}},
	{ErrForeign, []string{"not a valid duckdb database file"}},
	{ErrDamaged, []string{"corrupt database file", "checksum", "failure while replaying wal", "failed to load metadata pointer", "could not read enough bytes",
		"database has been invalidated", "serialization error", "failed to deserialize", "corrupt wal", "failed to read metadata"}},
}

var lockHolder = regexp.MustCompile(`\(PID ([0-9]+)\)`)

// fault is what an error of DuckDB's means for the file, or nil.
func (s *Store) fault(err error) error {
	if s.path == "" {
		return nil
	}
	for _, f := range faults {
		if !mentions(err.Error(), f.says...) {
			continue
		}
		e := &FileError{Kind: f.kind, Path: s.path, Err: err}
		if m := lockHolder.FindStringSubmatch(err.Error()); m != nil {
			e.PID, _ = strconv.Atoi(m[1])
		}
		return e
	}
	return nil
}
