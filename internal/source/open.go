package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Input is a file as the user named it, and the means to open it again and again: it is
// read once to recognise it and once more to decode it.
type Input struct {
	Name string // as shown to the user
	// Priced is set where a price list is at hand: a file that the user calls a bill may then
	// be without a column of amounts.
	Priced bool
	// Maps are the user's mappings: the first whose columns the file has counts.
	Maps []*Map

	path  string // of a plain file, or ""
	ident string // of a part of one: its path, and its name behind that
	// container is what it lies in, or nil
	container *Input
	sheet     *sheetFacts // of a sheet of a workbook
	limit     int64       // how many bytes of its content count; 0 is all
	open      func() (io.ReadCloser, error)
	close     func() error
	watch     *watched // of a regular file
	// at opens it for reading anywhere in it; nil where that is not possible.
	at func() (r io.ReaderAt, size int64, done func() error, err error)
}

// NewInput is the input of a path, or of stdin where the path is "-". The errors are
// *Error: no such file, a directory, unreadable.
func NewInput(path string, stdin io.Reader) (*Input, error) {
	if path == "-" {
		return spool("-", stdin)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noSuchFile(path, err)
	case err != nil:
		return nil, unreadable(path, err)
	case info.IsDir():
		return nil, &Error{File: path, Found: "a directory", Expected: "a file", Kind: ErrDirectory,
			Hint: "name its files: " + path + "/*"}
	case !info.Mode().IsRegular(), info.Size() == 0: // a file of /proc says 0, too
		return spoolFile(path)
	}
	w := &watched{path: path, first: info}
	return &Input{Name: shown(path), path: path, open: w.open, watch: w, at: w.at}, nil
}

// shown is a path as text, which a database and JSON take: bytes that are no UTF-8 become \xff.
func shown(path string) string {
	var b strings.Builder
	for len(path) > 0 {
		r, n := utf8.DecodeRuneInString(path)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, path[0])
		} else {
			b.WriteString(path[:n])
		}
		path = path[n:]
	}
	return b.String()
}

func noSuchFile(path string, err error) *Error {
	e := &Error{File: path, Found: "no such file", Expected: "a file", Kind: ErrNotExist, Cause: err,
		Hint: "check the spelling; ls " + filepath.Dir(path) + " shows what is there"}
	if info, lerr := os.Lstat(path); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
		e.Found, e.Hint = "a link to a file that does not exist", "ls -l "+path+" shows where it leads"
	}
	return e
}

// Grew tells the size of a regular file as it was at the start, if it has grown since:
// that is how much of it was read.
func (in *Input) Grew() (size int64, grew bool) {
	if in.watch == nil || !in.watch.grew.Load() {
		return 0, false
	}
	return in.watch.first.Size(), true
}

// Container is the name of the archive or workbook that the input lies in, or "".
func (in *Input) Container() string {
	if in.container == nil {
		return ""
	}
	return in.container.Name
}

// Path is the absolute path of a regular file, as text; "" of standard input and other streams.
// Of a member of an archive it is that of the archive, with the member's name behind it.
func (in *Input) Path() string {
	if in.ident != "" {
		return in.ident
	}
	if in.path == "" {
		return ""
	}
	abs, err := filepath.Abs(in.path)
	if err != nil {
		abs = in.path // the working folder is gone: better than nothing
	}
	return shown(abs)
}

// BytesInput is content in memory under a name.
func BytesInput(name string, content []byte) *Input {
	return &Input{Name: name, open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}, at: func() (io.ReaderAt, int64, func() error, error) {
		return bytes.NewReader(content), int64(len(content)), func() error { return nil }, nil
	}}
}

// Close removes what the input has put on disk.
func (in *Input) Close() error {
	if in.close == nil {
		return nil
	}
	c := in.close
	in.close = nil
	return c()
}

// closeAlso adds something to what Close does.
func (in *Input) closeAlso(f func() error) {
	before := in.close
	in.close = func() error {
		if before == nil {
			return f()
		}
		return errors.Join(before(), f())
	}
}

// spoolFile takes in a pipe or a device, which can be read only once.
func spoolFile(path string) (*Input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	return spool(path, f)
}

// spool copies a stream to a temporary file, so that it can be read twice.
func spool(name string, r io.Reader) (*Input, error) {
	f, drop, err := TempFile()
	if err != nil {
		return nil, noRoom(name, err)
	}
	size, err := io.Copy(f, r)
	if err != nil {
		_ = drop()
		var p *fs.PathError
		if errors.As(err, &p) && p.Path == f.Name() {
			return nil, noRoom(name, err)
		}
		return nil, unreadable(name, err)
	}
	return &Input{Name: shown(name), close: drop, open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(f, 0, size)), nil
	}, at: func() (io.ReaderAt, int64, func() error, error) {
		return f, size, func() error { return nil }, nil
	}}, nil
}

// TempFile makes a temporary file; drop closes and removes it.
func TempFile() (f *os.File, drop func() error, err error) {
	if f, err = os.CreateTemp("", "retrytax-*"); err != nil {
		return nil, nil, err
	}
	// Where the system allows it the file loses its name at once: a killed run leaves nothing.
	unlinked := os.Remove(f.Name()) == nil
	return f, func() error {
		err := f.Close()
		if !unlinked {
			err = errors.Join(err, os.Remove(f.Name()))
		}
		return err
	}, nil
}

// noRoom says that a stream could not be kept for its second reading.
func noRoom(name string, err error) *Error {
	return &Error{File: name, Found: "no room for a temporary copy in " + os.TempDir() + " (" + reason(err) + ")",
		Expected: "room for all that comes from a pipe", Kind: ErrUnreadable, Cause: err,
		Hint: "set TMPDIR to a folder with more room, or name a file instead of a pipe"}
}

func unreadable(name string, err error) *Error {
	e := &Error{File: name, Found: "a file that cannot be read (" + reason(err) + ")", Expected: "a file",
		Kind: ErrUnreadable, Cause: err, Hint: "ls -l " + name + " shows what it is"}
	if errors.Is(err, fs.ErrPermission) {
		e.Found, e.Expected = "a file that you may not read", "one that you may"
		e.Hint = "ls -l " + name + " shows who may; chmod u+r gives its owner the right"
	}
	return e
}

// reason is what the system says, without the operation and the path.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}
