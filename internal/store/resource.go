package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/duckdb/duckdb-go/v2"
)

// What the machine can lack; a *ResourceError wraps one of them.
var (
	ErrNoRoom   = errors.New("no room on the disk")
	ErrNoMemory = errors.New("too little memory")
	ErrNoFile   = errors.New("the database cannot be opened")
	ErrNoTemp   = errors.New("no folder for temporary files")
)

// ResourceError says what the machine lacks, in our words; DuckDB's are in Err.
type ResourceError struct {
	Kind  error
	Path  string // the database file, or "" for memory and temporary files
	Limit string // of memory, as it was given; "" is DuckDB's own
	Lives bool   // the database goes on from run to run, and cannot be left out
	Reads bool   // it was only to be read
	Err   error
}

// Error is "found …, expected …".
func (e *ResourceError) Error() string {
	switch {
	case e.Kind == ErrNoMemory && e.Limit != "":
		return "found too little memory for these files (--memory-limit " + e.Limit + "), expected more"
	case e.Kind == ErrNoMemory:
		return "found too little memory for these files, expected more"
	case e.Kind == ErrNoFile && e.Reads:
		return fmt.Sprintf("%s: found a database that cannot be opened (%s), expected a file that can be read", e.Path, systemText(e.Err))
	case e.Kind == ErrNoFile:
		return fmt.Sprintf("%s: found a database that cannot be opened (%s), expected a file that can be written", e.Path, systemText(e.Err))
	case e.Kind == ErrNoTemp:
		return fmt.Sprintf("found no folder %s for temporary files (%s), expected one that can be written", os.TempDir(), systemText(e.Err))
	case e.Path != "":
		return e.Path + ": found no room left on its disk, expected room for the database"
	}
	return "found no room left for temporary files in " + os.TempDir() + ", expected room for what memory does not hold"
}

// Hint names what to change.
func (e *ResourceError) Hint() string {
	switch {
	case e.Kind == ErrNoMemory && e.Limit != "":
		return "raise --memory-limit, or leave it out: then four fifths of the machine's memory serve"
	case e.Kind == ErrNoMemory:
		return "free some memory, set TMPDIR to a disk with room for what is spilled, or try --threads 1"
	case e.Kind == ErrNoFile && e.Reads:
		return "check --db, and who may read it"
	case e.Kind == ErrNoFile:
		return "check the folder of --db, and who may write to it"
	case e.Kind == ErrNoTemp:
		return "set TMPDIR to a folder that exists, or unset it"
	case e.Path != "" && e.Lives:
		return "make room on its disk, or move it to one with more and name it with --db; no step of the run is half done: run it again (retrytax status --db shows what it has done)"
	case e.Path != "":
		return "name a --db on a disk with more room, or leave --db out"
	}
	return "set TMPDIR to a folder with more room, or raise --memory-limit"
}

// Unwrap lets errors.Is find the kind and the cause.
func (e *ResourceError) Unwrap() []error { return []error{e.Kind, e.Err} }

// noRoomTexts are what systems say of a full disk, as DuckDB passes it on.
var noRoomTexts = []string{syscall.ENOSPC.Error(), syscall.EFBIG.Error(), syscall.EDQUOT.Error(), "max_temp_directory_size"}

// NoRoom tells an error of a full disk, or of a limit on files that has the same effect.
func NoRoom(err error) bool {
	if errors.Is(err, ErrNoRoom) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EFBIG) || errors.Is(err, syscall.EDQUOT) {
		return true
	}
	var d *duckdb.Error
	return errors.As(err, &d) && mentions(d.Msg, noRoomTexts...)
}

func mentions(text string, any ...string) bool {
	text = strings.ToLower(text)
	for _, a := range any {
		if strings.Contains(text, strings.ToLower(a)) {
			return true
		}
	}
	return false
}

// explain says of an error of DuckDB's what the machine lacks, where that is the cause. A
// file that a query writes elsewhere is its caller's to name.
func (s *Store) explain(err error) error {
	var known *ResourceError
	var d *duckdb.Error
	if errors.As(err, &known) || errors.As(err, new(*FileError)) || !errors.As(err, &d) {
		return err
	}
	switch {
	case NoRoom(err) && s.path != "" && strings.Contains(d.Msg, s.path):
		return &ResourceError{Kind: ErrNoRoom, Path: s.path, Err: err}
	case NoRoom(err) && (strings.Contains(d.Msg, s.scratch) || mentions(d.Msg, "max_temp_directory_size")):
		return &ResourceError{Kind: ErrNoRoom, Err: err}
	case d.Type == duckdb.ErrorTypeOutOfMemory:
		return &ResourceError{Kind: ErrNoMemory, Limit: s.limit, Err: err}
	case d.Type == duckdb.ErrorTypeIO || d.Type == duckdb.ErrorTypeFatal || d.Type == duckdb.ErrorTypeInternal || d.Type == duckdb.ErrorTypeSerialization:
		if f := s.fault(err); f != nil {
			return f
		}
	}
	return err
}

// notOpened says why there is no database.
func (s *Store) notOpened(err error) error {
	var d *duckdb.Error
	switch {
	case NoRoom(err) || errors.As(err, &d) && d.Type == duckdb.ErrorTypeOutOfMemory:
		return s.explain(err)
	case s.fault(err) != nil:
		return s.fault(err)
	case s.path != "" && mentions(err.Error(), "IO Error"):
		return &ResourceError{Kind: ErrNoFile, Path: s.path, Reads: s.reads, Err: err}
	}
	return err
}

// systemText is the reason at the end of a message of DuckDB's: `IO Error: Cannot open file
// "x": Permission denied`.
func systemText(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	text := strings.TrimSpace(err.Error())
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	if i := strings.LastIndex(text, `": `); i >= 0 {
		return text[i+3:]
	}
	return strings.TrimPrefix(text, "IO Error: ")
}
