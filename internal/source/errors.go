package source

import (
	"errors"
	"fmt"
)

// What can be wrong with a whole file; an *Error wraps one of them.
var (
	ErrNotExist     = errors.New("no such file")
	ErrDirectory    = errors.New("a directory")
	ErrEmpty        = errors.New("an empty file")
	ErrUnreadable   = errors.New("unreadable")
	ErrCorrupt      = errors.New("corrupt compression")
	ErrUnrecognised = errors.New("not recognised")
	ErrChanged      = errors.New("changed while it was read")
	ErrPrices       = errors.New("a price list")   // package prices is for it
	ErrParquet      = errors.New("a Parquet file") // RecogniseTable is for its columns
)

// Error says what is wrong with a file, or with one place in it, and what was expected
// there. Hint, if there is one, names a flag or something that the user can do.
type Error struct {
	File     string
	Line     int64  // 1-based; 0 where the whole file is meant
	Column   string // canonical or as in the file; "" where none is meant
	Found    string
	Expected string
	Hint     string
	Kind     error // one of the Err… values
	Cause    error // what the system said, or nil
	// Guess is what a table that fits nothing could be; nil where it is no table.
	Guess *Guess
}

// Error is "file:line: found …, expected …".
func (e *Error) Error() string {
	s := e.File
	if e.Line > 0 {
		s = fmt.Sprintf("%s:%d", s, e.Line)
	}
	if e.Column != "" {
		s += ": " + e.Column
	}
	s += ": found " + e.Found
	if e.Expected != "" {
		s += ", expected " + e.Expected
	}
	return s
}

// Unwrap lets errors.Is find the kind and the cause.
func (e *Error) Unwrap() []error {
	var errs []error
	if e.Kind != nil {
		errs = append(errs, e.Kind)
	}
	if e.Cause != nil {
		errs = append(errs, e.Cause)
	}
	return errs
}
