package source

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Input is a file as the user named it, and the means to open it again and again: it is
// read once to recognise it and once more to decode it.
type Input struct {
	Name string // as shown to the user

	path  string // of a plain file, or ""
	open  func() (io.ReadCloser, error)
	close func() error
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
		return nil, &Error{File: path, Found: "no such file", Kind: ErrNotExist, Cause: err}
	case err != nil:
		return nil, unreadable(path, err)
	case info.IsDir():
		return nil, &Error{File: path, Found: "a directory", Expected: "a file", Kind: ErrDirectory,
			Hint: "name its files: " + path + "/*"}
	case !info.Mode().IsRegular():
		return spoolFile(path)
	}
	return &Input{Name: path, path: path, open: func() (io.ReadCloser, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		return f, nil
	}}, nil
}

// BytesInput is content in memory under a name.
func BytesInput(name string, content []byte) *Input {
	return &Input{Name: name, open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
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
	f, err := os.CreateTemp("", "retrytax-*")
	if err != nil {
		return nil, unreadable(name, err)
	}
	// Where the system allows it the file loses its name at once: a killed run leaves nothing.
	unlinked := os.Remove(f.Name()) == nil
	drop := func() error {
		err := f.Close()
		if !unlinked {
			err = errors.Join(err, os.Remove(f.Name()))
		}
		return err
	}
	size, err := io.Copy(f, r)
	if err != nil {
		return nil, errors.Join(unreadable(name, err), drop())
	}
	return &Input{Name: name, close: drop, open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(f, 0, size)), nil
	}}, nil
}

func unreadable(name string, err error) *Error {
	found := "a file that cannot be read"
	if errors.Is(err, fs.ErrPermission) {
		found = "a file that you may not read"
	} else {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		found += " (" + err.Error() + ")"
	}
	return &Error{File: name, Found: found, Kind: ErrUnreadable, Cause: err}
}
