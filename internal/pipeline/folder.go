package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"retrytax/internal/store"
)

// PublishError says why a report could not be written to a folder.
type PublishError struct {
	Dir string
	Err error
}

// Error is "folder: found …, expected …".
func (e *PublishError) Error() string {
	var p *fs.PathError
	switch {
	case store.NoRoom(e.Err):
		return e.Dir + ": found no room left on its disk, expected room for the report; what was there is as it was"
	case errors.As(e.Err, &p):
		return fmt.Sprintf("%s: found a folder that cannot be written (%v), expected one that can; what was there is as it was", e.Dir, p.Err)
	}
	return fmt.Sprintf("cannot write the report to %s: %v", e.Dir, e.Err)
}

// Hint says what to do about it.
func (e *PublishError) Hint() string {
	switch {
	case store.NoRoom(e.Err):
		return "make room, or name another --out on a disk with more"
	case errors.As(e.Err, new(*fs.PathError)):
		return "ls -ld " + e.Dir + " shows who may write there; or name another --out"
	}
	return "name another --out"
}

func (e *PublishError) Unwrap() error { return e.Err }

// makeFolders makes a folder and those above it that are missing, and returns the ones that
// it has made, the innermost first.
func makeFolders(dir string) (made []string, err error) {
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); !os.IsNotExist(err) || d == filepath.Dir(d) {
			break
		}
		made = append(made, d)
	}
	return made, os.MkdirAll(dir, 0o777)
}

// NoFolderError says that a folder stands where a file is to be written, or the reverse.
type NoFolderError struct {
	Path   string
	IsFile bool // a file where a folder is needed
}

func (e *NoFolderError) Error() string {
	if e.IsFile {
		return e.Path + ": found a file, expected a folder or nothing"
	}
	return e.Path + ": found a folder, expected a file or nothing"
}

// Hint says what to do about it.
func (e *NoFolderError) Hint() string { return "name another --out, or move " + e.Path + " away" }

// CheckFolder finds out before a run whether its report could be put into a folder: whoever
// waits for an audit should not learn that at its end.
func CheckFolder(dir string) error {
	for d := filepath.Clean(dir); d != filepath.Dir(d); d = filepath.Dir(d) {
		if st, err := os.Stat(d); err == nil && !st.IsDir() {
			return &NoFolderError{Path: d, IsFile: true}
		}
	}
	for _, n := range []string{"verdicts.csv", "rejects.csv", workbookName, pageName, "audit.json"} {
		if st, err := os.Stat(filepath.Join(dir, n)); err == nil && st.IsDir() {
			return &NoFolderError{Path: filepath.Join(dir, n)}
		}
	}
	made, err := makeFolders(dir)
	if err == nil {
		var probe string
		if probe, err = os.MkdirTemp(dir, ".retrytax-"); err == nil {
			err = os.Remove(probe)
		}
	}
	for _, d := range made {
		_ = os.Remove(d)
	}
	if err != nil {
		return &PublishError{dir, err}
	}
	return nil
}
