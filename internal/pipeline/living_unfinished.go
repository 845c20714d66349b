package pipeline

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// headersOfFile is the length of the headers with which a DuckDB file begins. A run that is killed while it makes
// the file leaves less than that.
// Source: https://duckdb.org/docs/stable/internals/storage
const headersOfFile = 3 * 4096

// errUnfinished marks the error of a file that a run can make anew.
var errUnfinished = errors.New("an unfinished database")

// unfinished tells a file that was to become a database and holds nothing yet: an empty one, or
// the beginning of the headers, with no log of changes beside it.
func unfinished(path string) bool {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() >= headersOfFile {
		return false
	}
	if wal, err := os.Stat(path + ".wal"); err == nil && wal.Size() > 0 {
		return false
	}
	if st.Size() == 0 {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 12)
	_, err = io.ReadFull(f, start)
	return err == nil && bytes.Equal(start[8:], []byte("DUCK"))
}
